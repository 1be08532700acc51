/** The few figures of a sample that the line beside a chat shows. */
import type { Glance, Sample } from '../../contract/resources.ts';

const MB = 1e6;

export function glanceOf({ cores, processes, accelerators, power, tokensPerSecond }: Sample): Glance {
  const known = cores.filter((core): core is number => core !== null);
  const engine = processes.find(({ kind }) => kind === 'engine');
  const { watts } = power;
  return {
    processor: known.length === 0 ? null : percent(known.reduce((sum, core) => sum + core, 0) / known.length),
    engineBytes: engine === undefined ? null : Math.round(engine.memoryBytes / MB) * MB,
    accelerators: accelerators.map(({ id, name, busy }) => ({ id, name, busy: busy === null ? null : percent(busy) })),
    watts: watts === null ? null : Math.round(10 * watts) / 10,
    tokensPerSecond,
  };
}

function percent(share: number): number {
  return Math.round(100 * share) / 100;
}
