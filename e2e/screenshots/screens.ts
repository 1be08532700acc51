/**
 * The pictures beside those of the rail's screens, which are taken by themselves. To add one: a name and the steps that
 * lead to it from an open app whose chats are those of `seed`.
 */
import type { Page } from '@playwright/test';
import { ended, send } from '../app.ts';

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

export const SCREENS: readonly Screen[] = [
  { name: 'chat', show: openChat },
  { name: 'chat-empty', show: (window) => window.getByTestId('new-chat').click() },
  { name: 'chat-narrow', size: { width: 480, height: 800 }, show: openChat },
  { name: 'chat-zh', language: 'zh-CN', show: openChat },
  { name: 'chat-empty-zh', language: 'zh-CN', show: (window) => window.getByTestId('new-chat').click() },
];
