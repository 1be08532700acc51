/** What is to be compared, and what it will take, before it starts. */
import { useEffect, useState } from 'react';
import { type ComparePlan, type CompareSource, MOST_VARIANTS, type Variant } from '../../../../contract/compare.ts';
import type { CompareForm } from '../../store/compare.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Choice } from '../../ui/choice.tsx';
import { PlusIcon } from '../../ui/icons.tsx';
import { SourceFields } from './source-fields.tsx';
import { VariantFields } from './variant-fields.tsx';

const FULL: Variant = { attention: { mode: 'full', ratio: 1 } };
const NEXT: Variant = { attention: { mode: 'shadow', ratio: 0.2 } };
const LENGTHS = [16, 32, 64, 128, 256];
/** A prompt is counted once nothing has changed for so long, in milliseconds. */
const PAUSE_MS = 400;

export function CompareStart({ onStarted }: { onStarted: () => void }) {
  const words = strings.compare;
  const commands = useCommands();
  const form = useAppState((state) => state.compareForm);
  const ready = useAppState((state) => state.engine.state === 'ready');
  const [starting, setStarting] = useState(false);
  const source = sourceOf(form);
  const plan = usePlan(source, form.maxTokens, ready);
  const { variants, maxTokens } = form;
  const change = (part: Partial<CompareForm>) => commands.setCompareForm({ ...form, ...part });
  const setVariants = (next: readonly Variant[]) => change({ variants: next });

  async function start(): Promise<void> {
    if (source === undefined) return;
    setStarting(true);
    const begun = await commands.startComparison(source, maxTokens, [FULL, ...variants]);
    setStarting(false);
    if (begun) onStarted();
  }

  return (
    <form
      className="compare-start"
      data-testid="compare-start"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <p className="compare-note">{words.intro}</p>
      <section className="compare-group" aria-label={words.source}>
        <h2>{words.source}</h2>
        <Choice
          label={words.source}
          value={form.kind}
          options={(['text', 'document'] as const).map((value) => ({ value, label: words.sources[value] }))}
          onChange={(kind) => change({ kind })}
        />
        <SourceFields form={form} onChange={change} />
      </section>
      <section className="compare-group" aria-label={words.ways}>
        <h2>{words.ways}</h2>
        <ol className="compare-ways">
          <li className="compare-way">
            <span className="compare-way-name">{words.way(1)}</span>
            <span>{words.referenceFirst(strings.settings.attention.modes.full)}</span>
          </li>
          {variants.map((variant, index) => (
            <VariantFields
              // biome-ignore lint/suspicious/noArrayIndexKey: ways are known by their place
              key={index}
              number={index + 2}
              variant={variant}
              onChange={(next) => setVariants(variants.map((other, at) => (at === index ? next : other)))}
              {...(variants.length > 1
                ? { onRemove: () => setVariants(variants.filter((_, at) => at !== index)) }
                : {})}
            />
          ))}
        </ol>
        <div className="compare-bar">
          {variants.length + 1 < MOST_VARIANTS && (
            <button type="button" className="button" onClick={() => setVariants([...variants, NEXT])}>
              <PlusIcon size={16} />
              {words.addWay}
            </button>
          )}
          <select
            className="select"
            aria-label={words.length}
            title={words.length}
            value={maxTokens}
            onChange={({ target }) => change({ maxTokens: Number(target.value) })}
          >
            {LENGTHS.map((tokens) => (
              <option key={tokens} value={tokens}>
                {`${words.length}: ${words.lengthOf(tokens)}`}
              </option>
            ))}
          </select>
        </div>
      </section>
      <p className="compare-note" role="status" data-testid="compare-plan">
        {!ready
          ? words.waitingForModel
          : source === undefined
            ? ''
            : plan === undefined
              ? words.planning
              : words.plan(plan)}
      </p>
      <button
        type="submit"
        className="button is-primary"
        data-testid="compare-run"
        disabled={plan === undefined || starting}
      >
        {words.start(variants.length + 1)}
      </button>
    </form>
  );
}

/** Undefined while something is missing. */
function sourceOf({ kind, text, documentId, question }: CompareForm): CompareSource | undefined {
  if (kind === 'text') return text.trim() === '' ? undefined : { kind, text };
  if (documentId === '') return undefined;
  return { kind, documentId, question: question.trim() === '' ? strings.compare.defaultQuestion : question };
}

/** What the prompt will be; undefined while it is counted, or cannot be. */
function usePlan(source: CompareSource | undefined, maxTokens: number, ready: boolean): ComparePlan | undefined {
  const commands = useCommands();
  const [plan, setPlan] = useState<ComparePlan>();
  const key = source === undefined ? '' : JSON.stringify(source);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the source is a new object each time, the key is not
  useEffect(() => {
    let current = true;
    setPlan(undefined);
    if (!ready || source === undefined) return;
    const timer = setTimeout(() => {
      void commands.planComparison(source, maxTokens).then((made) => {
        if (current) setPlan(made);
      });
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [commands, key, maxTokens, ready]);
  return plan;
}
