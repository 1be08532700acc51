import { describe, expect, it } from 'vitest';
import { cutText } from './cut.ts';

/** Words and single Chinese characters. */
const count = async (text: string) => text.match(/\p{Script=Han}|[^\s\p{Script=Han}]+/gu)?.length ?? 0;

describe('a text', () => {
  it('that fits stays as it is', async () => {
    expect(await cutText('one two three', 3, count)).toEqual({ text: 'one two three', used: 3, of: 3 });
  });

  it('that does not is cut between words, close to what fits', async () => {
    // Dense at its end only.
    const whole = `${'longwords '.repeat(300)}${'x '.repeat(2000)}`;
    const { text, used, of } = await cutText(whole, 250, count);
    expect(of).toBe(2300);
    expect(used).toBeLessThanOrEqual(250);
    expect(used).toBeGreaterThan(30);
    expect(whole.startsWith(text)).toBe(true);
    expect(text).toMatch(/longwords$/);
  });

  it('without spaces is cut anywhere but within a character', async () => {
    const { used } = await cutText('汉字'.repeat(500), 300, count);
    expect(used).toBeGreaterThan(280);
    expect(used).toBeLessThanOrEqual(300);
    const emoji = await cutText('😀'.repeat(100), 31, async (part) => part.length);
    expect(emoji.text).toBe('😀'.repeat(emoji.text.length / 2));
  });
});
