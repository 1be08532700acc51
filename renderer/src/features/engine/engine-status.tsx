/** What the engine is doing: a calm line in the top bar, or a banner where the user should know or act. */
import type { EngineStatus } from '../../../../contract/model-status.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { ErrorText } from '../../ui/error-text.tsx';
import { WarningIcon } from '../../ui/icons.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { told } from '../../ui/told.ts';
import { CalibrationOffer } from './calibration-offer.tsx';
import './engine.css';

/** The states that need a banner; all others fit into the top bar. Exactly one of the two is on screen. */
function needsBanner(engine: EngineStatus): engine is Extract<EngineStatus, { state: 'no-model' | 'failed' }> {
  return engine.state === 'no-model' || engine.state === 'failed';
}

/** The line in the top bar. */
export function EngineChip() {
  const engine = useAppState((state) => state.engine);
  if (needsBanner(engine)) return null;
  return (
    <div className="engine-chip" role="status" data-testid="engine-status" data-state={engine.state}>
      <ChipText engine={engine} />
    </div>
  );
}

function ChipText({ engine }: { engine: Exclude<EngineStatus, { state: 'no-model' | 'failed' }> }) {
  switch (engine.state) {
    case 'starting':
      return (
        <>
          <span className="engine-dot" />
          <span className="engine-words">{strings.engine.starting}</span>
        </>
      );
    case 'loading': {
      const { done, total, stage } = engine.progress ?? { done: 0, total: 0, stage: 'load' };
      const words = strings.engine.stages[stage](engine.modelName);
      return (
        <>
          <span className="engine-words" title={stage === 'import' ? strings.engine.importHint : undefined}>
            {words}
          </span>
          <span className="engine-progress">
            <ProgressBar done={done} total={total} label={words} />
          </span>
        </>
      );
    }
    case 'unloaded':
      return (
        <>
          <span className="engine-dot" />
          <span className="engine-words" title={strings.engine.unloadedHint}>
            {strings.engine.unloaded(engine.modelName)}
          </span>
        </>
      );
    case 'ready': {
      const { name, device, contextSize, threads, weights } = engine.model;
      const words = weights === 'exact' ? strings.settings.model.exact : strings.settings.model.fast;
      return (
        <>
          <span className="engine-dot is-ready" />
          <span className="engine-words" title={strings.engine.readyDetail(device, contextSize, threads, words)}>
            {name}
            <span className="visually-hidden">, {strings.engine.ready(device)}</span>
          </span>
          <CalibrationOffer />
        </>
      );
    }
  }
}

/** The banner below the top bar. */
export function EngineBanner() {
  const engine = useAppState((state) => state.engine);
  const commands = useCommands();
  if (!needsBanner(engine)) return null;
  const final = engine.state === 'failed' && engine.final;
  return (
    <div
      className={`engine-banner${final ? ' is-final' : ''}`}
      role="status"
      data-testid="engine-status"
      data-state={engine.state}
    >
      <WarningIcon size={18} />
      {engine.state === 'no-model' ? (
        <div className="error-text">
          <p>{strings.engine.noModel}</p>
          <p className="error-action">{told(engine.action, engine.phrase)}</p>
        </div>
      ) : (
        <div className="engine-banner-words">
          <p className="engine-banner-title">{final ? strings.engine.failed : strings.engine.restarting}</p>
          <ErrorText error={engine.error} />
        </div>
      )}
      {(final || engine.state === 'no-model') && (
        <div className="engine-banner-actions">
          {final && (
            <button type="button" className="button" onClick={() => void commands.retryEngine()}>
              {strings.engine.tryAgain}
            </button>
          )}
          <button type="button" className="button" onClick={() => commands.setView('models')}>
            {strings.engine.chooseModel}
          </button>
        </div>
      )}
    </div>
  );
}
