/** A chart of a reading over the last seconds, drawn by uPlot on a canvas. Hovering shows the values of that moment. */
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Sample } from '../../../../contract/resources.ts';
import { strings } from '../../strings.ts';
import { tokenColours, useTokenTheme } from '../../ui/token-colours.ts';
import { CHART_COLOURS, type Reading, topOf } from './readings.ts';

const HEIGHT = 132;
/** Seconds between two times of the axis. */
const STEPS = [5, 10, 20, 30, 60, 120, 300];

interface TimeChartProps {
  readonly reading: Reading;
  readonly samples: readonly Sample[];
  /** How far back the chart goes. */
  readonly seconds: number;
}

export function TimeChart({ reading, samples, seconds }: TimeChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const theme = useTokenTheme();
  const latest = useRef({ reading, samples });
  latest.current = { reading, samples };
  const names = reading.lines.map(({ name }) => name).join('\n');

  // A chart is made anew where its form changes: colours, time span, lines. Values are set below.
  // biome-ignore lint/correctness/useExhaustiveDependencies: values and formats are read through the reference
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const made = new uPlot(options(latest, seconds, element.clientWidth), dataOf(latest.current), element);
    chart.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      chart.current = undefined;
    };
  }, [seconds, theme, names, reading.most]);

  useEffect(() => chart.current?.setData(dataOf({ reading, samples })), [reading, samples]);

  return <div ref={place} className="time-chart" aria-hidden="true" />;
}

/** Texts without those that repeat the one before. */
function unlike(texts: readonly string[]): string[] {
  return texts.map((text, i) => (text === texts[i - 1] ? '' : text));
}

interface Shown {
  readonly reading: Reading;
  readonly samples: readonly Sample[];
}

/** Seconds before the newest sample, and the values of each line. */
function dataOf({ reading, samples }: Shown): uPlot.AlignedData {
  const now = samples.at(-1)?.at ?? 0;
  return [
    samples.map(({ at }) => (at - now) / 1000),
    ...reading.lines.map(({ value }) => samples.map((sample) => value(sample))),
  ];
}

function options(shown: { current: Shown }, seconds: number, width: number): uPlot.Options {
  const words = strings.resources;
  const colours = tokenColours(['line', 'text-faint', ...CHART_COLOURS]);
  const { reading } = shown.current;
  const axis = { stroke: colours['text-faint'], grid: { stroke: colours.line, width: 1 }, ticks: { show: false } };
  const format = (value: number | null) => (value === null ? '–' : shown.current.reading.format(value));
  return {
    width: Math.max(width, 160),
    height: HEIGHT,
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [-seconds, 0] },
      y: { range: (_, __, most) => [0, topOf(reading, most)] },
    },
    axes: [
      { ...axis, size: 24, space: 60, incrs: STEPS, values: (_, splits) => splits.map(words.ago) },
      { ...axis, size: 68, space: 30, values: (_, splits) => unlike(splits.map(format)) },
    ],
    // A marker's line is that of its series, as far as borders can show it.
    legend: { live: true, markers: { dash: (_, index) => ['', 'solid', 'dashed', 'dotted'][index] ?? 'solid' } },
    // Without a pointer over the chart the legend tells the values of now.
    hooks: {
      setData: [
        (self: uPlot) => {
          if ((self.cursor.left ?? -1) < 0) self.setLegend({ idx: self.data[0].length - 1 });
        },
      ],
    },
    series: [
      { label: words.time, value: (_, value) => (value === null ? '' : words.ago(value)) },
      ...reading.lines.map(({ name, colour }, index) => ({
        label: name,
        stroke: colours[colour],
        width: 1.5,
        // Told apart by pattern, too.
        ...(index === 0 ? {} : { dash: index === 1 ? [5, 3] : [1.5, 3] }),
        points: { show: false },
        value: (_: uPlot, value: number | null) => format(value),
      })),
    ],
  };
}
