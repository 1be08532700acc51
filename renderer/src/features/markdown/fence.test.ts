import { expect, it } from 'vitest';
import { fencedCode } from './fence.ts';

it('reads a block that is one fence', () => {
  expect(fencedCode('```js\na\n\nb\n```\n')).toEqual({ code: 'a\n\nb', language: 'js' });
  expect(fencedCode('~~~\na\n~~~')).toEqual({ code: 'a', language: undefined });
  expect(fencedCode('````md title=x\n```\na\n```\n````')).toEqual({ code: '```\na\n```', language: 'md' });
  expect(fencedCode('```Python\n```')).toEqual({ code: '', language: 'python' });
});

it('reads a fence that is still open', () => {
  expect(fencedCode('```js')).toEqual({ code: '', language: 'js' });
  expect(fencedCode('```js\na\n')).toEqual({ code: 'a\n', language: 'js' });
});

it('takes the indentation of the fence off the code', () => {
  expect(fencedCode('  ```\n  a\n    b\n c\n  ```')).toEqual({ code: 'a\n  b\nc', language: undefined });
});

it('leaves other blocks to markdown', () => {
  for (const block of ['text', '```a``` b', '```\na\n```\ntext', 'text\n```\na\n```', '- ```\n  a\n  ```']) {
    expect(fencedCode(block), block).toBeUndefined();
  }
});
