// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { AppError } from '../../../contract/errors.ts';
import { phrase } from '../../../contract/phrase.ts';
import { setLanguage } from '../strings.ts';
import { ErrorText } from './error-text.tsx';

afterEach(() => {
  cleanup();
  setLanguage('en');
});

const FULL = new AppError('disk-full', phrase`The import needs ${900} MB in ${'D:\\模型'}, ${12} MB are free.`, {
  action: phrase`Free ${888} MB and import again.`,
}).toInfo();

function shown(error: typeof FULL): string[] {
  render(<ErrorText error={error} />);
  return [...document.querySelectorAll('.error-text p')].map(({ textContent }) => textContent ?? '');
}

it('says what main said', () => {
  expect(shown(FULL)).toEqual([
    'The import needs 900 MB in D:\\模型, 12 MB are free.',
    'Free 888 MB and import again.',
  ]);
});

it('says it in the language of the window, with the same values', () => {
  setLanguage('zh-CN');
  expect(shown(FULL)).toEqual([
    '导入需要在 D:\\模型 中占用 900 MB，目前可用 12 MB。',
    '请腾出 888 MB 空间，然后重新导入。',
  ]);
});

it('keeps English words that nobody has translated, beneath what kind of fault it is', () => {
  setLanguage('zh-CN');
  const texts = shown({ kind: 'device-unusable', message: 'ERR 0x80004005.' });
  expect(texts[0]).toBe('有设备无法使用或出错。');
  expect(screen.getByText(/ERR 0x80004005/).lang).toBe('en');
});
