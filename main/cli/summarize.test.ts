/** Runs the built command line on documents with the real model, and interrupts it. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../documents/testing/read.ts';
import { realModelPath } from '../engine/testdata/real-model.ts';

const CLI = join(__dirname, '..', '..', 'dist', 'cli.cjs');
const LIMIT_MS = 300_000;
const folder = temporaryFolder();
const file = join(folder, 'towns.txt');

beforeAll(() => {
  const filler = 'The streets are narrow and paved with grey stone. Markets are held twice a week. ';
  const town = (n: number) => `The town of Place${n} has ${1000 + n} inhabitants. ${filler.repeat(8)}`;
  writeFileSync(file, Array.from({ length: 12 }, (_, i) => town(i + 1)).join('\n\n'));
});

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Sends `signal` once `seen` holds, after `before`. */
function interrupted(
  args: string[],
  seen: (out: Omit<Ended, 'code'>) => boolean,
  signal: NodeJS.Signals,
  before = () => {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...args, '--model', realModelPath()], { timeout: LIMIT_MS });
    const out = { stdout: '', stderr: '' };
    let sent = false;
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        out[stream] += text;
        if (sent || !seen(out)) return;
        sent = true;
        before();
        child.kill(signal);
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...out }));
  });
}

describe('interrupted', { timeout: 2 * LIMIT_MS }, () => {
  const summarize = ['summarize', file, '--length', 'short', '--ctx', '600'];
  const firstPart = ({ stderr }: { stderr: string }) => /\[1 of \d+: /.test(stderr);

  it('a summary leaves what is done in its file, whole, and exits with 130', async () => {
    const target = join(folder, 'out.json');
    const ended = await interrupted([...summarize, '--json', '--out', target], firstPart, 'SIGINT');
    expect(ended).toMatchObject({ code: 130, stdout: '' });
    const result = JSON.parse(readFileSync(target, 'utf8'));
    expect(result).toMatchObject({ complete: false, error: { kind: 'cancelled' }, summary: '' });
    expect(result.coverage.share).toBeGreaterThan(0);
    expect(result.coverage.share).toBeLessThan(1);
    expect(result.sections[0].summary).not.toBe('');
    expect(result.skipped.at(-1)).toMatchObject({ reason: 'It was stopped.' });
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('a summary whose file cannot be written any more is printed', async () => {
    const gone = join(folder, 'gone');
    mkdirSync(gone);
    const args = [...summarize, '--out', join(gone, 'out.md')];
    const { code, stdout, stderr } = await interrupted(args, firstPart, 'SIGTERM', () =>
      rmSync(gone, { recursive: true }),
    );
    expect(code).toBe(130);
    expect(stdout).toMatch(
      /^# towns\.txt\n\nRead \d+ of \d+ tokens \(\d+ %\) with .*\n\n\(This summary is not finished/,
    );
    expect(stderr).toContain('could not be written');
    expect(existsSync(gone)).toBe(false);
    const nowhere = await interrupted(args, firstPart, 'SIGTERM');
    expect(nowhere).toMatchObject({ code: 3, stdout: '' });
  });

  it('an answer from a document ends with what there is of it', async () => {
    const args = ['ask', '--file', file, 'Tell me everything about all of these towns.'];
    const plain = await interrupted(args, ({ stdout }) => /\w/.test(stdout), 'SIGINT');
    expect(plain.code).toBe(130);
    expect(plain.stdout).toMatch(/\w.*\n$/s);
    expect(plain.stderr).toContain('It was stopped.');
  });
});
