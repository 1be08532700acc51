/** Which model answers, and how exact its weights are. */
import type { Settings } from '../../../../contract/settings.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Choice } from '../../ui/choice.tsx';
import { CalibrationRow } from './calibration-row.tsx';
import { Row, Section } from './parts.tsx';

export function ModelSettings({ settings }: { settings: Settings }) {
  const words = strings.settings.model;
  const commands = useCommands();
  const name = useAppState(({ engine, models }) =>
    engine.state === 'ready' ? engine.model.name : models?.find(({ id }) => id === settings.modelId)?.name,
  );
  const { weights } = settings;
  return (
    <Section title={words.title}>
      <Row label={name ?? words.none} help={words.choose}>
        <button type="button" className="button" onClick={() => commands.setView('models')}>
          {words.open}
        </button>
      </Row>
      <Row label={words.weights} help={weights === 'fast' ? words.fastHelp : words.exactHelp}>
        <Choice
          label={words.weights}
          value={weights}
          options={[
            { value: 'fast', label: words.fast },
            { value: 'exact', label: words.exact },
          ]}
          onChange={(next) => void commands.changeSettings({ weights: next })}
        />
      </Row>
      <CalibrationRow />
    </Section>
  );
}
