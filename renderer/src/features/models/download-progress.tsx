/** How a download stands, and the buttons that it has then. */
import type { DownloadStatus } from '../../../../contract/models.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { ErrorText } from '../../ui/error-text.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';

export function DownloadProgress({ name, status }: { name: string; status: DownloadStatus }) {
  const words = strings.models.download;
  const commands = useCommands();
  const { entryId, state, received, total, error } = status;
  const goesOn = state === 'running' || state === 'queued' || state === 'verifying';
  return (
    <div className="model-progress" data-testid="download" data-state={state}>
      <ProgressBar done={received} total={total} label={words.label(name)} />
      {goesOn && state !== 'verifying' && (
        <button
          type="button"
          className="button"
          aria-label={words.pauseLabel(name)}
          onClick={() => void commands.pauseDownload(entryId)}
        >
          {words.pause}
        </button>
      )}
      {!goesOn && (
        <button
          type="button"
          className="button"
          aria-label={state === 'failed' ? words.retryLabel(name) : words.resumeLabel(name)}
          onClick={() => void commands.download(entryId)}
        >
          {state === 'failed' ? words.retry : words.resume}
        </button>
      )}
      <button
        type="button"
        className="button"
        aria-label={words.cancelLabel(name)}
        onClick={() => void commands.cancelDownload(entryId)}
      >
        {words.cancel}
      </button>
      <p className="model-progress-words">{wordsOf(status).join(' · ')}</p>
      {error !== undefined && <ErrorText error={error} />}
    </div>
  );
}

function wordsOf({ state, received, total, bytesPerSecond, secondsLeft, error }: DownloadStatus): string[] {
  const words = strings.models.download;
  const progress = words.progress(received, total);
  if (state === 'queued') return [words.queued];
  if (state === 'verifying') return [words.verifying];
  if (state === 'paused') return [progress, words.paused];
  if (state === 'failed') return [progress, words.failed];
  if (error !== undefined) return [progress, words.waiting];
  return [
    progress,
    ...(bytesPerSecond > 0 ? [words.speed(bytesPerSecond)] : []),
    ...(secondsLeft === undefined ? [] : [words.left(secondsLeft)]),
  ];
}
