/** Which model answers, and how exact its weights are. */

import type { ModelInfo } from '../../../../contract/engine.ts';
import type { Settings } from '../../../../contract/settings.ts';
import { formatBytes } from '../../format.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Choice } from '../../ui/choice.tsx';
import { ErrorText } from '../../ui/error-text.tsx';
import { CalibrationRow } from './calibration-row.tsx';
import { Row, Section } from './parts.tsx';

export function ModelSettings({ settings }: { settings: Settings }) {
  const words = strings.settings.model;
  const commands = useCommands();
  const models = useAppState((state) => state.models);
  const { weights } = settings;
  return (
    <Section title={words.title}>
      {models === null && <p className="row-note">{words.loading}</p>}
      {models?.length === 0 && <p className="row-note">{words.none}</p>}
      {models !== null && models.length > 0 && (
        <ul className="entries">
          {models.map((model) => (
            <ModelEntry key={model.id} model={model} />
          ))}
        </ul>
      )}
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

function ModelEntry({ model }: { model: ModelInfo }) {
  const words = strings.settings.model;
  const commands = useCommands();
  const { id, name, architecture, bytes, contextTrained, weights, problem } = model;
  const used = useAppState(({ engine }) => engine.state === 'ready' && engine.model.id === id);
  const busy = useAppState(({ engine }) => engine.state === 'loading' || engine.state === 'starting');
  return (
    <li className="entry">
      <div className="entry-words">
        <p className="entry-name">{name}</p>
        {problem === undefined ? (
          <p className="entry-facts">
            {[
              architecture,
              formatBytes(bytes),
              words.trained(contextTrained),
              ...(weights.length === 0 ? [words.toImport] : []),
            ].join(' · ')}
          </p>
        ) : (
          <ErrorText error={problem} />
        )}
      </div>
      {used ? (
        <span className="badge is-good">{words.loaded}</span>
      ) : (
        problem === undefined && (
          <button
            type="button"
            className="button"
            aria-label={words.chooseLabel(name)}
            disabled={busy}
            onClick={() => void commands.loadModel(id)}
          >
            {words.use}
          </button>
        )
      )}
    </li>
  );
}
