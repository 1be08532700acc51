import { describe, expect, it } from 'vitest';
import { type Chart, lineChart } from './line-chart.ts';

const CHART: Chart = {
  title: 'time < 1 & more',
  x: { label: 'keys', log: true },
  y: { label: 'ms' },
  series: [
    {
      name: 'full',
      points: [
        { x: 4096, y: 4 },
        { x: 1024, y: 1 },
        { x: 2048, y: 2 },
      ],
    },
    {
      name: 'shadow',
      points: [
        { x: 1024, y: Number.NaN },
        { x: 2048, y: 1 },
      ],
    },
  ],
};

function lines(svg: string): number[][][] {
  return [...svg.matchAll(/<polyline points="([^"]*)"/g)].map(([, points = '']) =>
    points.split(' ').map((point) => point.split(',').map(Number)),
  );
}

describe('lineChart', () => {
  it('places points by the axes: doublings are equal steps on a logarithmic one, sorted by x', () => {
    const [full = []] = lines(lineChart(CHART));
    const [a, b, c] = full as [number[], number[], number[]];
    expect(b[0]! - a[0]!).toBeCloseTo(c[0]! - b[0]!, 0);
    // A linear axis from 0: y = 1, 2, 4 rise by one and by two steps.
    expect((b[1]! - c[1]!) / (a[1]! - b[1]!)).toBeCloseTo(2, 1);
    expect(c[1]).toBe(48);
  });

  it('leaves out what an axis cannot show', () => {
    expect(lines(lineChart(CHART))[1]).toHaveLength(1);
    const log = lineChart({
      ...CHART,
      y: { label: 'ms', log: true },
      series: [{ name: 'a', points: [{ x: 1, y: 0 }] }],
    });
    expect(log).not.toMatch(/NaN|Infinity/);
  });

  it('is XML with title, legend, labels and round ticks', () => {
    const svg = lineChart(CHART);
    expect(svg).toContain('time &lt; 1 &amp; more');
    for (const words of ['full', 'shadow', 'keys', 'ms', '1024', '4096', '3'])
      expect(svg).toContain(`>${words}</text>`);
    expectWellFormed(svg);
  });

  it('stands an empty chart', () => {
    expect(lineChart({ ...CHART, series: [] })).not.toMatch(/NaN|Infinity/);
  });
});

/** Every element that is opened is closed, in the right order. */
function expectWellFormed(xml: string): void {
  const open: string[] = [];
  for (const [, slash, name = '', selfClosed] of xml.matchAll(/<(\/?)(\w+)[^<>]*?(\/?)>/g)) {
    if (selfClosed) continue;
    if (slash) expect(open.pop()).toBe(name);
    else open.push(name);
  }
  expect(open).toEqual([]);
}
