import { describe, expect, it } from 'vitest';
import type { AppError } from '../../contract/errors.ts';
import { COMMANDS } from './commands.ts';
import { exitCodeFor } from './exit.ts';
import { commandHelp, generalHelp } from './help.ts';
import { parseCommandLine } from './parse.ts';

function mistake(...words: string[]): AppError {
  try {
    parseCommandLine(words);
  } catch (error) {
    return error as AppError;
  }
  throw new Error(`${words.join(' ')} was accepted`);
}

describe('command line', () => {
  it('reads typed values', () => {
    expect(
      parseCommandLine([
        ...'ask hello --model a.gguf --weights exact --attention full --ratio 0.5 --max-tokens 7'.split(' '),
        ...['--temperature', '0', '--seed=-3'],
      ]),
    ).toEqual({
      kind: 'command',
      command: 'ask',
      args: ['hello'],
      values: {
        model: 'a.gguf',
        weights: 'exact',
        attention: 'full',
        ratio: 0.5,
        'max-tokens': 7,
        temperature: 0,
        seed: -3,
      },
    });
  });

  it('collects --stop and takes the last of the others', () => {
    const request = parseCommandLine(['ask', 'x', '--stop', 'a', '--stop=b', '--ctx', '10', '--ctx', '20', '--raw']);
    expect(request).toMatchObject({ values: { stop: ['a', 'b'], ctx: 20, raw: true } });
  });

  it('takes words after -- as they are', () => {
    expect(parseCommandLine(['ask', '--json', '--', '--what?'])).toMatchObject({
      args: ['--what?'],
      values: { json: true },
    });
  });

  it('reads ids', () => {
    expect(parseCommandLine(['logits', '--ids', '1, 2,30'])).toMatchObject({ values: { ids: [1, 2, 30] } });
  });

  it.each([
    ['no command', [], 'ask, chat'],
    ['an unknown command', ['aks'], 'ask, chat'],
    ['an unknown option', ['ask', 'x', '--wat'], '--temperature'],
    ['a short option', ['ask', 'x', '-q'], '--temperature'],
    ['an option of another command', ['devices', '--model', 'x'], '--json'],
    ['a missing value', ['ask', 'x', '--seed'], '--seed=VALUE'],
    ['an option for a value', ['ask', 'x', '--seed', '--json'], '--seed=VALUE'],
    ['a value for a flag', ['ask', 'x', '--json=1'], ''],
    ['too many words', ['ask', 'x', 'y'], 'quotes'],
    ['a word for no argument', ['devices', 'all'], 'devices'],
    ['a number that is none', ['ask', 'x', '--temperature', 'warm'], 'from 0 to 10'],
    ['an empty number', ['ask', 'x', '--temperature', ''], 'from 0 to 10'],
    ['a number out of range', ['ask', 'x', '--ratio', '0'], 'above 0 and at most 1'],
    ['infinity', ['ask', 'x', '--temperature', 'Infinity'], 'from 0 to 10'],
    ['half a token', ['ask', 'x', '--max-tokens', '1.5'], 'whole number from 1'],
    ['no token', ['ask', 'x', '--max-tokens', '0'], 'whole number from 1'],
    ['a seed that is not exact', ['ask', 'x', '--seed', '9007199254740993'], 'whole number'],
    ['another flavour', ['ask', 'x', '--weights', 'fp32'], 'exact or fast'],
    ['another attention', ['ask', 'x', '--attention', 'linear'], 'full or sparse or block or npu-full or shadow'],
    ['a pilot without a device', ['ask', 'x', '--pilot', 'ort:'], 'native, simulated, or ort:'],
    ['no key', ['ask', 'x', '--min-keys', '0'], 'whole number from 1'],
    ['ids that are none', ['logits', '--ids', '1,two'], '1,2,3'],
    ['a negative id', ['logits', '--ids=-1'], '1,2,3'],
  ])('refuses %s and says what is allowed', (_, words, allowed) => {
    const error = mistake(...words);
    expect(error).toMatchObject({ kind: 'usage' });
    expect(exitCodeFor(error.kind)).toBe(2);
    expect(`${error.message} ${error.action ?? ''}`).toContain(allowed);
  });
});

describe('help', () => {
  it('names every command and all of its options', () => {
    for (const [name, spec] of Object.entries(COMMANDS)) {
      expect(generalHelp()).toContain(`  ${name}`);
      const request = parseCommandLine([name, '--help']);
      if (request.kind !== 'help' || request.command === undefined) throw new Error('no help');
      for (const option of spec.options) expect(commandHelp(request.command)).toContain(`--${option}`);
    }
    expect(parseCommandLine(['--help'])).toEqual({ kind: 'help', command: undefined });
    expect(parseCommandLine(['help', 'ask'])).toEqual({ kind: 'help', command: 'ask' });
  });
});
