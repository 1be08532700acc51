import type { Handlers } from './router.ts';

/** Writing only: what other programs put into the clipboard is none of the window's business. */
export function clipboardHandlers(writeText: (text: string) => void): Handlers<'clipboard.write'> {
  return { 'clipboard.write': ({ text }) => writeText(text) };
}
