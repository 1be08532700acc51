import { strings } from '../../strings.ts';
import { NumberSelect } from './number-select.tsx';
import type { Pass } from './trace-model.ts';

interface PassSelectProps {
  readonly passes: readonly Pass[];
  /** Its place among `passes`. */
  readonly value: number;
  readonly onChange: (index: number) => void;
}

/** Chooses a pass by the tokens that it read. */
export function PassSelect({ passes, value, onChange }: PassSelectProps) {
  const words = strings.pipeline;
  const name = (index: number) => {
    const { position, rows } = passes[index] ?? { position: 0, rows: 0 };
    return words.rows(position, position + rows - 1);
  };
  return <NumberSelect label={words.passLabel} count={passes.length} value={value} name={name} onChange={onChange} />;
}
