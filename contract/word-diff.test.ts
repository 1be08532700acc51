import { describe, expect, it } from 'vitest';
import { wordDiff } from './word-diff.ts';

const marked = (reference: string, text: string) =>
  wordDiff(reference, text)
    .map(({ text: piece, differs }) => (differs ? `[${piece}]` : piece))
    .join('');

describe('words that differ', () => {
  it('are marked, and no others', () => {
    expect(marked('The sky is blue today.', 'The sky is blue today.')).toBe('The sky is blue today.');
    expect(marked('The sky is blue today.', 'The wide sky is grey today.')).toBe('The [wide ]sky is [grey ]today.');
    expect(marked('one two three', 'three')).toBe('three');
    expect(marked('', 'all new')).toBe('[all new]');
    expect(marked('all gone', '')).toBe('');
  });

  it('are found by the characters of Chinese', () => {
    expect(marked('天空是蓝色的', '天空是灰色的')).toBe('天空是[灰]色的');
  });

  it('do not hang on spaces, and the pieces are the text', () => {
    expect(marked('a b\nc', 'a  b c')).toBe('a  b c');
    const text = 'Ragged  text,\n\nwith 空白 and  more. ';
    expect(
      wordDiff('with more', text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });
});
