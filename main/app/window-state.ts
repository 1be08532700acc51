/** Where the window was and how far it was zoomed, kept in a small file. Losing it costs a default window. */
import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';

const size = v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(20_000));
const coordinate = v.pipe(v.number(), v.integer(), v.minValue(-50_000), v.maxValue(50_000));

const WindowState = v.object({
  size: v.object({ width: size, height: size }),
  /** Absent: where the system puts it. */
  position: v.optional(v.object({ x: coordinate, y: coordinate })),
  maximized: v.boolean(),
  /** Chromium's scale: 0 is 100 %, each step 20 %. */
  zoomLevel: v.pipe(v.number(), v.minValue(-8), v.maxValue(9)),
});
export type WindowState = v.InferOutput<typeof WindowState>;

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const DEFAULT_STATE: WindowState = { size: { width: 1180, height: 780 }, maximized: false, zoomLevel: 0 };

/** The kept state, adapted to the screens that there are now (`areas`, in DIP). */
export function readState(file: string, areas: readonly Rectangle[]): WindowState {
  let kept: unknown;
  try {
    kept = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return DEFAULT_STATE; // first start, or the file was cut off
  }
  const parsed = v.safeParse(WindowState, kept);
  if (!parsed.success) return DEFAULT_STATE;
  const { position, ...rest } = parsed.output;
  if (position && areas.some((area) => shows(area, { ...position, ...rest.size }))) return { ...rest, position };
  return rest; // its screen is gone: let the system place it
}

export function writeState(file: string, state: WindowState): void {
  try {
    writeFileSync(file, JSON.stringify(state));
  } catch {
    // A full disk costs the window its place, nothing more.
  }
}

/** Enough of the title bar lies on the screen to drag it back. */
function shows(area: Rectangle, window: Rectangle): boolean {
  const visible = Math.min(area.x + area.width, window.x + window.width) - Math.max(area.x, window.x);
  return visible >= 120 && window.y >= area.y - 10 && window.y <= area.y + area.height - 60;
}
