/**
 * How long the window makes people wait while something heavy goes on: for an answer of main's, and for its own thread.
 * Time in which the system had no processor for a thread that wanted to run is the machine's, not the app's: it is taken
 * off, so that a busy machine does not make a test fail. In milliseconds.
 */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { StartedApp } from './app.ts';

/** From when to when, in milliseconds since 1970. */
type Wait = readonly [from: number, to: number];

interface Watched extends Window {
  watch?: { answers: Wait[]; turns: Wait[]; on: boolean };
}

const SAMPLE_MS = 10;

/** Waits that are shorter than this need no looking at. */
const SHORT_MS = 50;

export interface Responsiveness {
  /** The longest that main took to answer the page. */
  answer: number;
  /** The longest that the page's own thread was busy at a stretch. */
  turn: number;
}

/** Begins to measure; the returned function ends that. */
export async function watchResponsiveness({ electron, window }: StartedApp): Promise<() => Promise<Responsiveness>> {
  const processes = await electron.evaluate(({ app }) => app.getAppMetrics().map(({ pid, type }) => ({ pid, type })));
  const [main, page] = ['Browser', 'Tab'].map((type) => starvation(processes.find((one) => one.type === type)?.pid));
  await window.evaluate(watch, SHORT_MS);
  return async () => {
    const { answers, turns } = await ended(window);
    const [mainStarved, pageStarved] = [main, page].map((stop) => stop?.() ?? (() => 0));
    return {
      answer: longest(answers, (wait) => (mainStarved?.(wait) ?? 0) + (pageStarved?.(wait) ?? 0)),
      turn: longest(turns, (wait) => pageStarved?.(wait) ?? 0),
    };
  };
}

function longest(waits: readonly Wait[], starved: (wait: Wait) => number): number {
  return Math.max(0, ...waits.map((wait) => wait[1] - wait[0] - starved(wait)));
}

/** Follows how long a process's main thread waited for a processor; ended, it tells that for any time in between. */
function starvation(pid: number | undefined): () => (wait: Wait) => number {
  if (process.platform !== 'linux' || pid === undefined) return () => () => 0;
  const samples: { at: number; waited: number }[] = [];
  const sample = () => {
    const [, waited = '0'] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    samples.push({ at: Date.now(), waited: Number(waited) / 1e6 });
  };
  sample();
  const timer = setInterval(sample, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    sample();
    return ([from, to]) => {
      const before = samples.filter(({ at }) => at <= from).at(-1) ?? samples[0];
      const after = samples.find(({ at }) => at >= to) ?? samples.at(-1);
      return (after?.waited ?? 0) - (before?.waited ?? 0);
    };
  };
}

/** In the page. */
function watch(short: number): void {
  const waits = { answers: [] as Wait[], turns: [] as Wait[], on: true };
  (window as Watched).watch = waits;
  const note = (list: Wait[], from: number) => {
    if (Date.now() - from > short) list.push([from, Date.now()]);
  };
  const pause = () => new Promise((resolve) => setTimeout(resolve, 10));
  const ask = async () => {
    while (waits.on) {
      const asked = Date.now();
      await window.shadownpu.invoke('settings.get', undefined);
      note(waits.answers, asked);
      await pause();
    }
  };
  const turn = async () => {
    while (waits.on) {
      const began = Date.now();
      await pause();
      note(waits.turns, began);
    }
  };
  void ask();
  void turn();
}

async function ended(page: Page): Promise<{ answers: Wait[]; turns: Wait[] }> {
  return page.evaluate(() => {
    const { watch: waits } = window as Watched;
    if (waits === undefined) throw new Error('nothing was measured');
    waits.on = false;
    return waits;
  });
}
