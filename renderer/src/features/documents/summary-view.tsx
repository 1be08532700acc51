/** A summary: how far it is, the whole, and its parts as they come. */
import { useState } from 'react';
import type { PageUnit } from '../../../../contract/documents.ts';
import type { Citation, Summary, SummarySection } from '../../../../contract/summaries.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { partKey, type WritingPart } from '../../store/documents.ts';
import { strings } from '../../strings.ts';
import { ErrorText } from '../../ui/error-text.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ChevronIcon, MoreIcon, RetryIcon } from '../../ui/icons.tsx';
import { MenuButton } from '../../ui/menu.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { CitedText } from './cited-text.tsx';

interface SummaryViewProps {
  readonly summary: Summary;
  readonly onCite: (citation: Citation) => void;
}

const nothing: Readonly<Record<string, WritingPart>> = {};

export function SummaryView({ summary, onCite }: SummaryViewProps) {
  const words = strings.documents.summary;
  const writing = useAppState((state) => state.writing[summary.id] ?? nothing);
  const { id, state, sections, text, points, error, coverage, seconds, model } = summary;
  const unit = useAppState(({ documents }) => documents?.find((one) => one.id === summary.documentId)?.unit ?? 'page');
  const running = state === 'running' || state === 'waiting';
  const whole = writing[partKey(null)];
  return (
    <div className="summary" data-testid="summary" data-state={state}>
      <SummaryBar summary={summary} />
      {running && <ProgressBar done={coverage.tokensRead} total={coverage.tokensTotal} label={words.states.running} />}
      {error !== undefined && (
        <div className="document-error" role="alert">
          <ErrorText error={error} />
        </div>
      )}
      {text !== '' ? (
        <div className="summary-whole" data-testid="summary-whole">
          {summary.joined === true && <p className="summary-note">{words.joined}</p>}
          <CitedText text={text} points={points} onCite={onCite} />
          {summary.cut === true && <p className="summary-note">{words.cutWhole}</p>}
        </div>
      ) : (
        whole !== undefined && (
          <div className="summary-whole" aria-busy="true">
            <p className="summary-note">{words.wholeWriting}</p>
            <div className="cited" dir="auto">
              {whole.text}
            </div>
          </div>
        )
      )}
      <p className="summary-note" data-testid="summary-coverage">
        {[
          words.coverage(coverage),
          ...(coverage.pagesWithoutText.length > 0 ? [words.coverageWithout(coverage.pagesWithoutText)] : []),
          ...(coverage.failedSections.length > 0 ? [words.coverageFailed(coverage.failedSections.length)] : []),
          words.took(seconds, model),
        ].join(' ')}
      </p>
      {(sections.length > 1 || running || state === 'stopped') && (
        <ol className="summary-sections" aria-label={words.parts}>
          {sections.map((section, index) => (
            <Section
              // biome-ignore lint/suspicious/noArrayIndexKey: sections are known by their place
              key={index}
              summaryId={id}
              index={index}
              section={section}
              unit={unit}
              writing={writing[partKey(index)]}
              idle={!running}
              onCite={onCite}
            />
          ))}
        </ol>
      )}
    </div>
  );
}

function SummaryBar({ summary: { id, state, sections, options } }: { summary: Summary }) {
  const commands = useCommands();
  const words = strings.documents.summary;
  const done = sections.filter((section) => section.state === 'done').length;
  const running = state === 'running' || state === 'waiting';
  const unfinished =
    state === 'stopped' || state === 'failed' || sections.some((section) => section.state === 'failed');
  async function toChat(): Promise<void> {
    const chatId = await commands.summaryToChat(id);
    if (chatId !== undefined) await commands.openChat(chatId);
  }
  return (
    <div className="summary-bar">
      <span className="summary-state" role="status">
        {`${words.styles[options.style]} · ${words.states[state]}`}
        {sections.length > 1 && ` · ${words.progress(done, sections.length)}`}
      </span>
      {running && (
        <button type="button" className="button" title={words.stopHelp} onClick={() => void commands.stopSummary(id)}>
          {words.stop}
        </button>
      )}
      {!running && unfinished && (
        <button type="button" className="button is-primary" onClick={() => void commands.resumeSummary(id)}>
          {words.resume}
        </button>
      )}
      {!running && done > 0 && (
        <button type="button" className="button" onClick={() => void toChat()}>
          {words.toChat}
        </button>
      )}
      <MenuButton
        label={words.export}
        size="normal"
        entries={[
          { label: words.exportMarkdown, onSelect: () => void commands.exportSummary(id, 'markdown') },
          { label: words.exportDocx, onSelect: () => void commands.exportSummary(id, 'docx') },
          { label: words.exportPdf, onSelect: () => void commands.exportSummary(id, 'pdf') },
          'separator',
          { label: words.remove, danger: true, onSelect: () => void commands.removeSummary(id) },
        ]}
      >
        <MoreIcon />
      </MenuButton>
    </div>
  );
}

interface SectionProps {
  readonly summaryId: string;
  readonly index: number;
  readonly section: SummarySection;
  readonly unit: PageUnit;
  readonly writing: WritingPart | undefined;
  readonly idle: boolean;
  readonly onCite: (citation: Citation) => void;
}

function Section({ summaryId, index, section, unit, writing, idle, onCite }: SectionProps) {
  const commands = useCommands();
  const words = strings.documents.summary;
  const [folded, setFolded] = useState(false);
  const { title, pages, state, text, points, error, cut } = section;
  const name = title === '' ? words.part(index) : title;
  return (
    <li className="summary-section" data-testid="summary-section" data-state={state}>
      <div className="summary-section-head">
        <button type="button" className="summary-fold" aria-expanded={!folded} onClick={() => setFolded(!folded)}>
          <span className={`folder-chevron${folded ? '' : ' is-open'}`}>
            <ChevronIcon size={14} />
          </span>
          <span className="summary-section-title" dir="auto">
            {name}
          </span>
          <span className="document-facts">{words.pagesOf(...pages, unit)}</span>
        </button>
        <span className="summary-section-state">{words.sectionStates[state]}</span>
        {idle && state !== 'waiting' && (
          <IconButton label={words.redo} size="small" onClick={() => void commands.redoSection(summaryId, index)}>
            <RetryIcon size={16} />
          </IconButton>
        )}
      </div>
      {!folded && state === 'running' && (
        <div aria-busy="true">
          {writing?.prefill !== undefined && writing.text === '' && (
            <p className="summary-note">{words.prefill(writing.prefill.done, writing.prefill.total)}</p>
          )}
          <div className="cited" dir="auto">
            {writing?.text}
          </div>
        </div>
      )}
      {!folded && state === 'done' && <CitedText text={text} points={points} onCite={onCite} />}
      {!folded && cut === true && <p className="summary-note">{words.cut}</p>}
      {!folded && state === 'failed' && (
        <div className="document-error">
          {error !== undefined && <ErrorText error={error} />}
          <p className="summary-note">{words.extract}</p>
          <blockquote dir="auto">{text}</blockquote>
        </div>
      )}
    </li>
  );
}
