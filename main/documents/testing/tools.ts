/** Other programs that read documents, where they are installed: an independent opinion on what is in a file. */
import { spawnSync } from 'node:child_process';

export type Tool = 'pdftotext' | 'pandoc';

export function hasTool(tool: Tool): boolean {
  return spawnSync(tool, [tool === 'pdftotext' ? '-v' : '--version']).error === undefined;
}

/** What a tool prints on standard output. */
export function runTool(tool: Tool, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`${tool} ended with ${status}: ${stderr}`);
  return stdout;
}
