import { describe, expect, it } from 'vitest';
import type { Piece } from './code-lines.ts';
import { colouredLines } from './highlight.ts';

const text = (lines: Piece[][]) => lines.map((line) => line.map((piece) => piece.text).join(''));

describe('colouredLines', () => {
  const code = 'def f(x):\n    """Two\n    lines"""\n\n    return "a" + f"{x}" # end';

  it('keeps every character', () => {
    expect(text(colouredLines(code, 'python')).join('\n')).toBe(code);
    expect(text(colouredLines(code, 'no such language')).join('\n')).toBe(code);
    expect(text(colouredLines('', 'python'))).toEqual(['']);
  });

  it('colours what goes on over lines on each of them', () => {
    const lines = colouredLines(code, 'python');
    expect(lines[1]?.at(-1)).toEqual({ text: '"""Two', className: 'hljs-string' });
    expect(lines[2]?.at(-1)).toEqual({ text: '    lines"""', className: 'hljs-string' });
    expect(lines[4]?.at(-1)).toEqual({ text: '# end', className: 'hljs-comment' });
  });

  it('knows languages by their short names', () => {
    expect(colouredLines('let a', 'js')[0]?.[0]).toEqual({ text: 'let', className: 'hljs-keyword' });
  });
});
