/** What the summary should be like, and what it will take, before it starts. */
import { useEffect, useState } from 'react';
import {
  SummaryLanguage,
  SummaryLength,
  type SummaryOptions,
  type SummaryPlan,
  SummaryStyle,
} from '../../../../contract/summaries.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Choice } from '../../ui/choice.tsx';

/** A plan is made once nothing has changed for so long, in milliseconds. */
const PAUSE_MS = 300;

export function SummaryStart({ documentId, onStarted }: { documentId: string; onStarted: () => void }) {
  const commands = useCommands();
  const words = strings.documents.summary;
  const ready = useAppState((state) => state.engine.state === 'ready');
  const read = useAppState((state) => state.documents?.find(({ id }) => id === documentId)?.state);
  const [options, setOptions] = useState<SummaryOptions>({
    style: 'key-points',
    length: 'medium',
    language: 'document',
  });
  const [plan, setPlan] = useState<SummaryPlan>();
  const { style, length, language, instruction } = options;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another loaded model, and a document that was read anew, make another plan
  useEffect(() => {
    let current = true;
    setPlan(undefined);
    const timer = setTimeout(() => {
      void commands.planSummary(documentId, options).then((made) => {
        if (current) setPlan(made);
      });
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [commands, documentId, style, length, language, ready, read]);

  const change = (part: Partial<SummaryOptions>) => setOptions({ ...options, ...part });
  const empty = plan?.sections.length === 0;
  const missing = style === 'custom' && (instruction ?? '').trim() === '';
  return (
    <form
      className="summary-start"
      onSubmit={(event) => {
        event.preventDefault();
        onStarted();
        void commands.startSummary(documentId, options);
      }}
    >
      <Choice
        label={words.style}
        value={style}
        options={SummaryStyle.options.map((value) => ({ value, label: words.styles[value] }))}
        onChange={(value) => change({ style: value })}
      />
      <div className="summary-row">
        <Choice
          label={words.length}
          value={length}
          options={SummaryLength.options.map((value) => ({ value, label: words.lengths[value] }))}
          onChange={(value) => change({ length: value })}
        />
        <select
          className="select"
          aria-label={words.language}
          value={language}
          onChange={(event) => change({ language: event.target.value as SummaryLanguage })}
        >
          {SummaryLanguage.options.map((value) => (
            <option key={value} value={value}>
              {words.languages[value]}
            </option>
          ))}
        </select>
      </div>
      <input
        className="text-field"
        type="text"
        dir="auto"
        aria-label={style === 'custom' ? words.instructionCustom : words.instruction}
        placeholder={style === 'custom' ? words.instructionCustom : words.instruction}
        maxLength={2000}
        value={instruction ?? ''}
        onChange={(event) => change({ instruction: event.target.value })}
      />
      <p className="summary-plan" role="status" data-testid="summary-plan">
        {plan === undefined ? words.planning : empty ? words.nothing : words.plan(plan)}
      </p>
      <button
        type="submit"
        className="button is-primary"
        data-testid="summary-start"
        disabled={plan === undefined || empty || missing}
      >
        {words.start(plan?.sections.length ?? 1)}
      </button>
    </form>
  );
}
