/**
 * Rows of bars over time on a canvas. The wheel and + and - zoom, dragging and the arrow keys move, 0 shows everything; what
 * is under the pointer is told below.
 */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { formatMilliseconds, formatSeconds } from '../../format.ts';
import { strings } from '../../strings.ts';
import { tokenColours, useTokenTheme } from '../../ui/token-colours.ts';
import { useCanvasWidth } from './canvas-width.ts';
import { isPreparation, STAGE_TOKENS } from './stage-colours.ts';
import { type Bar, type BarRow, extentOf } from './trace-model.ts';

const LABELS = 116;
const ROW = 22;
const BAR = 14;
const AXIS = 24;
/** Least span of time that is shown, in milliseconds. */
const LEAST = 0.005;

type Range = readonly [number, number];

export function Gantt({ rows, tell }: { rows: readonly BarRow[]; tell: (bar: Bar) => string }) {
  const words = strings.pipeline;
  const canvas = useRef<HTMLCanvasElement>(null);
  const drag = useRef<{ x: number; range: Range }>(undefined);
  const theme = useTokenTheme();
  const all: Range = extentOf(rows) ?? [0, 1];
  const [zoomed, setZoomed] = useState<Range>();
  const width = useCanvasWidth(canvas);
  const [hovered, setHovered] = useState<Bar>();
  const range = zoomed ?? all;
  const height = rows.length * ROW + AXIS;

  // Other rows are another picture.
  const [from, to] = all;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the extent stands for the rows
  useEffect(() => setZoomed(undefined), [from, to]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the tokens' colours
  useEffect(() => {
    if (canvas.current !== null && width > LABELS) draw(canvas.current, rows, range, width, height);
  }, [rows, range, width, height, theme]);

  const timeAt = (x: number) => range[0] + ((x - LABELS) / Math.max(1, width - LABELS)) * (range[1] - range[0]);
  const zoom = (factor: number, at = (range[0] + range[1]) / 2) => {
    const span = Math.min(all[1] - all[0], Math.max(LEAST, (range[1] - range[0]) * factor));
    const start = at - ((at - range[0]) / (range[1] - range[0])) * span;
    setZoomed(within(all, [start, start + span]));
  };
  const move = (share: number) => {
    const by = share * (range[1] - range[0]);
    setZoomed(within(all, [range[0] + by, range[1] + by]));
  };

  // React listens to wheels passively, where the page cannot be kept from scrolling.
  useEffect(() => {
    const element = canvas.current;
    const turn = (event: WheelEvent) => {
      if (!event.ctrlKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY) && !event.altKey) return;
      event.preventDefault();
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) move(event.deltaX / 600);
      else zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(event.offsetX));
    };
    element?.addEventListener('wheel', turn, { passive: false });
    return () => element?.removeEventListener('wheel', turn);
  });

  function key(event: KeyboardEvent): void {
    if (event.key === '+' || event.key === '=') zoom(0.67);
    else if (event.key === '-') zoom(1.5);
    else if (event.key === '0') setZoomed(undefined);
    else if (event.key === 'ArrowLeft') move(-0.2);
    else if (event.key === 'ArrowRight') move(0.2);
    else return;
    event.preventDefault();
  }

  return (
    <div className="gantt" data-testid="gantt" data-rows={rows.length}>
      <div className="gantt-tools">
        <button type="button" className="button" aria-label={words.zoomIn} onClick={() => zoom(0.5)}>
          +
        </button>
        <button type="button" className="button" aria-label={words.zoomOut} onClick={() => zoom(2)}>
          −
        </button>
        <button type="button" className="button" disabled={zoomed === undefined} onClick={() => setZoomed(undefined)}>
          {words.zoomAll}
        </button>
        <span className="pipeline-note">{words.zoomHint}</span>
      </div>
      <canvas
        ref={canvas}
        role="img"
        aria-label={words.ganttLabel(rows.length, formatMilliseconds(all[1] - all[0]))}
        tabIndex={0}
        style={{ height }}
        onKeyDown={key}
        onPointerDown={(event) => {
          drag.current = { x: event.clientX, range };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerUp={() => {
          drag.current = undefined;
        }}
        onPointerMove={(event) => {
          const { x, y } = offset(event.currentTarget, event);
          if (drag.current !== undefined) {
            const { x: start, range: before } = drag.current;
            const by = ((start - event.clientX) / Math.max(1, width - LABELS)) * (before[1] - before[0]);
            setZoomed(within(all, [before[0] + by, before[1] + by]));
            return;
          }
          setHovered(
            x < LABELS ? undefined : barAt(rows[Math.floor(y / ROW)], timeAt(x), (range[1] - range[0]) / width),
          );
        }}
        onPointerLeave={() => setHovered(undefined)}
      />
      <p className="gantt-told" data-testid="gantt-told">
        {hovered === undefined ? words.pointHint : tell(hovered)}
      </p>
    </div>
  );
}

function offset(
  element: Element,
  { clientX, clientY }: { clientX: number; clientY: number },
): { x: number; y: number } {
  const box = element.getBoundingClientRect();
  return { x: clientX - box.left, y: clientY - box.top };
}

/** The range, moved and cut so that it lies within the whole. */
function within([least, most]: Range, [from, to]: Range): Range {
  const span = Math.min(to - from, most - least);
  const start = Math.min(Math.max(from, least), most - span);
  return [start, start + span];
}

/** The last bar that is there at a time, give or take a pixel. */
function barAt(row: BarRow | undefined, time: number, slack: number): Bar | undefined {
  return row?.bars.filter(({ span }) => span.start - slack <= time && time <= span.end + slack).at(-1);
}

function draw(
  canvas: HTMLCanvasElement,
  rows: readonly BarRow[],
  [from, to]: Range,
  width: number,
  height: number,
): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const scale = window.devicePixelRatio;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.scale(scale, scale);
  const colours = tokenColours(['text', 'text-soft', 'text-faint', 'line', ...Object.values(STAGE_TOKENS)]);
  context.font = getComputedStyle(canvas).font;
  context.textBaseline = 'middle';
  const x = (time: number) => LABELS + ((time - from) / (to - from)) * (width - LABELS);

  context.fillStyle = colours.line;
  context.strokeStyle = colours.line;
  for (const time of ticks(from, to)) {
    context.fillRect(Math.round(x(time)), 0, 1, rows.length * ROW);
    const told = formatTime(time, to - from);
    // A time that would be cut off is left to its line.
    if (x(time) + 3 + context.measureText(told).width > width) continue;
    context.fillStyle = colours['text-faint'];
    context.fillText(told, x(time) + 3, rows.length * ROW + AXIS / 2);
    context.fillStyle = colours.line;
  }
  for (const [index, { label, heading = false, bars }] of rows.entries()) {
    const top = index * ROW;
    context.fillStyle = colours[heading ? 'text' : 'text-soft'];
    context.fillText(label, 0, top + ROW / 2, heading ? width : LABELS - 8);
    for (const { span, stage } of bars) {
      if (span.end < from || span.start > to) continue;
      const left = Math.max(LABELS, x(span.start));
      const wide = Math.max(0.75, Math.min(width, x(span.end)) - left);
      context.fillStyle = colours[STAGE_TOKENS[stage]];
      context.globalAlpha = isPreparation(stage) ? 0.45 : 1;
      context.fillRect(left, top + (ROW - BAR) / 2, wide > 3 ? wide - 1 : wide, BAR);
    }
    context.globalAlpha = 1;
  }
}

/** A time of the axis, as short as the range allows. */
function formatTime(ms: number, range: number): string {
  return range >= 2000 ? formatSeconds(ms / 1000) : formatMilliseconds(ms);
}

/** Round times within a range, four to eight of them. */
function ticks(from: number, to: number): number[] {
  const raw = (to - from) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5].find((each) => each * power >= raw) ?? 10) * power;
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, i) => (first + i) * step);
}
