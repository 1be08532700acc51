/** Until the first word: how much of the prompt has been read, how fast, and how long it will take. */
import { useAppState } from '../../store/context.ts';
import type { Activity } from '../../store/state.ts';
import { strings } from '../../strings.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';

interface PrefillProgressProps {
  readonly prefill: Activity['prefill'];
  /** What is being made is the note that a chat begins with. */
  readonly opening: boolean;
}

export function PrefillProgress({ prefill, opening }: PrefillProgressProps) {
  const { purpose, done, total, tokensPerSecond } = prefill ?? { done: 0, total: 0, tokensPerSecond: 0 };
  const known = total > 0;
  const noModel = useAppState((state) => state.engine.state !== 'ready');
  const reading = purpose === 'note' ? strings.prefill.note : strings.prefill.label;
  const begun = opening ? strings.note.writing : strings.prefill.waiting;
  const waiting = noModel ? strings.prefill.waitingForModel : begun;
  const words = known ? reading : waiting;
  return (
    <div className="prefill" data-testid="prefill-progress">
      <div className="prefill-line">
        <span>{words}</span>
        {known && (
          <span className="prefill-figures">
            <span>{strings.prefill.tokens(done, total)}</span>
            {tokensPerSecond > 0 && (
              <>
                <span>{strings.prefill.speed(tokensPerSecond)}</span>
                <span>{strings.prefill.left((total - done) / tokensPerSecond)}</span>
              </>
            )}
          </span>
        )}
      </div>
      <ProgressBar done={done} total={total} label={words} />
    </div>
  );
}
