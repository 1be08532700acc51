/** Full or shadow attention for the next answer, without leaving the chat. */
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';

const RATIOS = [0.05, 0.1, 0.2, 0.5];

export function AttentionPicker() {
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
      title={mode === 'full' ? strings.settings.attention.fullHelp : strings.settings.attention.shadowHelp}
      value={mode === 'full' ? 'full' : String(ratio)}
      onChange={({ target: { value } }) =>
        void commands.changeSettings({
          attention: value === 'full' ? { mode: 'full', ratio } : { mode: 'shadow', ratio: Number(value) },
        })
      }
    >
      <option value="full">{strings.attention.full}</option>
      {ratios.map((choice) => (
        <option key={choice} value={String(choice)}>
          {strings.attention.shadow(choice)}
        </option>
      ))}
    </select>
  );
}
