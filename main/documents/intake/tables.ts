/** Tables in running text: a row is a line, its cells stand beside each other. */
import type { Flow } from './flow.ts';

export class Tables {
  readonly #flow: Flow;
  /** Rows of each open table so far, and cells of its current row. */
  readonly #open: { rows: number; cells: number }[] = [];

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  /** Whether the text is of a cell. */
  get inCell(): boolean {
    return (this.#open.at(-1)?.cells ?? 0) > 0;
  }

  begin(): void {
    this.#open.push({ rows: 0, cells: 0 });
  }

  end(): void {
    this.#open.pop();
  }

  beginCell(): void {
    const table = this.#open.at(-1);
    if (table && table.cells++ > 0) this.#flow.text(this.#flow.wantsSpace ? ' | ' : '| ');
  }

  /** Ends a paragraph of a cell, which others may follow. */
  endParagraph(): void {
    if (this.#flow.wantsSpace) this.#flow.text(' ');
  }

  endRow(): void {
    const table = this.#open.at(-1);
    this.#flow.endParagraph({ tight: (table?.rows ?? 0) > 0 });
    if (table) Object.assign(table, { rows: table.rows + 1, cells: 0 });
  }
}
