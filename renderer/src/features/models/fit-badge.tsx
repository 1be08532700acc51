/** Whether there is memory for a model: one word, and the numbers behind it for whoever points at it or listens. */
import type { FitLevel, ModelFit } from '../../../../contract/models.ts';
import { strings } from '../../strings.ts';

const TONES: Readonly<Record<FitLevel, string>> = { fits: 'is-good', tight: 'is-caution', no: 'is-bad' };

export function FitBadge({ fit: { level, memory } }: { fit: ModelFit }) {
  const words = strings.models.fit;
  const { weightsBytes, kvBytes, contextSize, scratchBytes } = memory;
  const parts = words.parts(weightsBytes, kvBytes, contextSize, scratchBytes);
  return (
    <span className={`badge ${TONES[level]}`} title={`${parts} ${words.rule}`} data-testid="fit" data-level={level}>
      {words[level]}
      <span className="visually-hidden">: {parts}</span>
    </span>
  );
}

/** Whether there is memory for it on each device beside the processor. */
export function DeviceFits({ fit: { devices } }: { fit: ModelFit }) {
  const words = strings.models.fit;
  if (devices.length === 0) return null;
  return (
    <ul className="model-devices" aria-label={words.onDevices}>
      {devices.map(({ id, name, level, neededBytes }) => (
        <li key={id} data-testid="device-fit" data-level={level}>
          {name}{' '}
          <span className={`badge ${TONES[level]}`} title={words.onDevice(neededBytes)}>
            {words[level]}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** "needs 1.2 GB of 5.1 GB free memory" */
export function fitWords({ memory, availableBytes }: ModelFit): string {
  return strings.models.fit.needs(memory.weightsBytes + memory.kvBytes + memory.scratchBytes, availableBytes);
}
