/**
 * What Windows' typeperf prints: a line of counter paths, then a line of values a second, as CSV. A value that could not be
 * read is empty, a blank or -1.
 */

/** Value of each counter by its path without the computer's name, e.g. "\GPU Engine(pid_4_...)\Utilization Percentage". */
export type CounterValues = ReadonlyMap<string, number>;

/** On every Windows; where typeperf does not know it, names are in another language. */
const EVERYWHERE = /^\\PhysicalDisk\(/i;

export class TypeperfLines {
  private rest = '';
  private paths: string[] = [];

  /** Whether the program knew counters by their English names. */
  get english(): boolean {
    return this.paths.some((path) => EVERYWHERE.test(path));
  }

  /** Takes a piece of the output. @returns the lines of values that are complete by it */
  push(text: string): CounterValues[] {
    const lines = (this.rest + text).split(/\r?\n/);
    this.rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.line(line) ?? []);
  }

  private line(line: string): CounterValues | undefined {
    // Messages of the program are not quoted.
    if (!line.startsWith('"')) return undefined;
    const [first = '', ...fields] = splitQuoted(line);
    if (first.startsWith('(PDH-CSV')) {
      this.paths = fields.map((path) => path.replace(/^\\\\[^\\]+/, ''));
      return undefined;
    }
    const values = new Map<string, number>();
    for (const [i, field] of fields.entries()) {
      const path = this.paths[i];
      // Some languages of Windows have a comma before the decimals.
      const value = field.trim() === '' ? Number.NaN : Number(field.replace(',', '.'));
      if (path !== undefined && Number.isFinite(value) && value >= 0) values.set(path, value);
    }
    return values;
  }
}

/** Fields of a CSV line in which every field is quoted and a quote within one is doubled. */
function splitQuoted(line: string): string[] {
  return Array.from(line.matchAll(/"((?:[^"]|"")*)"/g), ([, field = '']) => field.replaceAll('""', '"'));
}

/** Values of one counter set and counter, by instance. */
export function instances(values: CounterValues, set: string, counter: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const [path, value] of values) {
    const [, name, instance = '', last] = /^\\([^(\\]+)(?:\((.*)\))?\\([^\\]+)$/.exec(path) ?? [];
    if (name?.toLowerCase() === set.toLowerCase() && last?.toLowerCase() === counter.toLowerCase()) {
      found.set(instance, value);
    }
  }
  return found;
}
