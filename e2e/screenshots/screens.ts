/**
 * The pictures beside those of the rail's screens, which are taken by themselves. To add one: a name and the steps that
 * lead to it from an open app whose chats are those of `seed`.
 */
import type { Locator, Page } from '@playwright/test';
import { ended, expect, send } from '../app.ts';

export interface Screen {
  /** Of the file: docs/screenshots/<name>-<light|dark>.png. */
  name: string;
  language?: 'en' | 'zh-CN';
  /** Window size in CSS pixels, where it is not the usual one. */
  size?: { width: number; height: number };
  show(window: Page): Promise<unknown>;
}

const QUESTIONS = [
  'Give me three tips for a good night of sleep.',
  'Write a short Python function that adds two numbers, in a code block.',
  'What is the capital of France? Answer in one sentence.',
];
/** The one that answers with code. */
const openChat = (window: Page) => window.getByTestId('chat-list-item').nth(1).getByRole('button').first().click();

/** Asks the model what the pictures show; its answers are its own. In English, since the default model knows little else. */
export async function seed(window: Page): Promise<void> {
  for (const question of QUESTIONS) {
    await window.getByTestId('new-chat').click();
    await send(window, question);
    await ended(window, 'complete', 300_000); // the first waits for the model's import
  }
}

const REPORT = `# Harbour report

## The bridge

The bridge over the river Elbe was finished in 1928 after nine years of work. Its engineer, Clara Weiss, had studied in Dresden and later taught there. It is 612 metres long.

## The winter

In the winter of 1943 the bridge was closed because of damage to two pillars. It was opened again in May 1946. The repair cost 3 million marks.

## Today

Today 41,000 cars cross it every day. The city plans a new tram line over the bridge by 2031, and asks citizens for their opinion until 15 March.
`;

/** A pasted text, summarised by the model the first time, with a place of it shown. */
async function summarise(window: Page): Promise<void> {
  await window.getByRole('navigation').getByRole('button', { name: 'Documents' }).click();
  const known = window.getByTestId('document-item').first();
  if ((await known.count()) === 0) {
    await window.getByRole('button', { name: 'More ways to add' }).click();
    await window.getByRole('menuitem', { name: 'Paste text' }).click();
    await window.getByRole('textbox', { name: 'Text' }).fill(REPORT);
    await window.getByRole('button', { name: 'Add this text' }).click();
    await window.getByTestId('summary-start').click();
  } else await known.getByRole('button').click();
  await expect(window.getByTestId('summary')).toHaveAttribute('data-state', /complete|failed/, { timeout: 120_000 });
  const citation = window.getByTestId('citation').first();
  if ((await citation.count()) > 0) await citation.click();
}

/** Scrolls a section to the top of its page; what around the page scrolls with it goes back. */
function toTop(section: Locator): Promise<void> {
  return section.evaluate((element) => {
    element.scrollIntoView();
    for (let around = element.parentElement; around !== null; around = around.parentElement) {
      if (getComputedStyle(around).overflowY !== 'auto') around.scrollTop = 0;
    }
  });
}

/** The simulated devices below the last answer's trace. */
async function whatIf(window: Page): Promise<void> {
  await window.getByRole('navigation').getByRole('button', { name: 'Pipeline' }).click();
  const section = window.getByTestId('what-if');
  await expect(section.getByTestId('gantt')).toBeVisible();
  await toTop(section);
}

/** A long prompt run again with the planner and without, the first time; its trace is what the pipeline shows from then on. */
async function replay(window: Page): Promise<void> {
  const pipeline = window.getByRole('navigation').getByRole('button', { name: 'Pipeline' });
  await pipeline.click();
  const totals = window.getByTestId('replay-totals');
  if ((await totals.count()) === 0) {
    await window.locator('.rail').getByRole('button').first().click();
    await window.getByTestId('new-chat').click();
    await send(window, `When was the bridge finished, and who built it?\n\n${REPORT.repeat(6)}`);
    await ended(window, 'complete', 300_000);
    await pipeline.click();
    await window.getByTestId('replay-run').click();
    await expect(totals).toBeVisible({ timeout: 300_000 });
  }
  await toTop(window.getByTestId('replay'));
}

/** The report's text in three ways, made the first time and kept. */
async function compare(window: Page): Promise<void> {
  await window.locator('.rail').getByRole('button', { name: 'Compare' }).click();
  const made = window.getByTestId('comparison');
  if ((await window.getByLabel('Kept comparisons').count()) === 0) {
    await window
      .getByTestId('compare-text')
      .fill(`When was the bridge finished, and who built it?\n\n${REPORT.repeat(8)}`);
    await window.getByTestId('compare-run').click();
  }
  await expect(made).toHaveAttribute('data-state', 'complete', { timeout: 300_000 });
}

export const SCREENS: readonly Screen[] = [
  { name: 'chat', show: openChat },
  { name: 'chat-empty', show: (window) => window.getByTestId('new-chat').click() },
  { name: 'chat-narrow', size: { width: 480, height: 800 }, show: openChat },
  { name: 'documents-summary', show: summarise },
  { name: 'pipeline-what-if', show: whatIf },
  { name: 'compare-answers', show: compare },
  { name: 'chat-zh', language: 'zh-CN', show: openChat },
  { name: 'chat-empty-zh', language: 'zh-CN', show: (window) => window.getByTestId('new-chat').click() },
  { name: 'pipeline-replay', show: replay },
];
