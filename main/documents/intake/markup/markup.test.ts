import { join } from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { docx, docxParts } from '../../testing/packages.ts';
import { readBytes, temporaryFolder, textOf, wordsOf } from '../../testing/read.ts';
import { hasTool, runTool } from '../../testing/tools.ts';

const folder = temporaryFolder();
const PAGE = `<!DOCTYPE html><html><head><title>Travel  &amp; food</title><style>p { color: red }</style>
<script>document.write("never")</script></head><body>
<h1>Travel &amp; food</h1><p>First   line<br>second <b>bold</b> line.</p>
<div>A<div>nested</div>block</div>
<h2>List</h2><ul><li>one</li><li><p>two</p></li></ul><ol start="3"><li>three</li><li>four</li></ol>
<table><tr><th>Name</th><th>Price</th></tr><tr><td>Soup</td><td>4&nbsp;€</td></tr></table>
<pre>  kept
    as it is</pre><p hidden>not seen</p><noscript>no script</noscript><p>Last &lt;tag&gt; &#x4f60;</p></body></html>`;

describe('web pages', () => {
  it('are read as a reader sees them', async () => {
    const document = await readBytes(folder, 'page.html', PAGE);
    expect(document).toMatchObject({
      format: 'html',
      unit: 'part',
      title: 'Travel & food',
      encoding: 'utf-8',
      problems: [],
    });
    expect(textOf(document)).toBe(
      'Travel & food\n\nFirst line\nsecond bold line.\n\nA\n\nnested\n\nblock\n\nList\n- one\n- two\n3. three\n4. four\n\n' +
        'Name | Price\nSoup | 4\u00a0€\n\n  kept\n    as it is\n\nLast <tag> 你',
    );
    expect(document.headings.map(({ level, title }) => [level, title])).toEqual([
      [1, 'Travel & food'],
      [2, 'List'],
    ]);
    for (const { title, page, offset } of document.headings) {
      expect(document.pages[page - 1]?.text.slice(offset).split('\n')[0]).toBe(title);
    }
  });

  it.skipIf(!hasTool('pandoc'))('have the words that pandoc finds', async () => {
    const document = await readBytes(
      folder,
      'compare.html',
      PAGE.replace('<p hidden>not seen</p><noscript>no script</noscript>', ''),
    );
    const text = runTool('pandoc', '--from=html', '--to=plain', '--wrap=none', join(folder, 'compare.html'));
    const plain = (given: string) =>
      wordsOf(given)
        .filter((word) => !/^\d\.$/.test(word))
        .sort();
    expect(plain(textOf(document))).toEqual(plain(text));
  });

  it.each([
    ['gb2312', '<meta charset="gb2312">', '你好，世界'],
    ['windows-1251', '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">', 'Привет'],
    ['iso-8859-1', "<META CHARSET='ISO-8859-1'>", 'Größe'],
  ])('in %s are read as they state', async (encoding, meta, text) => {
    const bytes = iconv.encode(`<html><head>${meta}</head><body><p>${text}</p></body></html>`, encoding);
    const document = await readBytes(folder, 'encoded.html', bytes);
    expect(textOf(document)).toBe(text);
    expect(document.problems).toEqual([]);
  });

  it('that state another encoding than they have are read rightly', async () => {
    expect(textOf(await readBytes(folder, 'wrong.html', '<html><meta charset="gbk"><p>Größe 你好</p>'))).toBe(
      'Größe 你好',
    );
  });

  it('need not be well-formed', async () => {
    const document = await readBytes(
      folder,
      'soup.html',
      '<html><p>one<p>two<li>three<b>four</p></i>five<table><td>a<td>b<tr><td>c</table',
    );
    expect(wordsOf(textOf(document))).toEqual(
      ['one', 'two', '-', 'threefour', 'five', 'a', 'b', 'c'].filter((word) => word !== '-'),
    );
  });
});

describe('hostile markup', () => {
  it('nested without end is read to a bounded depth, and that is said', async () => {
    const html = `<html><p>before</p>${'<div>'.repeat(200_000)}deep${'</div>'.repeat(200_000)}`;
    const document = await readBytes(folder, 'deep.html', html);
    expect(textOf(document)).toBe('before');
    expect(document.problems).toEqual([{ kind: 'cut', limit: 'depth' }]);
    const word = await readBytes(folder, 'deep.docx', await docx('<w:sdt>'.repeat(50_000)));
    expect(word.problems).toEqual([{ kind: 'cut', limit: 'depth' }]);
  });

  it('with entities of entities expands nothing', async () => {
    const entities = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');
    const bomb = `<?xml version="1.0"?><!DOCTYPE w:document [<!ENTITY l0 "lol">${entities}<!ENTITY f SYSTEM "file:///etc/passwd">]>`;
    const { 'word/document.xml': xml } = docxParts('<w:p><w:r><w:t>a &l9; &f; &amp; b</w:t></w:r></w:p>');
    const document = await readBytes(
      folder,
      'entities.docx',
      await docx('', { 'word/document.xml': xml.replace(/^<\?xml[^>]*>/, bomb) }),
    );
    expect(textOf(document)).toBe('a &l9; &f; & b');
    const html = await readBytes(folder, 'entities.html', `<html><!DOCTYPE x [${entities}]><p>a &l9; b</p>`);
    expect(textOf(html)).toContain('a &l9; b');
    expect(textOf(html).length).toBeLessThan(2000);
  });

  it.each([
    ['white space', `<html><p>a${' \n'.repeat(2_000_000)}b`],
    ['one tag with a million attributes', `<html><p ${'a '.repeat(1_000_000)}>text`],
    ['unclosed comments', `<html>${'<!--'.repeat(500_000)}`],
    ['unclosed tags', `<html>${'<a '.repeat(500_000)}`],
    ['characters by number', `<html><p>${'&#x41;'.repeat(500_000)}`],
    ['cells', `<html><table><tr>${'<td>'.repeat(2000)}x${'<td>'.repeat(200_000)}`],
  ])('of megabytes of %s takes time in proportion', async (_, html) => {
    await readBytes(folder, 'large.html', html);
  });

  it('a paragraph of megabytes becomes parts', async () => {
    const words = Array.from({ length: 400_000 }, (_, i) => `word${i}`).join(' ');
    const { pages } = await readBytes(folder, 'paragraph.html', `<html><p>${words}</p>`);
    expect(Math.max(...pages.map(({ text }) => text.length))).toBeLessThanOrEqual(8000);
    expect(wordsOf(pages.map(({ text }) => text).join('\n')).join(' ')).toBe(words);
  });
});
