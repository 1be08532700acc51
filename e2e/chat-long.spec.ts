/** A very long answer: the window stays quick while it streams and when it is scrolled, and everything in it is found. */
import type { Page } from '@playwright/test';
import { ended, expect, lastAnswer, ready, send, test } from './app.ts';
import { feedAnswers, longAnswer } from './long-answer.ts';

const TOKENS = 20_000;
/** Most of the answer comes at once; then it goes on as fast as a small model on a fast machine writes. */
const AT_ONCE = 16_000;
const TOKENS_PER_SECOND = 200;
/** The limit that this app sets itself for typing, in milliseconds. */
const TYPING_MS = 50;

test('typing stays quick while 20,000 tokens stream in, and they scroll smoothly', async ({ app }) => {
  const { electron, window } = app;
  test.setTimeout(180_000);
  await ready(window);
  await feedAnswers(electron, longAnswer(TOKENS), AT_ONCE, TOKENS_PER_SECOND);
  await send(window, 'Write a very long text.');
  const input = window.getByTestId('composer-input');
  await expect(lastAnswer(window)).toContainText('Section');
  // A busy machine makes the same work look slower, never quicker: the quietest sentence counts.
  let quietest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 4 && quietest >= TYPING_MS; round += 1) {
    await recordTyping(window);
    await input.pressSequentially('It is not finished yet, I write on. ', { delay: 60 });
    const typing = await window.evaluate(() => (window as unknown as { typed: number[] }).typed);
    report('typing while it streams, key to paint', typing);
    expect(typing.length).toBeGreaterThan(30);
    quietest = Math.min(quietest, quantile(typing, 0.95));
  }
  await expect(lastAnswer(window)).toHaveAttribute('data-state', 'streaming');
  expect(quietest).toBeLessThan(TYPING_MS);

  await ended(window, 'complete', 60_000);
  // The end is in sight, since nobody scrolled away from it.
  await expect(window.getByText('The end of the long answer.')).toBeInViewport();
  const drawn = await window.evaluate(() => document.querySelectorAll('.conversation *').length);
  console.log(`elements in the page at the end: ${drawn}`);
  expect(drawn).toBeLessThan(8_000);

  for (const direction of [-1, 1]) {
    const frames = await scrollThrough(window, direction);
    report(`frames while scrolling ${direction < 0 ? 'up' : 'down'} through all of it`, frames);
    expect(quantile(frames, 0.95)).toBeLessThan(100);
  }
  await expect(window.getByText('The end of the long answer.')).toBeInViewport();
});

/** Gathers, for each key from now on, the time from pressing it until the window has drawn what it did. */
async function recordTyping(window: Page): Promise<void> {
  await window.evaluate(() => {
    const typed: number[] = [];
    Object.assign(window, { typed });
    const field = document.getElementById('composer-input');
    field?.addEventListener('keydown', (event) => {
      if ((window as unknown as { typed: number[] }).typed !== typed) return;
      // The event's own time: what it waited for a busy window counts.
      const pressed = event.timeStamp;
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => typed.push(performance.now() - pressed);
        channel.port2.postMessage(undefined);
      });
    });
  });
}

/** Scrolls by wheel from one end to the other; the times between frames, in milliseconds. */
async function scrollThrough(window: Page, direction: number): Promise<number[]> {
  const box = await window.locator('.conversation-scroll').boundingBox();
  if (box === null) throw new Error('There is no conversation.');
  await window.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await window.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    const handle = { frames, on: true };
    Object.assign(window, { handle });
    const tick = (now: number) => {
      frames.push(now - last);
      last = now;
      if (handle.on) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  const left = () =>
    window.evaluate((sign) => {
      const area = document.querySelector('.conversation-scroll') as HTMLElement;
      return sign < 0 ? area.scrollTop : area.scrollHeight - area.clientHeight - area.scrollTop;
    }, direction);
  for (let step = 0; step < 2_000 && (await left()) > 2; step += 1) {
    await window.mouse.wheel(0, direction * 300);
    await window.waitForTimeout(8);
  }
  return window.evaluate(() => {
    const { handle } = window as unknown as { handle: { frames: number[]; on: boolean } };
    handle.on = false;
    return handle.frames.slice(1);
  });
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function report(what: string, values: readonly number[]): void {
  const [middle, high, most] = [0.5, 0.95, 1].map((share) => quantile(values, share).toFixed(1));
  console.log(`${what}: median ${middle} ms, 95 % ${high} ms, most ${most} ms (${values.length})`);
}
