/** An answer's markdown as it is drawn: formulas, code, tables, and nothing that runs or asks the network. */
import type { Locator } from '@playwright/test';
import { expect, lastAnswer, startApp, test } from './app.ts';
import { addChat, seed } from './seed.ts';

const CODE = 'const half = (x: number) => x / 2; // \u{1F600} 一半\n\treturn half(3);\n';
const REPLY = `Half of it is \\(\\frac{a}{2}\\), and in full:

$$\\int_0^1 x\\,dx = \\frac{1}{2}$$

Five dollars are $5, ten are $10.

\`\`\`ts
${CODE}\`\`\`

| Name | Value |
| --- | ---: |
| half | 0.5 |

[More](https://example.org/more) ![a picture](https://example.org/picture.png)

<img src=x onerror="document.title='run'"><script>document.title='run'</script>
`;

const box = async (element: Locator) => (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
const colour = (element: Locator) => element.evaluate((node) => getComputedStyle(node).color);

test('formulas are typeset, code is coloured and copied, and nothing of an answer runs or is fetched', async ({
  profile,
}) => {
  seed(profile, (storage) => addChat(storage, 'Half', [['What is half?', REPLY]], Date.now()));
  const { electron, window } = await startApp(profile);
  const complaints: string[] = [];
  window.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const asked: string[] = [];
  window.on('request', (request) => asked.push(request.url()));
  await window.getByTestId('chat-list-item').getByRole('button').first().click();
  const answer = lastAnswer(window);

  const fractions = answer.locator('.katex-html .mfrac');
  await expect(fractions).toHaveCount(2);
  const [above, below] = await Promise.all([
    box(fractions.first().getByText('a', { exact: true })),
    box(fractions.first().getByText('2', { exact: true })),
  ]);
  expect(above.y + above.height / 2).toBeLessThan(below.y);
  // Its own fonts are there, or signs would be of other sizes than they are laid out for.
  const fonts = () => window.evaluate(() => [...document.fonts].filter(({ status }) => status === 'loaded').length);
  await expect.poll(fonts).toBeGreaterThan(0);
  // Readers of the screen get it as MathML, and money is no formula.
  await expect(answer.locator('math')).toHaveCount(2);
  await expect(answer.getByText('Five dollars are $5, ten are $10.')).toBeVisible();

  const code = answer.locator('figure.code');
  const keyword = code.locator('code span span').filter({ hasText: /^const$/ });
  expect(await colour(keyword)).not.toBe(await colour(code.locator('code')));
  await code.hover();
  await code.getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => electron.evaluate(({ clipboard }) => clipboard.readText())).toBe(CODE.trimEnd());

  const value = answer.getByRole('cell', { name: '0.5' });
  expect(await value.evaluate((node) => getComputedStyle(node).textAlign)).toMatch(/right|end/);

  await electron.evaluate(({ shell }) => {
    shell.openExternal = async (url) => {
      (globalThis as { opened?: string }).opened = url;
    };
  });
  await answer.getByRole('link', { name: 'More' }).click();
  await expect
    .poll(() => electron.evaluate(() => (globalThis as { opened?: string }).opened))
    .toBe('https://example.org/more');

  expect(await answer.locator('img, script').count()).toBe(0);
  expect(await window.title()).not.toBe('run');
  expect(asked.filter((url) => !/^(app|data|blob|devtools|file):/.test(url))).toEqual([]);
  expect(complaints).toEqual([]);
  await electron.close();
});
