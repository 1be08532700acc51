import { describe, expect, test } from 'vitest';
import { ruleFor, usedAttention } from '../attention/rules.ts';
import { ALL, parseConfiguration, shipped } from './configurations.ts';

describe('parseConfiguration', () => {
  test.each<[string, object]>([
    ['a:', { mode: 'shadow', ratio: 0.07 }],
    ['b:mode=block', { mode: 'block', ratio: 0.2 }],
    ['c:ratio=0.05,tail=false,minKeys=1', { mode: 'shadow', ratio: 0.05, tail: false, minKeys: 1 }],
    [
      'd: scale=buckets , ratios=lost-mass,sharing=true,',
      { mode: 'shadow', ratio: 0.07, scale: 'buckets', ratios: 'lost-mass', sharing: true },
    ],
    ['e+1:pilot=ort:cpu,fuse=false', { mode: 'shadow', ratio: 0.07, pilot: 'ort:cpu', fuse: false }],
    ['f:mode=full,ratio=1', { mode: 'full', ratio: 1 }],
  ])('%s', (text, options) => {
    expect(parseConfiguration(text)).toEqual({ name: text.slice(0, text.indexOf(':')), options });
  });

  test.each<[string, RegExp]>([
    ['ratio=0.1', /begin with a name/],
    [':ratio=0.1', /begin with a name/],
    ['a b:ratio=0.1', /begin with a name/],
    ['a:ratio', /"ratio" has no "="/],
    ['a:share=true', /no "share"/],
    ['a:toString=1', /no "toString"/],
    ['a:mode=dense', /mode is one of full/],
    ['a:ratio=0', /ratio: /],
    ['a:ratio=', /ratio: /],
    ['a:tail=1', /tail: /],
    ['a:minKeys=1.5', /minKeys: /],
    ['a:pilot=gpu', /pilot: /],
  ])('%s is refused', (text, why) => {
    expect(() => parseConfiguration(text)).toThrow(
      expect.objectContaining({ kind: 'usage', message: expect.stringMatching(why) }),
    );
  });
});

test('the shipped shadow leaves every option to the engine, the paper has its own', () => {
  const { options } = shipped('shadow');
  expect(Object.keys(options)).toEqual(['mode', 'ratio']);
  const paper = ALL.find(({ name }) => name === 'shadow-paper');
  expect(paper && usedAttention(paper.options)).toMatchObject({
    ratio: 0.2,
    scale: 'buckets',
    tail: false,
    minKeys: 1,
    exactSelection: true,
    sharing: false,
    ratios: 'uniform',
  });
  expect(ruleFor(options, 5).denseFrom).toBe(5);
  expect(ALL.map(({ name }) => name)).toEqual(['shadow', 'shadow-paper', 'sparse', 'block', 'npu-full']);
});
