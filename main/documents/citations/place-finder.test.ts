import { describe, expect, it } from 'vitest';
import { readableNumbers, statedNumbers } from './numbers.ts';
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

describe('ranges', () => {
  it.each([
    [
      'A long paragraph. It begins with little. The bridge cost 86,400 pounds and took nine years. Then came the winter. It was cold.',
      'The bridge cost 86,400 pounds.',
      'The bridge cost 86,400 pounds and took nine years.',
    ],
    [
      'The bridge was planned in 1911. It was cold. The bridge was finished in 1928. Nobody knew why.',
      'Planned in 1911, the bridge was finished in 1928.',
      'The bridge was planned in 1911. It was cold. The bridge was finished in 1928.',
    ],
    [
      '这座大桥总长六百米。工程师来自德累斯顿。一九四三年冬天，大桥因受损而关闭。',
      '工程师来自德累斯顿。',
      '工程师来自德累斯顿。',
    ],
    ['town,people\nEastby,870\nWestby,1210\n', 'Westby has 1,210 people.', 'town,people\nEastby,870\nWestby,1210'],
    ['town,people\nEastby,870\nWestby,1210\n', 'Westby: 1,210.', 'Westby,1210'],
    ['No sentence here', 'No sentence here', 'No sentence here'],
  ])('in "%s" for "%s" are the sentences that say it', (text, point, expected) => {
    const before = 'Before. ';
    const passage = { page: 1, start: before.length, end: before.length + text.length, text };
    const [start, end] = new PlaceFinder([passage]).find(point)[0]?.range ?? [0, 0];
    expect((before + text).slice(start, end)).toBe(expected);
  });
});

describe('places of sentences with numbers and names', () => {
  const told = new PlaceFinder(
    [
      'The bridge cost 86,400 pounds. It was planned by Clara Weiss and took nine years.',
      'The school has forty-one pupils and opened on 12 February.',
      '大桥于一九二八年十一月完工，长780米，有工人六百四十人。',
      'The school has a garden.',
    ].map((text, index) => ({ page: index + 1, start: 0, end: text.length, text })),
  );
  const pages = (text: string) => told.find(text).map(({ passage }) => passage.page);

  it.each([
    ['The bridge cost 86400 pounds.', [1]],
    ['The bridge cost 96,400 pounds.', []],
    ['The bridge took 9 years.', [1]],
    ['The bridge took 6 years.', []],
    ['The school has 41 pupils.', [2]],
    ['The school has 41 pupils and the bridge cost 86,400 pounds.', [1, 2]],
    ['The school has 41 pupils and the bridge cost 5 pounds.', []],
    ['The school opened on 12 February.', [2]],
    ['The school opened on 14 February.', []],
    ['The school opened on 12 March.', []],
    ['The school opened on March 12, in rain.', []],
    ['The bridge was planned by Clara Weiss.', [1]],
    ['The bridge was planned by Robert Stone.', []],
    ['Robert Stone planned the bridge, which cost much.', []],
    ['The School has a Garden.', [4]],
    ['大桥在1928年11月完工。', [3]],
    ['大桥在一九二九年完工。', []],
    ['大桥长780米，有640名工人。', [3]],
    ['大桥于一九二八年十一月完工，长七百八十米。', [3]],
    ['大桥于一九二八年十一月完工，长七百九十米。', []],
  ])('"%s" are %j', (text, expected) => {
    expect(pages(text)).toEqual(expected);
  });
});

describe('numbers', () => {
  it.each([
    ['86,400 and 86 400 and ８６４００', ['86400']],
    ['3.5 of 1,234.5', ['3.5', '1234.5']],
    ['1, 2, 300', ['1', '2', '300']],
    ['Nine of forty-one, ninety and twelve', ['9', '41', '90', '12']],
    ['二〇二四年十月九日', ['2024', '10', '9']],
    ['一百二十，三千零五，两万，四万六千', ['120', '3005', '46000']],
    ['千万不要，万一', []],
    ['May 3 or the 4th of June', ['3', '4', 'may', 'june']],
  ])('that can be read in "%s" are %j', (text, expected) => {
    expect([...readableNumbers(text)]).toEqual(expected);
  });

  it('stated in Chinese are those that are surely meant as numbers', () => {
    expect([...statedNumbers('十月九日有一个人和十二只羊，一起走了 3 天')]).toEqual(['3', '10', '9', '12']);
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
