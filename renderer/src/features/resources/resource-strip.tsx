/** The most telling figures on one line, beside a chat; leads to the resources screen. */
import { formatBytes, formatPercent, formatSpeed } from '../../format.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import './resources.css';

export function ResourceStrip() {
  const words = strings.resources;
  const commands = useCommands();
  const sample = useAppState((state) => state.samples.at(-1));
  if (sample === undefined) return null;
  const cores = sample.cores.filter((core): core is number => core !== null);
  const busy = cores.reduce((sum, core) => sum + core, 0) / cores.length;
  const engine = sample.processes.find(({ kind }) => kind === 'engine');
  const { prefill, decode } = sample.tokensPerSecond;
  const speed = decode ?? prefill;
  const { watts } = sample.power;
  return (
    <button
      type="button"
      className="resource-strip"
      title={words.strip.label}
      data-testid="resource-strip"
      onClick={() => commands.setView('resources')}
    >
      {cores.length > 0 && <span>{words.strip.processor(formatPercent(busy))}</span>}
      {engine !== undefined && <span>{words.strip.engine(formatBytes(engine.memoryBytes))}</span>}
      {sample.accelerators.map(
        ({ id, name, busy: share }) => share !== null && <span key={id}>{`${name} ${formatPercent(share)}`}</span>,
      )}
      {watts !== null && <span>{words.watts(watts)}</span>}
      {speed !== null && speed > 0 && <span>{formatSpeed(speed)}</span>}
    </button>
  );
}
