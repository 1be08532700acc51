import { describe, expect, it } from 'vitest';
import { type Formula, formulaOf, markFormulas } from './formulas.ts';

/** The block with each formula as its form and TeX in angle brackets. */
function marked(block: string, growing = false): string {
  return markFormulas(block, growing).replace(/(`+)([\uFDD0-\uFDD2][\s\S]*?)\1(?!`)/g, (_, __, code: string) => {
    const { form, tex } = formulaOf(code) as Formula;
    return `<${form} ${tex}>`;
  });
}

describe('markFormulas', () => {
  const formulas: [string, string, string][] = [
    ['single dollars', 'so $a_1 * b_1$.', 'so <inline a_1 * b_1>.'],
    ['double dollars', 'so $$a_1$$ is', 'so <display a_1> is'],
    ['parentheses', 'with \\(x^2\\) and', 'with <inline x^2> and'],
    ['brackets', 'so\n\\[\n x^2 \n\\]\nis', 'so\n<display x^2>\nis'],
    ['lines, comments and blank lines', '$$\na % sum\n- b\n\n= c\n$$', '<display a - b = c>'],
    ['percent that is meant', '$5 \\% x$', '<inline 5 \\% x>'],
    [
      'a matrix',
      '$$\\begin{pmatrix}1 \\\\[2pt] 2\\end{pmatrix}$$',
      '<display \\begin{pmatrix}1 \\\\[2pt] 2\\end{pmatrix}>',
    ],
    ['a dollar within', '$a = \\$5$ x', '<inline a = \\$5> x'],
    ['Chinese around it', '其中$x$是', '其中<inline x>是'],
    ['a suffix', 'the $n$th and $k$-th', 'the <inline n>th and <inline k>-th'],
    ['a list item', '- a $$\n  x\n  $$', '- a <display x>'],
    ['a quote', '> $$\n> x\n> $$', '> <display x>'],
    ['a table cell', '| a | $|x| \\| y$ |', '| a | <inline \\vert x\\vert \\Vert y> |'],
    ['bars elsewhere', 'so $|x|$', 'so <inline |x|>'],
    ['a backtick', 'so \\(a`\\) b', 'so <inline a`> b'],
  ];
  for (const [name, block, shown] of formulas) it(`finds ${name}`, () => expect(marked(block)).toBe(shown));

  const texts: [string, string][] = [
    ['prices', 'It costs $5, not $10 or $15.'],
    ['a range of prices', '$5-$10 or $20k-$30k'],
    ['prices in parentheses', '($5,$6)'],
    ['prices in words', 'between $5 and 10$'],
    ['prices in bold', '**$5**/month or **$50**/year'],
    ['currencies', 'US$5 and 100$/month or 200$/year'],
    ['variables of a shell', 'echo $HOME and $PATH, $HOME/$PATH'],
    ['escaped dollars', 'a \\$5$ b'],
    ['inline code', 'use `$x$` and ``$`y$``'],
    ['a fence', '```sh\necho $a$ \\(b\\)\n```'],
    ['a fence in a list', '- do\n\n  ```sh\n  echo $a$\n  ```'],
    ['indented code', '    echo $a$\n'],
    ['an escape of markdown', '\\*not\\* $'],
    ['nothing between the marks', 'a $$ $$ b \\(\\)'],
    ['what was never closed', 'a \\[ b $$ c'],
    ['two paragraphs', 'a $b\n\nc$ d'],
  ];
  for (const [name, block] of texts) it(`leaves alone ${name}`, () => expect(marked(block)).toBe(block));

  it('goes on after a fence', () => {
    expect(marked('$a$\n```\n$b$\n```\n$c$')).toBe('<inline a>\n```\n$b$\n```\n<inline c>');
  });

  it('marks what is still being written', () => {
    expect(marked('so \\[ x^', true)).toBe('so <open x^>');
    expect(marked('so $$', true)).toBe('so $$');
    expect(marked('it costs $5', true)).toBe('it costs $5');
  });

  it('reads footnotes as numbers in brackets', () => {
    expect(markFormulas('as shown[^1] $x$\n', false)).toContain('as shown\\[1\\] `');
    expect(markFormulas('[^note]: A book', false)).toBe('\\[note\\]: A book');
  });

  it('is not fooled by its own marks in a text', () => {
    expect(formulaOf(markFormulas('`\uFDD0a` \\(b\\)', false).split('`')[1] ?? '')).toBeUndefined();
  });
});
