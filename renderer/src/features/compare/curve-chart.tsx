/** Speed over the length of prompts, a line for each kind of attention. Lengths double from one mark to the next. */
import type { Curve, CurveMode } from '../../../../contract/compare.ts';
import { formatCount, formatSpeed } from '../../format.ts';
import { strings } from '../../strings.ts';

const WIDTH = 680;
const HEIGHT = 300;
const PLOT = { left: 64, right: WIDTH - 16, top: 12, bottom: HEIGHT - 44 };
const MODES: readonly CurveMode[] = ['full', 'shadow'];

export function CurveChart({ curve: { points, lengths, ratio } }: { curve: Curve }) {
  const words = strings.compare;
  const speeds = points.map(({ tokens, seconds }) => tokens / seconds);
  const { top, ticks } = scaleOf(Math.max(...speeds));
  const [shortest = 1] = lengths;
  const octaves = Math.max(1, Math.log2((lengths.at(-1) ?? 1) / shortest));
  const x = (tokens: number) =>
    PLOT.left + (Math.log2(tokens / shortest) / octaves) * (PLOT.right - PLOT.left - 24) + 12;
  const y = (speed: number) => PLOT.bottom - (speed / top) * (PLOT.bottom - PLOT.top);
  return (
    <figure className="curve">
      <div className="table-scroll">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words.curveLabel} data-testid="curve-chart">
          {ticks.map((tick) => (
            <g key={tick}>
              <line className="curve-grid" x1={PLOT.left} x2={PLOT.right} y1={y(tick)} y2={y(tick)} />
              <text className="curve-text" x={PLOT.left - 8} y={y(tick) + 4} textAnchor="end">
                {formatCount(tick)}
              </text>
            </g>
          ))}
          {lengths.map((tokens) => (
            <text key={tokens} className="curve-text" x={x(tokens)} y={PLOT.bottom + 20} textAnchor="middle">
              {formatCount(tokens)}
            </text>
          ))}
          <text className="curve-text" x={(PLOT.left + PLOT.right) / 2} y={HEIGHT - 6} textAnchor="middle">
            {words.tokens}
          </text>
          {MODES.map((mode) => {
            const own = points.filter((point) => point.mode === mode);
            return (
              <g key={mode} className={`curve-line is-${mode}`} data-testid={`curve-${mode}`}>
                <polyline points={own.map(({ tokens, seconds }) => `${x(tokens)},${y(tokens / seconds)}`).join(' ')} />
                {own.map(({ tokens, seconds }) => (
                  <circle key={tokens} cx={x(tokens)} cy={y(tokens / seconds)} r={4}>
                    <title>{`${formatCount(tokens)}: ${formatSpeed(tokens / seconds)}`}</title>
                  </circle>
                ))}
              </g>
            );
          })}
        </svg>
      </div>
      <figcaption className="curve-legend">
        {MODES.map((mode) => (
          <span key={mode}>
            <svg className={`curve-line is-${mode}`} width="28" height="10" viewBox="0 0 28 10" aria-hidden="true">
              <polyline points="0,5 28,5" />
              <circle cx="14" cy="5" r="4" />
            </svg>
            {words.curveMode(mode, ratio)}
          </span>
        ))}
        <span>{words.speedUnit}</span>
      </figcaption>
    </figure>
  );
}

/** A round number above `most`, and marks from nothing to it. */
function scaleOf(most: number): { top: number; ticks: number[] } {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((digit) => digit * power >= rough) ?? 10) * power;
  const count = Math.ceil(most / step);
  return { top: count * step, ticks: Array.from({ length: count + 1 }, (_, i) => i * step) };
}
