/** The attention of the next answer, without leaving the chat. */
import { AttentionMode, type AttentionOptions } from '../../../../contract/engine.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';

const RATIOS = [0.05, 0.07, 0.1, 0.2];

export function AttentionPicker() {
  const words = strings.attention;
  const commands = useCommands();
  const attention = useAppState((state) => state.settings?.attention);
  if (attention === undefined) return null;
  const { mode, ratio } = attention;
  // The ratio of the settings may be another than those offered here.
  const ratios = RATIOS.includes(ratio) ? RATIOS : [...RATIOS, ratio].sort((a, b) => a - b);
  return (
    <select
      className="picker"
      aria-label={strings.composer.attention}
      title={strings.settings.attention.help[mode]}
      value={mode === 'shadow' ? String(ratio) : mode}
      onChange={({ target: { value } }) => void commands.changeSettings({ attention: chosen(value, ratio) })}
    >
      <option value="full">{words.full}</option>
      {ratios.map((choice) => (
        <option key={choice} value={String(choice)}>
          {words.shadow(choice)}
        </option>
      ))}
      <optgroup label={words.comparison}>
        <option value="sparse">{words.sparse(ratio)}</option>
        <option value="block">{words.block(ratio)}</option>
        <option value="npu-full">{words.npuFull}</option>
      </optgroup>
    </select>
  );
}

/** A mode keeps the ratio that was set; a number is that ratio of `shadow`. */
function chosen(value: string, ratio: number): AttentionOptions {
  const mode = AttentionMode.options.find((known) => known === value);
  return mode === undefined ? { mode: 'shadow', ratio: Number(value) } : { mode, ratio };
}
