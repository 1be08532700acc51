/** What of a sample is drawn and listed: each figure with its lines, unit and colours. */
import type { Sample } from '../../../../contract/resources.ts';
import { formatBytes, formatPercent, formatSpeed } from '../../format.ts';
import { strings } from '../../strings.ts';

type Colour = 'chart-1' | 'chart-2' | 'chart-3';
export const CHART_COLOURS: readonly Colour[] = ['chart-1', 'chart-2', 'chart-3'];

export interface Line {
  readonly name: string;
  readonly colour: Colour;
  /** null: not reported. */
  readonly value: (sample: Sample) => number | null;
}

export interface Reading {
  readonly key: string;
  readonly title: string;
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  /** Top of the chart; absent: what the values need. */
  readonly most?: number;
}

/** Top of a chart whose greatest value is `greatest`; never 0, the bottom. */
export function topOf({ most }: Pick<Reading, 'most'>, greatest: number): number {
  return most ?? (greatest > 0 ? greatest * 1.1 : 1);
}

/** Which readings there are depends on the machine: accelerators come and go. */
export function readingsOf(latest: Sample | undefined): Reading[] {
  const words = strings.resources;
  const line = (index: number, name: string, value: Line['value']): Line => ({
    name,
    colour: CHART_COLOURS[index] ?? 'chart-1',
    value,
  });
  const process = (sample: Sample, kind: 'app' | 'engine', of: 'cores' | 'memoryBytes') =>
    sample.processes.filter((each) => each.kind === kind).reduce((sum, each) => sum + each[of], 0);
  const accelerators = (latest?.accelerators ?? []).flatMap(({ id, kind, name }): Reading[] => {
    const own = (sample: Sample) => sample.accelerators.find((each) => each.id === id);
    return [
      {
        key: id,
        title: words.accelerator[kind](name),
        most: 1,
        format: formatPercent,
        lines: [
          line(0, words.all, (sample) => own(sample)?.busy ?? null),
          line(1, words.thisApp, (sample) => own(sample)?.appBusy ?? null),
        ],
      },
      {
        key: `${id}-memory`,
        title: words.memoryOf(words.accelerator[kind](name)),
        format: formatBytes,
        lines: [
          line(0, words.all, (sample) => own(sample)?.memoryBytes ?? null),
          line(1, words.thisApp, (sample) => own(sample)?.appMemoryBytes ?? null),
        ],
      },
    ];
  });
  const missing = (['npu', 'gpu'] as const)
    .filter((kind) => !latest?.accelerators.some((each) => each.kind === kind))
    .map(
      (kind): Reading => ({
        key: kind,
        title: words.accelerator[kind](''),
        most: 1,
        format: formatPercent,
        lines: [line(0, words.all, () => null)],
      }),
    );
  return [
    {
      key: 'processor',
      title: words.processor,
      most: 1,
      format: formatPercent,
      lines: [
        line(0, words.all, (sample) => mean(sample.cores)),
        line(1, words.engine, (sample) => process(sample, 'engine', 'cores') / Math.max(1, sample.cores.length)),
      ],
    },
    {
      key: 'memory',
      title: words.memory,
      format: formatBytes,
      lines: [
        line(0, words.inUse, ({ memory }) => memory.totalBytes - memory.availableBytes),
        line(1, words.engine, (sample) => process(sample, 'engine', 'memoryBytes')),
        line(2, words.window, (sample) => process(sample, 'app', 'memoryBytes')),
      ],
      ...(latest === undefined ? {} : { most: latest.memory.totalBytes }),
    },
    {
      key: 'swap',
      title: words.swap,
      format: formatBytes,
      lines: [line(0, words.inUse, ({ memory }) => memory.swapUsedBytes)],
    },
    {
      key: 'speed',
      title: words.speed,
      format: formatSpeed,
      lines: [
        line(0, words.prefill, ({ tokensPerSecond }) => tokensPerSecond.prefill ?? 0),
        line(1, words.decode, ({ tokensPerSecond }) => tokensPerSecond.decode ?? 0),
      ],
    },
    ...accelerators,
    ...missing,
    {
      key: 'power',
      title: words.power(latest?.power.sensor ?? null),
      format: words.watts,
      lines: [line(0, words.all, ({ power }) => power.watts)],
    },
    {
      key: 'temperature',
      title: words.temperature,
      format: words.degrees,
      lines: [line(0, words.processor, ({ temperature }) => temperature)],
    },
    {
      key: 'disk',
      title: words.disk,
      format: words.bytesPerSecond,
      lines: [line(0, words.read, ({ disk }) => disk.read), line(1, words.written, ({ disk }) => disk.written)],
    },
    {
      key: 'network',
      title: words.network,
      format: words.bytesPerSecond,
      lines: [
        line(0, words.received, ({ network }) => network.received),
        line(1, words.sent, ({ network }) => network.sent),
      ],
    },
  ];
}

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value): value is number => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Samples of the last `seconds` before the newest. */
export function lastSeconds(samples: readonly Sample[], seconds: number): readonly Sample[] {
  const from = (samples.at(-1)?.at ?? 0) - 1000 * seconds;
  return samples.filter(({ at }) => at >= from);
}

/** Least, mean and greatest value of a line; null where it was never reported. */
export function summary(
  samples: readonly Sample[],
  { value }: Line,
): { least: number; mean: number; most: number } | null {
  const known = samples.flatMap((sample) => value(sample) ?? []);
  if (known.length === 0) return null;
  const sum = known.reduce((total, each) => total + each, 0);
  return { least: Math.min(...known), mean: sum / known.length, most: Math.max(...known) };
}

/** Comma-separated values: a row a sample, a column a line; what was not reported is empty. */
export function toCsv(samples: readonly Sample[]): string {
  const lines = readingsOf(samples.at(-1)).flatMap((reading) =>
    reading.lines.map((each) => ({ head: `${reading.title}: ${each.name}`, value: each.value })),
  );
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const rows = samples.map((sample) => [
    new Date(sample.at).toISOString(),
    ...lines.map(({ value }) => value(sample) ?? ''),
  ]);
  return [['time', ...lines.map(({ head }) => quoted(head))], ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}
