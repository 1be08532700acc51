import { describe, expect, it } from 'vitest';
import { AppError } from './errors.ts';
import { english, phrase, said, translated } from './phrase.ts';

const words = {
  'The import needs {0} MB in {1}.': '在 {1} 中需要 {0} MB。',
  '{0}: {1}.': '{0}：{1}。',
  'the file is empty': '文件是空的',
};

describe('phrase', () => {
  it('is said in English and in another order', () => {
    const needs = phrase`The import needs ${12} MB in ${'/home/{0}/模型'}.`;
    expect(english(needs)).toBe('The import needs 12 MB in /home/{0}/模型.');
    expect(translated(needs, words)).toBe('在 /home/{0}/模型 中需要 12 MB。');
  });

  it('translates what it holds, and nothing where a part has no words', () => {
    expect(translated(phrase`${'a.gguf'}: ${said('the file is empty')}.`, words)).toBe('a.gguf：文件是空的。');
    expect(translated(phrase`${'a.gguf'}: ${said('the file is odd')}.`, words)).toBeUndefined();
    expect(translated(said('Nobody knows.'), words)).toBeUndefined();
  });
});

describe('AppError', () => {
  it('keeps its phrases over a process', () => {
    const error = new AppError('disk-full', phrase`The import needs ${12} MB in ${'/data'}.`, { action: 'Make room.' });
    expect(error.message).toBe('The import needs 12 MB in /data.');
    const info = JSON.parse(JSON.stringify(error.toInfo()));
    const back = AppError.fromInfo(info);
    expect(back.message).toBe(error.message);
    expect(back.action).toBe('Make room.');
    expect(back.phrases).toEqual(error.phrases);
    expect(back.toInfo()).toEqual(error.toInfo());
  });

  it('sends no phrases where the text is all there is', () => {
    expect(new AppError('internal', 'A bug.', { action: 'Report it.' }).toInfo()).toEqual({
      kind: 'internal',
      message: 'A bug.',
      action: 'Report it.',
    });
  });
});
