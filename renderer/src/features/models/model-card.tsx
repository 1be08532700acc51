/** A model that is on this computer: what it is, whether it fits, and what can be done with it. */
import { useState } from 'react';
import type { ModelInfo } from '../../../../contract/engine.ts';
import { formatBytes } from '../../format.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { checkOf } from '../../store/models.ts';
import { strings } from '../../strings.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { ErrorText } from '../../ui/error-text.tsx';
import { CheckIcon, MoreIcon } from '../../ui/icons.tsx';
import { MenuButton } from '../../ui/menu.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { ContextChoice } from './context-choice.tsx';
import { DeviceFits, FitBadge, fitWords } from './fit-badge.tsx';
import { useFit } from './use-fit.ts';

export function ModelCard({ model }: { model: ModelInfo }) {
  const { id, name, problem } = model;
  const weights = useAppState((state) => state.settings?.weights ?? 'fast');
  const contextSize = useAppState((state) => state.settings?.contextSizes[id]);
  const fit = useFit(id, weights, contextSize);
  const used = useAppState(({ engine }) => engine.state === 'ready' && engine.model.id === id);
  return (
    <li className="model" data-testid="model" aria-label={name}>
      <div className="model-words">
        <p className="model-name">
          <span>{name}</span>
          {fit !== null && !used && <FitBadge fit={fit} />}
          {used && <span className="badge is-good">{strings.models.card.inUse}</span>}
        </p>
        <p className="model-facts">{factsOf(model).join(' · ')}</p>
        {fit !== null && !used && <p className="model-facts">{fitWords(fit)}</p>}
        {fit !== null && <DeviceFits fit={fit} />}
        {problem !== undefined && <ErrorText error={problem} />}
        <Check model={model} />
      </div>
      <Actions model={model} used={used} />
    </li>
  );
}

function factsOf({ architecture, bytes, sourceBytes, contextTrained, weights, origin, problem }: ModelInfo): string[] {
  const words = strings.models.card;
  const [flavour] = weights;
  return [
    formatBytes(origin === 'folder' ? bytes : bytes + (sourceBytes ?? 0)),
    ...(problem === undefined ? [architecture, words.trained(contextTrained)] : []),
    ...(flavour === undefined
      ? problem === undefined
        ? [words.unprepared]
        : []
      : [weights.length > 1 ? words.prepared.both : words.prepared[flavour]]),
    words.origins[origin],
  ];
}

function Actions({ model, used }: { model: ModelInfo; used: boolean }) {
  const words = strings.models.card;
  const commands = useCommands();
  const [removing, setRemoving] = useState(false);
  const engine = useAppState((state) => state.engine);
  const busy = engine.state === 'loading' || engine.state === 'starting';
  const { id, name, problem, bytes, origin, sourcePath } = model;
  // Of another program's model that was never prepared there is nothing to delete.
  const removable = origin === 'folder' || bytes > 0;
  const isOurs = origin === 'folder' || sourcePath === undefined;
  return (
    <div className="model-actions">
      {problem === undefined && <ContextChoice model={model} />}
      {problem === undefined && !used && (
        <button
          type="button"
          className="button"
          aria-label={words.loadLabel(name)}
          disabled={busy}
          onClick={() => void commands.loadModel(id)}
        >
          {busy && engine.state === 'loading' && engine.modelName === name ? words.loading : words.load}
        </button>
      )}
      <MenuButton
        label={words.more(name)}
        entries={[
          ...(problem === undefined ? [{ label: words.verify, onSelect: () => void commands.verifyModel(id) }] : []),
          ...(used ? [{ label: words.unload, onSelect: () => void commands.unloadModel() }] : []),
          ...(removable ? [{ label: words.remove, danger: true, onSelect: () => setRemoving(true) }] : []),
        ]}
      >
        <MoreIcon size={18} />
      </MenuButton>
      {removing && (
        <Confirm
          title={strings.models.remove.title(name)}
          text={<p>{isOurs ? strings.models.remove.ours(bytes) : strings.models.remove.theirs(bytes)}</p>}
          action={strings.models.remove.action}
          danger
          onCancel={() => setRemoving(false)}
          onConfirm={() => {
            setRemoving(false);
            void commands.removeModel(id);
          }}
        />
      )}
    </div>
  );
}

/** How the check of its files stands, or what the last one found. */
function Check({ model: { id, name } }: { model: ModelInfo }) {
  const words = strings.models.card;
  const commands = useCommands();
  const job = useAppState((state) => checkOf(state.modelJobs, id));
  if (job === undefined) return null;
  if (job.state === 'failed') return job.error === undefined ? null : <ErrorText error={job.error} />;
  if (job.state === 'done') {
    return (
      <p className="model-sound" role="status">
        <CheckIcon size={16} />
        {words.sound[job.checked ?? 'format']}
      </p>
    );
  }
  const { done, total } = job.progress ?? { done: 0, total: 0 };
  return (
    <div className="model-progress">
      <ProgressBar done={done} total={total} label={words.checking(name)} />
      <button type="button" className="button" onClick={() => void commands.cancelJob(job.jobId)}>
        {words.stopCheck}
      </button>
    </div>
  );
}
