import { describe, expect, it } from 'vitest';
import { TextStream } from './text-stream.ts';

/** Runs pieces (texts or raw bytes, one per token) and gives the deltas, the rest at the end, and where it stopped. */
function run(pieces: (string | number[])[], stop: string[] = []) {
  const bytes = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : Uint8Array.from(piece)));
  const stream = new TextStream({ bytes: (id) => bytes[id] ?? new Uint8Array(0) }, stop);
  const deltas: string[] = [];
  let stoppedAt: number | null = null;
  for (let id = 0; id < pieces.length; id++) {
    const step = stream.push(id);
    deltas.push(step.text);
    if (step.stopped) {
      stoppedAt = id;
      break;
    }
  }
  const rest = stream.flush();
  return { deltas, rest, stoppedAt, text: deltas.join('') + rest };
}

describe('characters (HAND-19)', () => {
  it('waits for all bytes of a character', () => {
    const { deltas, rest } = run(['a', [0xf0], [0x9f], [0x98], [0x80], 'b']);
    expect(deltas).toEqual(['a', '', '', '', '😀', 'b']);
    expect(rest).toBe('');
  });

  it('gives the same text however the bytes are cut', () => {
    const text = 'Zoë 👩‍👩‍👧 中文 \ufeff ½';
    const all = [...Buffer.from(text)];
    for (const size of [1, 2, 3, 5, 7]) {
      const pieces: number[][] = [];
      for (let at = 0; at < all.length; at += size) pieces.push(all.slice(at, at + size));
      const result = run(pieces);
      expect(result.text).toBe(text);
      for (const delta of result.deltas) expect(delta).not.toContain('\ufffd');
    }
  });

  it('gives out a byte that can become no character at once, and goes on', () => {
    expect(run([[0xff], 'a']).deltas).toEqual(['\ufffd', 'a']);
    expect(run([[0x80], 'a']).deltas).toEqual(['\ufffd', 'a']);
    // A lead byte waits for its next byte only as long as that may fit.
    expect(run([[0xe4], 'a', 'b']).deltas).toEqual(['', '\ufffda', 'b']);
    expect(run([[0xf0, 0x9f], [0x41]]).deltas).toEqual(['', '\ufffdA']);
  });

  it('does not hold a character that was cut short for ever', () => {
    expect(run(['a', [0xf0, 0x9f]])).toMatchObject({ deltas: ['a', ''], rest: '\ufffd' });
  });
});

describe('stop texts (HAND-20)', () => {
  it('sends nothing of a stop text that comes in pieces', () => {
    expect(run(['Hi', '\nUs', 'er', ':', ' more'], ['\nUser:'])).toEqual({
      deltas: ['Hi', '', '', ''],
      rest: '',
      stoppedAt: 3,
      text: 'Hi',
    });
  });

  it('gives out a near miss complete, once', () => {
    const result = run(['Hi', '\nUs', 'ually', ' so'], ['\nUser:']);
    expect(result.deltas).toEqual(['Hi', '', '\nUsually', ' so']);
    expect(result.stoppedAt).toBeNull();
  });

  it('gives out at the end what was held back in vain', () => {
    expect(run(['Hi', '\nUs'], ['\nUser:'])).toMatchObject({ rest: '\nUs', text: 'Hi\nUs', stoppedAt: null });
  });

  it('cuts text before a stop inside one token, and what follows it', () => {
    expect(run(['before STOP after'], ['STOP'])).toMatchObject({ text: 'before ', stoppedAt: 0 });
  });

  it('finds a stop that begins inside a failed one', () => {
    expect(run(['aa', 'ab', 'c'], ['aab'])).toMatchObject({ text: 'a', stoppedAt: 1 });
    expect(run(['abab', 'ac'], ['abac'])).toMatchObject({ text: 'ab', stoppedAt: 1 });
  });

  it('cuts the same however the text is split, also with several stops', () => {
    const stops = ['abcX', 'bc', '🙂!'];
    for (const [text, expected] of [
      ['..abcX', '..a'],
      ['..abX', '..abX'],
      ['hm 🙂!', 'hm '],
      ['hm 🙂?', 'hm 🙂?'],
    ] as const) {
      const whole = run([text], stops).text;
      const byBytes = run(
        [...Buffer.from(text)].map((byte) => [byte]),
        stops,
      ).text;
      expect([whole, byBytes]).toEqual([expected, expected]);
    }
  });

  it('gives nothing after the end', () => {
    const bytes = Buffer.from('x');
    const stream = new TextStream({ bytes: () => bytes }, ['x']);
    expect(stream.push(0)).toEqual({ text: '', stopped: true });
    expect(stream.push(0)).toEqual({ text: '', stopped: true });
    expect(stream.flush()).toBe('');
  });
});
