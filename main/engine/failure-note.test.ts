import { expect, test } from 'vitest';
import { AppError } from '../../contract/errors.ts';
import { phrase } from '../../contract/phrase.ts';
import { FAILURE_NOTE_BYTES, FailureNote } from './failure-note.ts';

/** The note of one thread, and the same of another. */
function notes(): [FailureNote, FailureNote] {
  const buffer = new SharedArrayBuffer(8 + FAILURE_NOTE_BYTES);
  return [new FailureNote(buffer, 8), new FailureNote(buffer, 8)];
}

test.each([
  ['a phrase', phrase`It did not answer for ${3} seconds.`, phrase`It did not answer for ${3} seconds.`],
  ['an error of ours', new AppError('internal', phrase`${2} of them`), phrase`${2} of them`],
  ["a driver's words", new Error('QNN: 0x80 错误'), 'QNN: 0x80 错误'],
  ['nothing at all', undefined, 'undefined'],
  ['an empty text', new Error(''), ''],
])('%s reaches the other thread', (_, error, reason) => {
  const [here, there] = notes();
  expect([there.written, there.read()]).toEqual([false, undefined]);
  here.write(error);
  expect([there.written, there.read()]).toEqual([true, reason]);
});

test('the first reason stays, until it is cleared', () => {
  const [here, there] = notes();
  here.write('first');
  there.write('second');
  expect(here.read()).toBe('first');
  there.clear();
  expect([here.written, here.read()]).toEqual([false, undefined]);
});

test.each([
  ['letters', 'a'.repeat(5000)],
  ['characters of three bytes', '错'.repeat(5000)],
  ['characters that JSON writes with six', '\u0001'.repeat(5000)],
])('of a text that is too long its beginning is kept: %s', (_, text) => {
  const [here, there] = notes();
  here.write(new Error(text));
  const kept = String(there.read());
  expect(kept).toMatch(/…$/);
  expect(kept.length).toBeGreaterThan(100);
  expect(text.startsWith(kept.slice(0, -1))).toBe(true);
});
