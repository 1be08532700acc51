/** Layers by heads on a canvas, each cell tinted by a share. Arrow keys and clicks choose a cell. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { strings } from '../../strings.ts';
import { tokenColours, useTokenTheme } from '../../ui/token-colours.ts';
import { useCanvasWidth } from './canvas-width.ts';

const RAMP = ['heat-0', 'heat-1', 'heat-2', 'heat-3', 'heat-4'] as const;
const CELL_HEIGHT = 18;
const LABELS = 28;

export interface Cell {
  readonly layer: number;
  readonly head: number;
}

interface HeatMapProps {
  readonly layers: number;
  readonly heads: number;
  /** [layers, heads]; NaN is left empty. */
  readonly values: Float32Array;
  readonly chosen: Cell;
  readonly onChoose: (cell: Cell) => void;
  readonly tell: (cell: Cell) => string;
  readonly format: (value: number) => string;
}

export function HeatMap({ layers, heads, values, chosen, onChoose, tell, format }: HeatMapProps) {
  const words = strings.pipeline;
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useTokenTheme();
  const width = useCanvasWidth(canvas);
  const [hovered, setHovered] = useState<Cell>();
  const most = greatest(values);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the tokens' colours
  useEffect(() => {
    if (canvas.current !== null && width > LABELS) draw(canvas.current, { layers, heads, values, chosen, most, width });
  }, [layers, heads, values, chosen, most, width, theme]);

  function cellAt(event: { clientX: number; clientY: number; currentTarget: Element }): Cell | undefined {
    const box = event.currentTarget.getBoundingClientRect();
    const layer = Math.floor(((event.clientX - box.left - LABELS) / (box.width - LABELS)) * layers);
    const head = Math.floor((event.clientY - box.top) / CELL_HEIGHT);
    return layer >= 0 && layer < layers && head >= 0 && head < heads ? { layer, head } : undefined;
  }

  function key(event: KeyboardEvent): void {
    const byLayers = { ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0;
    const byHeads = { ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0;
    if (byLayers === 0 && byHeads === 0) return;
    event.preventDefault();
    onChoose({
      layer: Math.min(layers - 1, Math.max(0, chosen.layer + byLayers)),
      head: Math.min(heads - 1, Math.max(0, chosen.head + byHeads)),
    });
  }

  return (
    <div className="heat-map">
      <canvas
        ref={canvas}
        data-testid="heat-map"
        role="img"
        aria-label={words.heatLabel(layers, heads)}
        tabIndex={0}
        style={{ height: heads * CELL_HEIGHT + CELL_HEIGHT }}
        onKeyDown={key}
        onPointerMove={(event) => setHovered(cellAt(event))}
        onPointerLeave={() => setHovered(undefined)}
        onClick={(event) => {
          const cell = cellAt(event);
          if (cell !== undefined) onChoose(cell);
        }}
      />
      <div className="heat-legend" aria-hidden="true">
        <span>{format(0)}</span>
        <span className="heat-ramp" />
        <span>{format(most)}</span>
      </div>
      <p className="gantt-told" role="status" data-testid="heat-told">
        {tell(hovered ?? chosen)}
      </p>
    </div>
  );
}

function greatest(values: Float32Array): number {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most;
}

interface Picture {
  readonly layers: number;
  readonly heads: number;
  readonly values: Float32Array;
  readonly chosen: Cell;
  readonly most: number;
  readonly width: number;
}

function draw(canvas: HTMLCanvasElement, { layers, heads, values, chosen, most, width }: Picture): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const scale = window.devicePixelRatio;
  const height = (heads + 1) * CELL_HEIGHT;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.scale(scale, scale);
  const colours = tokenColours(['text-faint', 'line-strong', 'text', ...RAMP]);
  const ramp = RAMP.map((name) => channels(colours[name]));
  const cell = (width - LABELS) / layers;
  context.font = getComputedStyle(canvas).font;
  context.textBaseline = 'middle';
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      const value = values[layer * heads + head] ?? Number.NaN;
      const [left, top] = [LABELS + layer * cell, head * CELL_HEIGHT];
      if (Number.isNaN(value)) {
        context.strokeStyle = colours['line-strong'];
        context.strokeRect(left + 1.5, top + 1.5, cell - 3, CELL_HEIGHT - 3);
        continue;
      }
      context.fillStyle = mixed(ramp, most > 0 ? value / most : 0);
      context.fillRect(left + 0.5, top + 0.5, cell - 1, CELL_HEIGHT - 1);
    }
  }
  context.strokeStyle = colours.text;
  context.lineWidth = 2;
  context.strokeRect(LABELS + chosen.layer * cell, chosen.head * CELL_HEIGHT, cell, CELL_HEIGHT);
  context.fillStyle = colours['text-faint'];
  for (let head = 0; head < heads; head++) context.fillText(String(head + 1), 4, (head + 0.5) * CELL_HEIGHT);
  const every = Math.max(1, Math.ceil(28 / cell));
  for (let layer = 0; layer < layers; layer += every) {
    context.fillText(String(layer + 1), LABELS + layer * cell + 2, (heads + 0.5) * CELL_HEIGHT);
  }
}

/** Red, green and blue of "rgb(1, 2, 3)". */
function channels(colour: string): number[] {
  return (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
}

/** The colour at a share of a ramp. */
function mixed(ramp: readonly number[][], share: number): string {
  const at = Math.min(1, Math.max(0, share)) * (ramp.length - 1);
  const index = Math.min(Math.floor(at), ramp.length - 2);
  const [low = [], high = []] = [ramp[index], ramp[index + 1]];
  return `rgb(${low.map((value, i) => Math.round(value + (at - index) * ((high[i] ?? 0) - value))).join(' ')})`;
}
