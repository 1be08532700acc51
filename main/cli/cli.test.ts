/** Runs the built command line as its users do, with a tiny model of random weights. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TINY_IM_END, TINY_IM_START, TINY_THINK, writeTinyLlama } from '../engine/testdata/tiny-llama.ts';

const CLI = join(__dirname, '..', '..', 'dist', 'cli.cjs');
const LIMIT_MS = 90_000;

let home: string;
let gguf: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'shadownpu cli ü '));
  gguf = join(home, 'tiny model.gguf');
  writeTinyLlama(gguf, { context: 4096 });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Run {
  args: string[];
  input?: string;
  /** Presses Ctrl+C when the first output comes. */
  interrupt?: true;
}
interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

function run({ args, input = '', interrupt }: Run): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      env: { ...process.env, SHADOWNPU_HOME: home },
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    const out = { stdout: '', stderr: '' };
    if (interrupt) child.stdout.once('data', () => child.kill('SIGINT'));
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        out[stream] += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...out }));
    child.stdin.end(input);
  });
}

/** The one JSON object on standard output. */
async function json(...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run({ args: [...args, '--json'] });
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  expect(stdout.trimEnd()).not.toContain('\n');
  return JSON.parse(stdout);
}

describe('without a model', () => {
  it('helps on standard output and sends mistakes to standard error with exit code 2', async () => {
    const help = await run({ args: ['--help'] });
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('tokenize');
    const contradiction = await run({ args: ['ask', 'x', '--no-buckets', '--scale', 'buckets'] });
    expect(contradiction).toMatchObject({ code: 2, stdout: '' });
    const mistake = await run({ args: ['ask', 'x', '--ratio', '2'] });
    expect(mistake).toMatchObject({ code: 2, stdout: '' });
    expect(mistake.stderr).toContain('above 0 and at most 1');
  });

  it('lists devices', async () => {
    const { devices } = await json('devices');
    expect(devices).toContainEqual(expect.objectContaining({ type: 'CPU', usable: true, virtual: false }));
  });

  it('tests devices', async () => {
    const { devices } = await json('devices', '--self-test');
    const selfTest = expect.objectContaining({ passed: true, pilotMs: expect.any(Number) });
    expect(devices).toContainEqual(expect.objectContaining({ type: 'CPU', selfTest }));
    expect((await run({ args: ['devices'] })).stdout).toMatch(/self-test passed in .* pilot .* can be used/s);
  });

  it('exits with 3 where a model or a file is missing, the reason as JSON too', async () => {
    const none = await run({ args: ['ask', 'hi', '--json'] });
    expect(none.code).toBe(3);
    expect(JSON.parse(none.stdout)).toMatchObject({ error: { kind: 'model-missing' } });
    expect(await run({ args: ['ask', 'hi', '--model', join(home, 'absent.gguf')] })).toMatchObject({ code: 3 });
    const absent = await run({ args: ['ask', '--prompt-file', join(home, 'absent.txt'), '--model', gguf] });
    expect(absent).toMatchObject({ code: 3, stdout: '' });
    expect(absent.stderr).toContain('absent.txt');
  });

  it('exits with 3 for a file that is no model', async () => {
    const page = join(home, 'page.gguf');
    writeFileSync(page, '<!doctype html><title>404</title>');
    expect(await run({ args: ['tokenize', 'x', '--model', page] })).toMatchObject({ code: 3, stdout: '' });
  });
});

describe('looking inside, without loading weights', () => {
  it('tokenizes as the model reads a message', async () => {
    const marker = '<|im_start|><think>';
    const { ids } = (await json('tokenize', marker, '--model', gguf)) as { ids: number[] };
    expect(ids).not.toContain(TINY_IM_START);
    expect(ids.at(-1)).toBe(TINY_THINK);
    expect(await json('tokenize', marker, '--control', '--model', gguf)).toEqual({ ids: [TINY_IM_START, TINY_THINK] });
  });

  it('renders messages from a file and from standard input', async () => {
    const messages = [{ role: 'user', content: 'Grüße' }];
    const file = join(home, 'messages.json');
    writeFileSync(file, JSON.stringify(messages));
    const text = '<|im_start|>user\nGrüße<|im_end|>\n<|im_start|>assistant\n';
    expect(await json('render', '--messages', file, '--model', gguf)).toEqual({ text });
    const args = ['render', '--messages', '-', '--model', gguf];
    expect(await run({ args, input: JSON.stringify({ messages }) })).toMatchObject({ code: 0, stdout: text });
    const wrong = await run({ args, input: '[{"role": "pirate", "content": "x"}]' });
    expect(wrong).toMatchObject({ code: 3, stdout: '' });
    expect(wrong.stderr).toContain('0.role');
  });
});

describe('answers', () => {
  it('imports on first use, answers with every figure, the same with the same seed', {
    timeout: 3 * LIMIT_MS,
  }, async () => {
    const ask = ['ask', 'the end', '--model', gguf, '--weights', 'exact', '--max-tokens', '6', '--seed', '5'];
    const first = await json(...ask);
    expect(first).toMatchObject({
      text: expect.any(String),
      tokenIds: expect.any(Array),
      promptTokens: expect.any(Number),
      completionTokens: expect.any(Number),
      finishReason: expect.stringMatching(/^(stop|length)$/),
      prefill: { seconds: expect.any(Number), tokensPerSecond: expect.any(Number) },
      decode: { seconds: expect.any(Number), tokensPerSecond: expect.any(Number) },
      attention: { mode: 'shadow', ratio: 0.07, pilotDevice: 'CPU', scale: 'exact', tail: true, minKeys: 64 },
      device: 'CPU',
      weights: 'exact',
    });
    const { models } = (await json('models', 'list')) as { models: { id: string; weights: string[] }[] };
    expect(models).toEqual([expect.objectContaining({ weights: ['exact'] })]);
    const again = await json(...ask.map((word) => (word === gguf ? (models[0]?.id ?? '') : word)));
    expect([again.text, again.tokenIds]).toEqual([first.text, first.tokenIds]);

    const plain = await run({ args: [...ask] });
    expect(plain.stdout.trimEnd()).toBe(String(first.text).trimEnd());
    expect(plain.stderr).toContain('prompt tokens');
  });

  it('counts a raw prompt without the template and stops at the cap', async () => {
    const raw = await json('ask', 'he', '--raw', '--model', gguf, '--weights', 'exact', '--max-tokens', '1');
    expect(raw).toMatchObject({ promptTokens: 1, completionTokens: 1 });
  });

  it('gives the ten likeliest tokens, best first', async () => {
    const ids = `${TINY_IM_START},5,6,${TINY_IM_END}`;
    const args = ['logits', '--ids', ids, '--model', gguf, '--weights', 'exact', '--attention', 'full'];
    const { top } = (await json(...args)) as { top: [number, number][] };
    expect(top).toHaveLength(10);
    expect(top).toEqual([...top].sort((a, b) => b[1] - a[1]));
    const beyond = await run({ args: ['logits', '--ids', '5,99999', '--model', gguf, '--weights', 'exact'] });
    expect(beyond).toMatchObject({ code: 3, stdout: '' });
  });

  it('refuses a prompt that does not fit, naming both numbers', async () => {
    const args = ['ask', 'x'.repeat(100), '--raw', '--ctx', '64', '--model', gguf, '--weights', 'exact'];
    const { code, stderr } = await run({ args });
    expect(code).toBe(3);
    expect(stderr).toMatch(/100.*64/s);
  });

  it('prints what there is when it is interrupted, exit code 130', async () => {
    const args = ['ask', 'he', '--raw', '--model', gguf, '--weights', 'exact', '--max-tokens', '4000', '--seed', '1'];
    const { code, stdout, stderr } = await run({ args, interrupt: true });
    expect(code).toBe(130);
    expect(stdout.trim()).not.toBe('');
    expect(stderr).toMatch(/\d+ new/);
  });

  it('holds a conversation that finds its turns in the cache', async () => {
    const { code, stdout, stderr } = await run({
      args: ['chat', '--model', gguf, '--weights', 'exact', '--max-tokens', '4', '--seed', '2', '--json'],
      input: 'one two three\n\nfour\n/new\nfive\n',
    });
    expect(code, stderr).toBe(0);
    const { answers } = JSON.parse(stdout) as { answers: { promptTokens: number; cachedTokens: number }[] };
    expect(answers).toHaveLength(3);
    const [first, second, third] = answers;
    expect(second?.cachedTokens).toBeGreaterThanOrEqual(first?.promptTokens ?? Number.POSITIVE_INFINITY);
    expect(third?.cachedTokens).toBeLessThan(second?.cachedTokens ?? 0);
  });

  it('calibrates a model over a text, once', async () => {
    const text = join(home, 'text.txt');
    writeFileSync(text, 'The ferry leaves at two, and the fog comes in before noon. '.repeat(10));
    const args = ['calibrate', gguf, '--text', text, '--weights', 'exact', '--threads', '1'];
    const { calibration } = (await json(...args)) as {
      calibration: { tokens: number; importance: { head: number[][]; layer: number[] } };
    };
    expect(calibration.tokens).toBeGreaterThan(128);
    expect(calibration.importance.layer).toHaveLength(2);
    expect(calibration.importance.head.map((heads) => heads.length)).toEqual([4, 4]);
    const again = await run({ args });
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toContain(`Calibrated over ${calibration.tokens} tokens`);
    writeFileSync(text, 'Too short.');
    expect(await run({ args })).toMatchObject({ code: 3, stderr: expect.stringContaining('longer text') });
  });

  it('compares fast weights with exact ones', { timeout: 2 * LIMIT_MS }, async () => {
    const text = join(home, 'long.txt');
    writeFileSync(text, 'The ferry leaves at two, and the fog comes in before noon. '.repeat(10));
    const args = ['eval', 'linear', '--model', gguf, '--text', text, '--tokens', '128', '--threads', '1'];
    const { rows, figures } = (await json(...args)) as { rows: object[]; figures: Record<string, number> };
    expect(rows).toEqual([expect.objectContaining({ text: 'long.txt', tokens: 128, kl: figures.linear_kl })]);
    expect(figures.linear_kl).toBeGreaterThan(0);
    expect(figures.linear_kl).toBeLessThan(0.1);
    expect(figures.linear_top1).toBeGreaterThan(0.5);
    expect(figures.linear_fast_tokens_per_second).toBeGreaterThan(0);
    expect(await run({ args: [...args, '--weights', 'exact'] })).toMatchObject({ code: 2, stdout: '' });
  });

  it('compares kinds of attention on one prompt, full attention first', { timeout: 2 * LIMIT_MS }, async () => {
    const args = ['compare', '--raw', '--max-tokens', '3', '--mode', 'block', '--config', 'all:mode=sparse,ratio=1'];
    const { rows } = await json(...args, 'one two three '.repeat(40));
    expect(rows).toMatchObject([
      { variant: { attention: { mode: 'full' } }, state: 'done', figures: { completionTokens: 3 } },
      { variant: { attention: { mode: 'block', ratio: 0.2 } }, state: 'done', agreement: { tokens: 3 } },
      { variant: { attention: { mode: 'sparse', ratio: 1 } }, state: 'done', agreement: { tokens: 3, top1: 1 } },
    ]);
    const long = await run({ args: [...args, '--prompt-file', '-'], input: 'one two three '.repeat(4000) });
    expect(long).toMatchObject({ code: 3, stdout: expect.stringContaining('full: failed') });
  });

  it('removes a model', async () => {
    const { models } = (await json('models', 'list')) as { models: { id: string }[] };
    const id = models[0]?.id ?? '';
    expect(await json('models', 'remove', id)).toEqual({ removed: id });
    expect(await json('models', 'list')).toEqual({ models: [] });
    expect(await run({ args: ['models', 'remove', id] })).toMatchObject({ code: 3 });
  });
});
