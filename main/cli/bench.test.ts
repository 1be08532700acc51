import { describe, expect, it } from 'vitest';
import { bench } from './bench.ts';
import { Interrupt } from './interrupt.ts';
import { parseCommandLine } from './parse.ts';

const valuesOf = (...words: string[]) => {
  const request = parseCommandLine(['bench', ...words]);
  return request.kind === 'command' ? request.values : {};
};
const refusal = (message: string) => expect.objectContaining({ kind: 'usage', message });

describe('bench on the command line', () => {
  it('takes lengths as a list, and modes several times', () => {
    expect(valuesOf('prefill', '--tokens', '1024,2048', '--mode', 'full', '--mode', 'block', '--llama')).toEqual({
      tokens: [1024, 2048],
      mode: ['full', 'block'],
      llama: true,
    });
    expect(valuesOf('attention', '--n=1024', '--rounds', '3')).toEqual({ n: [1024], rounds: 3 });
  });

  it('refuses lengths that are none', () => {
    for (const given of ['', '1024,', '1024,x', '64', '1024.5']) {
      expect(() => valuesOf('prefill', `--tokens=${given}`)).toThrow(expect.objectContaining({ kind: 'usage' }));
    }
    expect(() => valuesOf('decode', '--rounds', '0')).toThrow(expect.objectContaining({ kind: 'usage' }));
  });

  it('refuses what a bench cannot use, before a model is loaded', () => {
    const interrupt = new Interrupt();
    expect(() => bench(['speed'], {}, interrupt)).toThrow(refusal('"bench speed" is not a command.'));
    expect(() => bench(['attention'], { n: [1000] }, interrupt)).toThrow(refusal('--n 1000 is not allowed.'));
    expect(() => bench(['decode'], { mode: ['full'] }, interrupt)).toThrow(
      refusal('--mode means nothing to "bench decode".'),
    );
  });
});
