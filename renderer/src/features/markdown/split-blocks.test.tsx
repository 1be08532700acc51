import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { describe, expect, it } from 'vitest';
import { blockMarkdown } from './block-markdown.ts';
import { endsInFence, splitBlocks, splitGrown } from './split-blocks.ts';

const made = new Map<string, string>();

/** Kept, since the same blocks come again with every character. */
function html(source: string, definitions = ''): string {
  const markdown = blockMarkdown(source, false, definitions);
  const known = made.get(markdown) ?? render(markdown);
  made.set(markdown, known);
  return known;
}

function sources(source: string): string[] {
  return splitBlocks(source).map((block) => block.source);
}

/** As the blocks of a whole text are drawn. */
function splitHtml(source: string): string {
  const blocks = splitBlocks(source);
  const definitions = blocks.flatMap((block) => block.definitions).join('\n');
  return blocks.map((block) => html(block.source, definitions)).join('');
}

function render(source: string): string {
  // Between blocks markdown puts line breaks, which mean nothing.
  return renderToStaticMarkup(<ReactMarkdown remarkPlugins={[remarkGfm]}>{source}</ReactMarkdown>).replaceAll(
    /\n+(?=<)|(?<=>)\n+/g,
    '',
  );
}

const samples: Record<string, string> = {
  paragraphs: 'One.\n\nTwo\nstill two.\n\n\nThree.',
  headings: '# A\ntext\n\n## B\n\nSetext\n===\n\nend',
  'loose list': 'Steps:\n\n1. one\n\n2. two\n\n   more of two\n\n3. three\n\nAfter.',
  'nested list': '- a\n  - b\n\n    c\n\n- d\n\n* e',
  'list, then other list': '- a\n\n1. b\n\ntext\n\n- c',
  fence: 'Before\n\n```python\na = 1\n\n\nb = 2\n```\n\nAfter',
  'fence with fence inside': '````md\n```js\n\nx\n```\n\n````\n\nend',
  'fence with indented marks inside': '```python\ndef f():\n    """\n    ```\n\n    text\n    """\n```\n\nend',
  'fence in list': '1. do\n\n   ```sh\n   ls\n\n   pwd\n   ```\n\n2. done',
  'fence never closed': 'text\n\n~~~\na\n\nb',
  'inline code that looks like a fence': '```not a fence```\n\nnext',
  table: 'Intro\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\nafter',
  quotes: '> a\n>\n> b\n\n> c\n\nd',
  'indented code': 'text\n\n    code\n\n    more\n\nend',
  rule: 'a\n\n---\n\nb\n\n* * *\n\nc',
  'link definition': 'See [x].\n\nmore\n\n[x]: https://example.com',
  footnote: 'A[^1].\n\n[^1]: Note.\n\nB',
  'raw html': '<pre>\na\n\nb\n</pre>\n\nend',
  'raw html in a fence': 'a\n\n```html\n<script>\n\nx\n</script>\n```\n\nb\n\nc',
  'a definition in a fence': 'a [x]\n\n```\n[x]: y\n```\n\nb',
  'a definition that is text': 'a\n[x]: y\n\nb [x]',
  'display formula': 'So\n\n$$\na\n\n- b\n$$\n\nwhich is\n\n\\[ x \\]\n\nend',
  'formula never closed': 'So $$\na\n\n# b\n\nc',
  prices: 'It costs $5.\n\nOr $10.\n\n$$ is a lot.\n\nend',
  'blank lines only': '\n\n\n',
  'chinese and emoji': '你好\n\n- 一\n- 二\n\n🙂 end',
};

describe('splitBlocks', () => {
  for (const [name, sample] of Object.entries(samples)) {
    it(`keeps the meaning at every length: ${name}`, () => {
      for (let end = 0; end <= sample.length; end += 1) {
        const source = sample.slice(0, end);
        expect(splitHtml(source), JSON.stringify(source)).toBe(html(source));
      }
    });
  }

  it('cuts what is separate', () => {
    expect(sources('a\n\nb\n\n```\nc\n\nd\n```\n\n- e\n\n- f\n\ng')).toEqual([
      'a\n',
      'b\n',
      '```\nc\n\nd\n```\n',
      '- e\n\n- f\n',
      'g',
    ]);
  });

  it('cuts around code that looks like links or HTML', () => {
    expect(sources('a\n\n```html\n<pre>\n\n[x]: y\n```\n\nb\n\n[l]: m\n\nc')).toHaveLength(5);
  });

  it('keeps a display formula whole', () => {
    expect(sources('a\n\n$$\nx\n\ny\n$$\n\nb')).toEqual(['a\n', '$$\nx\n\ny\n$$\n', 'b']);
  });

  it('leaves earlier blocks alone while text is added', () => {
    const source = samples['loose list'] ?? '';
    const before = sources(`${source}\n\nnext`);
    const after = sources(`${source}\n\nnext one\n\nand more`);
    expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
  });
});

describe('splitGrown', () => {
  const all = Object.values(samples).join('\n\n');

  it.each([1, 3, 17])('cuts as from the beginning, %i characters at a time', (step) => {
    let before = { text: '', blocks: splitBlocks('') };
    for (let end = 0; end <= all.length; end += step) {
      const text = all.slice(0, end);
      before = { text, blocks: splitGrown(text, before) };
      expect(before.blocks).toEqual(splitBlocks(text));
    }
  });

  it('keeps the blocks that did not change, and starts again for another text', () => {
    const blocks = splitBlocks('a\n\nb\n\nc');
    const grown = splitGrown('a\n\nb\n\nc d\n\ne', { text: 'a\n\nb\n\nc', blocks });
    expect(grown[0]).toBe(blocks[0]);
    expect(splitGrown('x', { text: 'a\n\nb\n\nc', blocks })).toEqual(splitBlocks('x'));
  });
});

describe('endsInFence', () => {
  it('tells an open fence from a closed one', () => {
    expect(endsInFence('```js\na')).toBe(true);
    expect(endsInFence('```js\na\n```')).toBe(false);
    expect(endsInFence('````\na\n```')).toBe(true);
    expect(endsInFence('~~~\na\n```')).toBe(true);
    expect(endsInFence('1. x\n\n   ```\n   a')).toBe(true);
    expect(endsInFence('text')).toBe(false);
  });
});
