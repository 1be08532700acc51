/** The processes of the app: what happens when one dies, when all are to end, and while nothing happens. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ended, expect, firstWords, lastAnswer, processes, ready, send, startApp, switches, test } from './app.ts';

const LONG_ANSWER = 'Write a long story about a lighthouse keeper and the sea, with many details.';

test('the engine is killed mid-answer: the window says so, keeps the text, and goes on', async ({ app }) => {
  const { electron, window } = app;
  await ready(window);
  await send(window, LONG_ANSWER);
  await firstWords(window);
  const { engine } = await processes(electron);
  process.kill(engine, 'SIGKILL');
  await ended(window, 'failed', 10_000);
  await expect(lastAnswer(window).getByTestId('error-notice')).toContainText('stopped unexpectedly');
  await expect(lastAnswer(window).locator('p').first()).toHaveText(/\S/);

  await ready(window);
  await send(window, 'And what did he see there?');
  await firstWords(window);
  await window.getByTestId('stop-button').click();
  await ended(window, 'stopped', 5_000);
  expect((await processes(electron)).engine).not.toBe(engine);
});

test('closing the window mid-answer leaves no process, and the text is kept', async ({ profile }) => {
  const first = await startApp(profile);
  await ready(first.window);
  await send(first.window, LONG_ANSWER);
  await firstWords(first.window);
  const { all } = await processes(first.electron);
  const gone = new Promise<void>((resolve) => first.electron.process().once('exit', () => resolve()));
  await first.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await gone;
  await expect.poll(() => all.filter(isRunning), { timeout: 5_000 }).toEqual([]);

  const { electron, window } = await startApp(profile);
  await window.getByTestId('chat-list-item').getByRole('button').first().click();
  await ended(window, 'stopped');
  await expect(lastAnswer(window).locator('p').first()).toHaveText(/\S/);
  await electron.close();
});

test('a killed main process takes all others with it', async ({ profile }) => {
  const { electron, window } = await startApp(profile);
  await ready(window);
  const { all } = await processes(electron);
  electron.process().kill('SIGKILL');
  await expect.poll(() => all.filter(isRunning), { timeout: 10_000 }).toEqual([]);
});

test('a second copy with the same profile hands over to the first', async ({ app: { electron }, profile }) => {
  const program = await electron.evaluate(() => process.execPath);
  const called = electron.evaluate(
    ({ app: main }) => new Promise<boolean>((resolve) => main.once('second-instance', () => resolve(true))),
  );
  const second = spawn(program, switches(profile), { stdio: 'ignore' });
  const code = new Promise<number | null>((resolve) => second.once('exit', resolve));
  expect(await called).toBe(true);
  expect(await code).toBe(0);
});

test('idle, the app uses less than 1 % of a core', async ({ app: { electron, window } }) => {
  test.skip(process.platform !== 'linux', 'reads /proc');
  await ready(window);
  // A caret that blinks takes Chromium 0.9 % of a core where it draws without a GPU, as here: the app's own share is meant.
  await window.getByTestId('composer-input').blur();
  await window.waitForTimeout(3_000);
  const { all } = await processes(electron);
  const seconds = 10;
  const shares: number[] = [];
  // A busy machine makes the same work look dearer, never cheaper: the quietest window counts.
  while (shares.length < 4 && !shares.some((share) => share < 0.01)) {
    const before = cpuSeconds(all);
    await window.waitForTimeout(seconds * 1000);
    shares.push((cpuSeconds(all) - before) / seconds);
  }
  expect(Math.min(...shares)).toBeLessThan(0.01);
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false; // gone meanwhile
  }
}

/** User and system time of the processes so far. */
function cpuSeconds(pids: readonly number[]): number {
  const TICKS_PER_SECOND = 100;
  let ticks = 0;
  for (const pid of pids) {
    // The name in parentheses may hold spaces; fields are counted after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / TICKS_PER_SECOND;
}
