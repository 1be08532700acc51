/** What a benchmark prints: one object for programs; tables, figures and plots for people. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Chart, lineChart } from './line-chart.ts';
import { type Machine, machineLine } from './machine.ts';
import type { Spread } from './statistics.ts';

export interface Report {
  /** The command line that made it. */
  command: string;
  machine: Machine;
  rows: readonly object[];
  figures: Record<string, number>;
}

/** The report as Markdown. @param table the rows, each as cells by column name */
export function reportText({ command, machine, figures }: Report, table: readonly Record<string, string>[]): string {
  const columns = Object.keys(table[0] ?? {});
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    `\`${command}\``,
    machineLine(machine),
    '',
    line(columns),
    line(columns.map(() => '---')),
    ...table.map((row) => line(columns.map((column) => row[column] ?? ''))),
    '',
    ...Object.entries(figures).map(([name, value]) => `${name}: ${value.toFixed(2)}`),
    '',
  ].join('\n');
}

/** "2.31 (2.25 to 2.40)": the median and its quartiles, to `digits` places. "-" for null and for what was not measured. */
export function spreadText(spread: Spread | null, digits = 2): string {
  if (spread === null || Number.isNaN(spread.median)) return '-';
  const [median, low, high] = [spread.median, spread.low, spread.high].map((value) => value.toFixed(digits));
  return `${median} (${low} to ${high})`;
}

/** Writes charts as NAME.svg into a folder, which is made where it is missing. Returns the files. */
export function writePlots(folder: string, charts: Readonly<Record<string, Chart>>): string[] {
  mkdirSync(folder, { recursive: true });
  return Object.entries(charts).map(([name, chart]) => {
    const file = path.join(folder, `${name}.svg`);
    writeFileSync(file, lineChart(chart));
    return file;
  });
}

/** Rows as one line a name. */
export function seriesOf<T extends { name: string }>(
  rows: readonly T[],
  x: (row: T) => number,
  y: (row: T) => number,
): Chart['series'] {
  const names = [...new Set(rows.map(({ name }) => name))];
  return names.map((name) => ({
    name,
    points: rows.filter((row) => row.name === name).map((row) => ({ x: x(row), y: y(row) })),
  }));
}
