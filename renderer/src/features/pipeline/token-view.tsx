/** The prompt's tokens, tinted by how often the chosen heads kept them. */
import { type CSSProperties, useEffect, useState } from 'react';
import type { HeadSelection, KeptTokens } from '../../../../contract/trace.ts';
import { formatPercent } from '../../format.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';

/** Tokens of a part; parts out of sight are not laid out. */
const PART = 256;

interface TokenViewProps {
  readonly selection: HeadSelection;
  /** The answer whose tokens are shown. */
  readonly request: number;
}

export function TokenView({ selection: { layer, head }, request }: TokenViewProps) {
  const words = strings.pipeline;
  const commands = useCommands();
  const [kept, setKept] = useState<KeptTokens>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer has other tokens
  useEffect(() => {
    let current = true;
    void commands.readKeptTokens({ layer, head }).then((found) => {
      if (current) setKept(found);
    });
    return () => {
      current = false;
    };
  }, [commands, layer, head, request]);
  if (kept === undefined || kept.rows === 0) return <p className="is-missing">{words.noTokens}</p>;
  const parts = Math.ceil(kept.tokens.length / PART);
  return (
    <>
      <p className="pipeline-note">{words.tokensNote(kept.rows)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section className="token-view" aria-label={words.tokensTitle} tabIndex={0} data-testid="token-view">
        {Array.from({ length: parts }, (_, part) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
          <Part key={part} kept={kept} from={part * PART} />
        ))}
      </section>
    </>
  );
}

function Part({ kept, from }: { kept: KeptTokens; from: number }) {
  return (
    <span className="token-part">
      {kept.tokens.slice(from, from + PART).map((token, i) => {
        const share = kept.share[from + i] ?? Number.NaN;
        return (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a token is its place
            key={i}
            className="token"
            style={{ '--share': Number.isNaN(share) ? 0 : Math.sqrt(share) } as CSSProperties}
            title={Number.isNaN(share) ? undefined : strings.pipeline.keptBy(formatPercent(share))}
          >
            {token}
          </span>
        );
      })}
    </span>
  );
}
