/** The small parts of the set-up: versions, stamps, locks, the lockfile comparison, programs that fail. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { outdatedPackages } from './dependencies.mjs';
import { reasonOf } from './errors.mjs';
import { withLock } from './lock.mjs';
import { isSupportedNode } from './node-version.mjs';
import { run } from './run.mjs';
import { fingerprint, readStamp, writeStamp } from './stamp.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'setup-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['20.19.0', true],
  ['20.20.2', true],
  ['22.0.0', true],
  ['24.1.0', true],
  ['20.18.9', false],
  ['18.20.0', false],
  ['9.99.99', false],
])('Node.js %s is supported: %s', (version, supported) => {
  expect(isSupportedNode(version)).toBe(supported);
});

describe('outdatedPackages', () => {
  const wanted = {
    '': { version: '1.0.0' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/linux': { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'] },
    'node_modules/windows': { version: '1.0.0', optional: true, os: ['win32'], cpu: ['x64'] },
    'node_modules/musl': { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
    'node_modules/maybe': { version: '1.0.0', optional: true },
  };
  const installed = { 'node_modules/a': { version: '1.0.0' }, 'node_modules/linux': { version: '1.0.0' } };

  test('nothing is outdated when all that this machine needs is there', () => {
    expect(outdatedPackages(wanted, installed, 'linux', 'x64')).toEqual([]);
  });
  test('another version, a missing package and another machine are noticed', () => {
    expect(outdatedPackages(wanted, { ...installed, 'node_modules/a': { version: '0.9.0' } }, 'linux', 'x64')).toEqual([
      'node_modules/a',
    ]);
    expect(outdatedPackages(wanted, {}, 'linux', 'x64')).toEqual(['node_modules/a', 'node_modules/linux']);
    expect(outdatedPackages(wanted, installed, 'win32', 'x64')).toEqual(['node_modules/windows']);
  });
});

describe('stamps', () => {
  test('come back as written; a damaged one counts as none', () => {
    const file = join(folder, 'deep', 'stamp.json');
    expect(readStamp(file)).toBeUndefined();
    writeStamp(file, { sources: 'abc' });
    expect(readStamp(file)).toEqual({ sources: 'abc' });
    writeFileSync(file, '{"sources": "ab');
    expect(readStamp(file)).toBeUndefined();
    writeFileSync(file, '[1]');
    expect(readStamp(file)).toBeUndefined();
  });

  test('a fingerprint changes with contents, new files and removed files, and not with what is left out', () => {
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src', 'a.ts'), '1');
    const take = () => fingerprint(folder, ['src', 'missing.json'], (path) => !path.endsWith('.test.ts'));
    const first = take();
    expect(take()).toBe(first);
    writeFileSync(join(folder, 'src', 'a.test.ts'), 'x');
    expect(take()).toBe(first);
    writeFileSync(join(folder, 'src', 'b.ts'), '2');
    const second = take();
    expect(second).not.toBe(first);
    rmSync(join(folder, 'src', 'b.ts'));
    expect(take()).toBe(first);
    writeFileSync(join(folder, 'src', 'a.ts'), '12');
    expect(take()).not.toBe(first);
    rmSync(join(folder, 'src'), { recursive: true });
    expect(take()).not.toBe(first);
  });
});

describe('withLock', () => {
  test('lets one in at a time and says that it waits', async () => {
    const file = join(folder, 'lock');
    /** @type {string[]} */
    const events = [];
    /** @param {string} name */
    const work = (name) =>
      withLock(
        file,
        'waiting',
        (text) => events.push(text),
        async () => {
          events.push(`${name} in`);
          await sleep(50);
          events.push(`${name} out`);
        },
      );
    await Promise.all([work('a'), work('b')]);
    expect(events).toEqual(['a in', 'waiting', 'a out', 'b in', 'b out']);
    expect(existsSync(file)).toBe(false);
  });

  test('is released by a failure and taken over from a dead process', async () => {
    const file = join(folder, 'lock');
    const say = () => undefined;
    const failing = withLock(file, '', say, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'close');
    writeFileSync(file, String(child.pid));
    expect(await withLock(file, '', say, async () => readFileSync(file, 'utf8'))).toBe(String(process.pid));
  });
});

describe('run', () => {
  test('gives the output and passes lines on', async () => {
    /** @type {string[]} */
    const lines = [];
    const script = 'console.log("one"); console.error("two"); process.stdout.write("three")';
    const output = await run(process.execPath, ['-e', script], { onLine: (line) => lines.push(line) });
    expect(output).toBe('one\nthree');
    expect(lines.sort()).toEqual(['one', 'three', 'two']);
  });

  test('a failure carries the last lines and the advice', async () => {
    const script = 'for (let i = 0; i < 40; i++) console.error("line " + i); process.exit(3)';
    const error = await run(process.execPath, ['-e', script], { advice: 'try again' }).catch((reason) => reason);
    expect(error.message).toContain('exit code 3');
    expect(error.message).toContain('line 39');
    expect(error.message).not.toContain('line 10');
    expect(error.advice).toBe('try again');
  });

  test('a missing program and an endless one are named', async () => {
    await expect(run('no-such-program-here', [])).rejects.toThrow('no-such-program-here could not be started');
    const endless = run(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { timeoutMs: 300 });
    await expect(endless).rejects.toThrow('did not finish within');
  });
});

test('reasonOf shows what fetch hides in the cause', () => {
  expect(reasonOf(new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND x') }))).toBe(
    'fetch failed (getaddrinfo ENOTFOUND x)',
  );
  expect(reasonOf('text')).toBe('text');
});
