/** One way to answer: its attention, how much that keeps, and what computes it where there is a choice. */
import type { Variant } from '../../../../contract/compare.ts';
import { AttentionMode, type AttentionOptions, type PartPlace } from '../../../../contract/engine.ts';
import { formatPercent } from '../../format.ts';
import { useAppState } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { TrashIcon } from '../../ui/icons.tsx';
import { useDevicePilots } from '../devices/use-pilots.ts';

const RATIOS = [0.02, 0.05, 0.07, 0.1, 0.2, 0.3, 0.5];
const DEFAULT_RATIO: Record<AttentionMode, number> = { full: 1, 'npu-full': 1, shadow: 0.07, sparse: 0.2, block: 0.2 };
const NOTHING: readonly PartPlace[] = [];

interface VariantFieldsProps {
  /** From 2: full attention is the first. */
  readonly number: number;
  readonly variant: Variant;
  readonly onChange: (variant: Variant) => void;
  /** Absent where this is the last one that is left. */
  readonly onRemove?: () => void;
}

export function VariantFields({ number, variant, onChange, onRemove }: VariantFieldsProps) {
  const words = strings.compare;
  const { attention, onProcessor = false } = variant;
  const { mode, ratio } = attention;
  const pilots = ['native', ...useDevicePilots()];
  const placed = useAppState(({ engine }) => (engine.state === 'ready' ? (engine.model.places ?? NOTHING) : NOTHING));
  const keepsAll = mode === 'full' || mode === 'npu-full';
  const attend = (next: AttentionOptions) => onChange({ ...variant, attention: next });
  return (
    <li className="compare-way" data-testid="compare-way">
      <span className="compare-way-name">{words.way(number)}</span>
      <select
        className="select"
        aria-label={words.modeOf(number)}
        title={strings.settings.attention.help[mode]}
        value={mode}
        onChange={({ target }) => {
          const next = AttentionMode.options.find((known) => known === target.value) ?? 'shadow';
          attend({ mode: next, ratio: DEFAULT_RATIO[next] });
        }}
      >
        {AttentionMode.options.map((value) => (
          <option key={value} value={value}>
            {strings.settings.attention.modes[value]}
          </option>
        ))}
      </select>
      {!keepsAll && (
        <select
          className="select"
          aria-label={words.ratioOf(number)}
          value={ratio}
          onChange={({ target }) => attend({ ...attention, ratio: Number(target.value) })}
        >
          {RATIOS.map((value) => (
            <option key={value} value={value}>
              {formatPercent(value)}
            </option>
          ))}
        </select>
      )}
      {mode === 'shadow' && (
        <select
          className="select"
          aria-label={words.pilotOf(number)}
          value={attention.pilot ?? ''}
          onChange={({ target }) => attend({ mode, ratio, ...(target.value === '' ? {} : { pilot: target.value }) })}
        >
          <option value="">{words.pilotPlaced}</option>
          {pilots.map((pilot) => (
            <option key={pilot} value={pilot}>
              {words.pilotName(pilot)}
            </option>
          ))}
        </select>
      )}
      {(onProcessor || placed.some(({ device }) => device !== 'cpu')) && (
        <select
          className="select"
          aria-label={words.placeOf(number)}
          value={onProcessor ? 'processor' : 'placed'}
          onChange={({ target }) =>
            onChange({ attention, ...(target.value === 'processor' ? { onProcessor: true } : {}) })
          }
        >
          <option value="placed">{words.places.placed}</option>
          <option value="processor">{words.places.processor}</option>
        </select>
      )}
      {onRemove !== undefined && (
        <IconButton label={words.removeWay(number)} size="small" onClick={onRemove}>
          <TrashIcon size={16} />
        </IconButton>
      )}
    </li>
  );
}
