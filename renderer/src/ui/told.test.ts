import { afterEach, expect, it } from 'vitest';
import { phrase } from '../../../contract/phrase.ts';
import { setLanguage } from '../strings.ts';
import { told } from './told.ts';

afterEach(() => setLanguage('en'));

const driver = phrase`Install the newest ${'NPU'} driver from the maker of the machine.`;

it('is the text as it was sent in English', () => {
  expect(told('as sent', driver)).toBe('as sent');
});

it('is said in Chinese with its values, parts of it too', () => {
  setLanguage('zh-CN');
  expect(told('as sent', phrase`${driver} Then run the self-test again.`)).toBe(
    '请安装电脑制造商提供的最新 NPU 驱动程序。然后重新运行自检。',
  );
});

it('stays as it was sent where it is nobody’s phrase, such as the name of a chip', () => {
  setLanguage('zh-CN');
  expect(told('Hexagon 73', undefined)).toBe('Hexagon 73');
});
