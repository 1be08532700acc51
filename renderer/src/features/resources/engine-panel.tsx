/** Cores, the engine's threads, and what the loaded model takes of memory. */
import type { CSSProperties } from 'react';
import type { Sample } from '../../../../contract/resources.ts';
import { formatBytes, formatPercent } from '../../format.ts';
import { useAppState } from '../../store/context.ts';
import { strings } from '../../strings.ts';

export function EnginePanel({ sample }: { sample: Sample }) {
  const words = strings.resources;
  const model = useAppState(({ engine }) => (engine.state === 'ready' ? engine.model.name : undefined));
  const { engine } = sample;
  return (
    <>
      <section className="resource-card">
        <h2>{words.cores}</h2>
        <Bars name={words.core} values={sample.cores} missing={words.offline} />
      </section>
      <section className="resource-card" data-testid="engine-threads">
        <h2>{words.threads}</h2>
        {engine === null ? (
          <p className="is-missing">{words.noModel}</p>
        ) : (
          <Bars name={words.thread} values={engine.threads} missing="" />
        )}
      </section>
      <section className="resource-card" data-testid="model-memory">
        <h2>{model ?? words.model}</h2>
        {engine === null ? <p className="is-missing">{words.noModel}</p> : <ModelMemory memory={engine.memory} />}
      </section>
    </>
  );
}

function ModelMemory({ memory }: { memory: NonNullable<Sample['engine']>['memory'] }) {
  const words = strings.resources;
  const rows = [
    [words.weights, formatBytes(memory.weightsBytes)],
    [words.kv, words.ofReserved(formatBytes(memory.kvUsedBytes), formatBytes(memory.kvBytes))],
    [words.scratch, formatBytes(memory.scratchBytes)],
  ] as const;
  return (
    <dl className="resource-facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface BarsProps {
  readonly name: (number: number) => string;
  /** Shares from 0 to 1; null is said as `missing`. */
  readonly values: readonly (number | null)[];
  readonly missing: string;
}

function Bars({ name, values, missing }: BarsProps) {
  return (
    <ul className="bars">
      {values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a core or thread is its number
        <li key={index}>
          <span className="bars-name">{name(index)}</span>
          <span className="bars-track">
            <span className="bars-fill" style={{ '--share': value ?? 0 } as CSSProperties} />
          </span>
          <span className="bars-value">{value === null ? missing : formatPercent(value)}</span>
        </li>
      ))}
    </ul>
  );
}
