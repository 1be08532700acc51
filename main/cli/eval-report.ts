/** What the measurements of `eval` print while they run. */
import { note, print } from './output.ts';

/** Rows on standard output as they come, progress on standard error: one line that is rewritten on a terminal. */
export class Report {
  readonly #json: boolean;
  #shown = false;

  constructor(json: boolean) {
    this.#json = json;
  }

  readonly progress = (label: string, done: number, total: number): void => {
    if (!process.stderr.isTTY) return;
    this.#shown = true;
    process.stderr.write(`\r\x1b[K${Math.floor((100 * done) / total)} % ${label}`);
  };

  /** Prints a row's cells; where standard output is for JSON, as progress on standard error. */
  row<T>(cells: (row: T) => string[]): (row: T) => void {
    return (row) => {
      this.clear();
      const line = cells(row).join('\t');
      if (this.#json) note(line);
      else print(`${line}\n`);
    };
  }

  clear(): void {
    if (this.#shown) process.stderr.write('\r\x1b[K');
    this.#shown = false;
  }
}
