import { describe, expect, it } from 'vitest';
import { PlaceFinder } from './place-finder.ts';
import { pointsOf } from './points.ts';
import { termsOf } from './terms.ts';

const passages = [
  'The bridge over the river Elbe was finished in 1928 after nine years of work.',
  'Its engineer, Clara Weiss, had studied in Dresden and later taught there.',
  'In the winter of 1943 the bridge was closed because of damage to two pillars.',
  '量子计算机利用量子比特进行运算，速度远超传统计算机。',
  '北京的冬天很冷，平均气温低于零度。',
  'The bridge was painted green. The bridge is a bridge of steel.',
].map((text, index) => ({ page: index + 1, start: 0, end: text.length, text }));
const finder = new PlaceFinder(passages);
const page = (text: string) => finder.find(text)[0]?.passage.page;

describe('places', () => {
  it.each([
    ['Clara Weiss was the engineer of the bridge.', 2],
    ['Two pillars were damaged in 1943.', 3],
    ['It took nine years, until 1928.', 1],
    ['The bridge is green.', 6],
    ['量子比特让量子计算机更快。', 4],
    ['北京冬天的气温在零度以下。', 5],
  ])('of "%s" are found', (text, expected) => {
    expect(page(text)).toBe(expected);
  });

  it('are none of what the document does not say', () => {
    expect(finder.find('Penguins live in Antarctica and eat krill.')).toEqual([]);
    expect(finder.find('')).toEqual([]);
    expect(new PlaceFinder([]).find('anything')).toEqual([]);
  });

  it('are two where both fit', () => {
    const twins = new PlaceFinder(
      ['Revenue grew by 12 %.', 'Revenue grew by 12 % again.', 'Costs fell.'].map((text, index) => ({
        page: index,
        start: 0,
        end: text.length,
        text,
      })),
    );
    expect(twins.find('Revenue grew by 12 %.').map(({ passage }) => passage.page)).toEqual([0, 1]);
  });
});

describe('terms', () => {
  it('are words, and pairs of characters', () => {
    expect(termsOf("The Bridges’ engineer's work: 12 %")).toEqual(['the', 'bridge', 'engineer', 'work', '12']);
    expect(termsOf('量子计算 fast')).toEqual(['量子', '子计', '计算', 'fast']);
    expect(termsOf('Ｆｕｌｌ width')).toEqual(['full', 'width']);
  });
});

describe('points', () => {
  it('are list items or sentences, without headings', () => {
    expect(pointsOf('# Title\n\n- First point here\n2. Second point here\n')).toEqual([
      'First point here',
      'Second point here',
    ]);
    expect(pointsOf('Dr. No came in. He sat down quietly. OK.')).toEqual([
      'Dr. No came in.',
      'He sat down quietly. OK.',
    ]);
    expect(pointsOf('这座桥建于一九二八年。工程师来自德累斯顿！')).toEqual([
      '这座桥建于一九二八年。',
      '工程师来自德累斯顿！',
    ]);
  });
});
