/** How much of the model's context the next question would take, of what, and what happens where it is too much. */
import { useEffect, useId, useState } from 'react';
import type { ContextUse } from '../../../../contract/messages.ts';
import { formatCount } from '../../format.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { chatOptions, draftKey, streamingMessage } from '../../store/state.ts';
import { strings } from '../../strings.ts';

/** Measuring waits for a pause in typing of so many milliseconds. */
const PAUSE_MS = 350;

export function ContextGauge() {
  const use = useContextUse();
  const id = useId();
  if (use === null) return null;
  const used = use.system + use.history + use.attachments + use.draft;
  const share = Math.min(1, (used + use.reserve) / Math.max(1, use.contextSize));
  return (
    <div className={`gauge${use.fits ? '' : ' is-over'}`}>
      <button
        type="button"
        className="gauge-button"
        data-testid="context-gauge"
        aria-label={strings.gauge.label(used, use.contextSize)}
        aria-describedby={id}
      >
        <svg className="gauge-ring" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <circle cx="8" cy="8" r="6" />
          {/* A circle of length 100, so that the share is a percentage. */}
          <circle cx="8" cy="8" r="6" pathLength="100" className="gauge-used" strokeDasharray={`${share * 100} 100`} />
        </svg>
        <span className="gauge-words">{strings.gauge.short(used, use.contextSize)}</span>
      </button>
      <div id={id} className="gauge-details" role="tooltip">
        <Details use={use} used={used} />
      </div>
    </div>
  );
}

function Details({ use, used }: { use: ContextUse; used: number }) {
  const words = strings.gauge;
  const rows = [
    [words.system, use.system],
    [words.history, use.history],
    [words.attachments, use.attachments],
    [words.draft, use.draft],
    [words.reserve, use.reserve],
    [words.free, Math.max(0, use.contextSize - used - use.reserve)],
    [words.size, use.contextSize],
  ] as const;
  return (
    <>
      <p className="gauge-title">{words.title}</p>
      <dl>
        {rows.map(([name, tokens]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatCount(tokens)}</dd>
          </div>
        ))}
      </dl>
      <p className="gauge-outlook">{outlook(use)}</p>
    </>
  );
}

function outlook(use: ContextUse): string {
  if (use.fits) return strings.gauge.fits;
  if (use.omitted !== undefined && use.omitted > 0) return strings.gauge.willDrop(use.omitted);
  const alone = use.system + use.draft + use.attachments + use.reserve;
  return alone > use.contextSize ? strings.gauge.tooLong : strings.gauge.willAsk;
}

/** Measured when the open chat, its draft, its options or the model has changed; the last measure stays meanwhile. */
function useContextUse(): ContextUse | null {
  const commands = useCommands();
  const key = useAppState(draftKey);
  const draft = useAppState((state) => state.drafts[draftKey(state)]);
  const attachments = useAppState((state) => state.attachments[draftKey(state)]);
  const options = useAppState(chatOptions);
  const engine = useAppState((state) => state.engine);
  const settings = useAppState((state) => state.settings);
  const lastId = useAppState((state) => state.conversations[draftKey(state)]?.messages.at(-1)?.id);
  const answering = useAppState((state) => streamingMessage(state, state.activeChatId) !== undefined);
  const [measured, setMeasured] = useState<{ key: string; use: ContextUse | null }>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these is a reason to measure again
  useEffect(() => {
    if (engine.state !== 'ready' || answering) return;
    let wanted = true;
    const timer = setTimeout(() => {
      void commands.measureDraft().then((use) => {
        if (wanted) setMeasured({ key, use });
      });
    }, PAUSE_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [commands, key, draft, attachments, options, engine, settings, lastId, answering]);

  return engine.state === 'ready' && measured?.key === key ? measured.use : null;
}
