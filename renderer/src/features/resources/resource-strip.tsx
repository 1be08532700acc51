/** The most telling figures on one line, beside a chat; leads to the resources screen. */
import { formatBytes, formatPercent, formatSpeed } from '../../format.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import './resources.css';

export function ResourceStrip() {
  const words = strings.resources;
  const commands = useCommands();
  const glance = useAppState((state) => state.glance);
  if (glance === null) return null;
  const { processor, engineBytes, accelerators, watts } = glance;
  const { prefill, decode } = glance.tokensPerSecond;
  const speed = decode ?? prefill;
  return (
    <button
      type="button"
      className="resource-strip"
      title={words.strip.label}
      data-testid="resource-strip"
      onClick={() => commands.setView('resources')}
    >
      {processor !== null && <span>{words.strip.processor(formatPercent(processor))}</span>}
      {engineBytes !== null && <span>{words.strip.engine(formatBytes(engineBytes))}</span>}
      {accelerators.map(
        ({ id, name, busy }) => busy !== null && <span key={id}>{`${name} ${formatPercent(busy)}`}</span>,
      )}
      {watts !== null && <span>{words.watts(watts)}</span>}
      {speed !== null && speed > 0 && <span>{formatSpeed(speed)}</span>}
    </button>
  );
}
