/** A line chart as SVG text: axes linear or logarithmic, legend, light background. No library, no script in the file. */

export interface Axis {
  label: string;
  log?: boolean;
}

export interface Series {
  name: string;
  /** In any order; drawn by ascending x. */
  points: readonly { x: number; y: number }[];
}

export interface Chart {
  title: string;
  x: Axis;
  y: Axis;
  series: readonly Series[];
}

const WIDTH = 780;
const HEIGHT = 440;
const PLOT = { left: 72, right: 548, top: 48, bottom: 384 };
const LEGEND_X = PLOT.right + 20;
const LINE_HEIGHT = 20;
/** Told apart also by people who see no red or green (Okabe and Ito). */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#7f7f7f'];
const DASHES = ['', '6 3', '2 3'];

/** The SVG document. Points that an axis cannot show (not finite, or not positive on a logarithmic one) are left out. */
export function lineChart(chart: Chart): string {
  const shown = chart.series.map(({ name, points }) => ({
    name,
    points: points.filter(({ x, y }) => fits(x, chart.x) && fits(y, chart.y)).sort((a, b) => a.x - b.x),
  }));
  const all = shown.flatMap(({ points }) => points);
  const x = scale(
    all.map((point) => point.x),
    chart.x,
    PLOT.left,
    PLOT.right,
  );
  const y = scale(
    all.map((point) => point.y),
    chart.y,
    PLOT.bottom,
    PLOT.top,
  );
  // Measured lengths are the ticks that a reader looks for.
  const xTicks = [...new Set(all.map((point) => point.x))].sort((a, b) => a - b);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="13" fill="#222">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(PLOT.left, 28, chart.title, 'font-size="16" font-weight="bold"'),
    ...y.ticks.flatMap((tick) => [
      `<line x1="${PLOT.left}" x2="${PLOT.right}" y1="${round(y.place(tick))}" y2="${round(y.place(tick))}" stroke="#ddd"/>`,
      text(PLOT.left - 8, y.place(tick) + 4, label(tick), 'text-anchor="end"'),
    ]),
    ...xTicks.map((tick) => text(x.place(tick), PLOT.bottom + 20, label(tick), 'text-anchor="middle"')),
    `<path d="M${PLOT.left} ${PLOT.top}V${PLOT.bottom}H${PLOT.right}" fill="none" stroke="#222"/>`,
    text((PLOT.left + PLOT.right) / 2, PLOT.bottom + 44, chart.x.label, 'text-anchor="middle"'),
    text(
      0,
      0,
      chart.y.label,
      `text-anchor="middle" transform="translate(18 ${(PLOT.top + PLOT.bottom) / 2}) rotate(-90)"`,
    ),
    ...shown.flatMap((series, i) => drawn(series, i, x.place, y.place)),
    '</svg>',
  ];
  return `${parts.join('\n')}\n`;
}

function drawn(
  { name, points }: Series,
  index: number,
  x: (value: number) => number,
  y: (value: number) => number,
): string[] {
  const colour = COLOURS[index % COLOURS.length] ?? '#000';
  const dash = DASHES[Math.floor(index / COLOURS.length) % DASHES.length];
  const stroke = `stroke="${colour}" stroke-width="2"${dash ? ` stroke-dasharray="${dash}"` : ''}`;
  const path = points.map((point) => `${round(x(point.x))},${round(y(point.y))}`);
  const legendY = PLOT.top + 12 + index * LINE_HEIGHT;
  return [
    `<polyline points="${path.join(' ')}" fill="none" ${stroke}/>`,
    ...points.map((point) => `<circle cx="${round(x(point.x))}" cy="${round(y(point.y))}" r="3" fill="${colour}"/>`),
    `<line x1="${LEGEND_X}" x2="${LEGEND_X + 22}" y1="${legendY - 4}" y2="${legendY - 4}" ${stroke}/>`,
    text(LEGEND_X + 28, legendY, name),
  ];
}

function fits(value: number, axis: Axis): boolean {
  return Number.isFinite(value) && (!axis.log || value > 0);
}

/** Where values lie between `from` and `to` (pixels), and round numbers to mark. A linear axis starts at 0. */
function scale(values: readonly number[], { log }: Axis, from: number, to: number) {
  const most = values.length === 0 ? 1 : Math.max(...values, 0) || 1;
  const least = Math.min(...values, most);
  if (log) {
    const low = Math.log(least / 1.08);
    const high = Math.log(most * 1.08);
    const place = (value: number) => from + ((Math.log(value) - low) / (high - low)) * (to - from);
    return { place, ticks: logTicks(least, most) };
  }
  const step = roundStep(most / 5);
  const top = Math.ceil(most / step) * step;
  const place = (value: number) => from + (value / top) * (to - from);
  return { place, ticks: Array.from({ length: Math.round(top / step) + 1 }, (_, i) => i * step) };
}

function logTicks(least: number, most: number): number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); power++) {
    for (const digit of [1, 2, 5]) ticks.push(Number(`${digit}e${power}`));
  }
  return ticks.filter((tick) => tick >= least / 1.08 && tick <= most * 1.08);
}

/** 1, 2 or 5 times a power of ten, at least `least`. */
function roundStep(least: number): number {
  const power = Math.floor(Math.log10(least));
  const digit = [1, 2, 5, 10].find((one) => one * 10 ** power >= least * (1 - 1e-9)) ?? 10;
  return Number((digit * 10 ** power).toPrecision(1));
}

const label = (value: number) => String(Number(value.toPrecision(4)));
const round = (pixels: number) => Number(pixels.toFixed(1));

function text(x: number, y: number, words: string, more = ''): string {
  const safe = words.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  const place = more.includes('transform') ? '' : ` x="${round(x)}" y="${round(y)}"`;
  return `<text${place}${more === '' ? '' : ` ${more}`}>${safe}</text>`;
}
