/** The last prompt run again with the planner and without, on a device or a simulated one: what plans gain, measured. */
import { useState } from 'react';
import type { TracedAnswer } from '../../../../contract/engine.ts';
import { formatSpeed } from '../../format.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { SIMULATED } from '../../strings/device-words.ts';
import { strings } from '../../strings.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { useDevicePilots, useProcessorPilot } from '../devices/use-pilots.ts';
import { ReplayResult } from './replay-result.tsx';

interface ReplayProps {
  readonly traced: TracedAnswer;
  readonly layer: number;
  readonly onLayer: (layer: number) => void;
}

export function ReplaySection({ traced: { trace, figures }, layer, onLayer }: ReplayProps) {
  const words = strings.replay;
  const commands = useCommands();
  const replaying = useAppState((state) => state.replaying);
  const done = useAppState(({ replay }) => (replay?.request === trace.request ? replay : null));
  const devices = useDevicePilots();
  const processor = useProcessorPilot();
  const pilots = processor === undefined ? devices : [...devices, processor];
  const [chosen, setChosen] = useState(figures.attention.pilot);
  const pilot = pilots.find((one) => one === chosen) ?? SIMULATED;
  return (
    <section className="pipeline-section" data-testid="replay">
      <h2>{words.title}</h2>
      {figures.attention.mode === 'shadow' ? (
        <>
          <p className="pipeline-note">{words.note}</p>
          <div className="resources-bar">
            <select
              className="select"
              aria-label={words.device}
              value={pilot}
              disabled={replaying !== null}
              onChange={({ target }) => setChosen(target.value)}
            >
              {pilots.map((one) => (
                <option key={one} value={one}>
                  {words.on(one, one === processor)}
                </option>
              ))}
            </select>
            {replaying === null ? (
              <button
                type="button"
                className="button"
                data-testid="replay-run"
                onClick={() => void commands.replayPlans(trace.request, pilot)}
              >
                {words.run}
              </button>
            ) : (
              <button type="button" className="button" onClick={() => void commands.stopReplay()}>
                {words.stop}
              </button>
            )}
          </div>
          {replaying !== null && (
            <div className="replay-progress">
              <ProgressBar done={replaying.done} total={replaying.total} label={words.running} />
              <p className="pipeline-note" role="status">
                {replaying.total === 0 ? words.waiting : words.progress(formatSpeed(replaying.tokensPerSecond))}
              </p>
            </div>
          )}
          {done !== null && <ReplayResult replay={done.result} layer={layer} onLayer={onLayer} />}
        </>
      ) : (
        <p className="is-missing">{strings.whatIf.keepsAll}</p>
      )}
    </section>
  );
}
