/** The text of a document by page, with the place that a citation names marked and in sight. */
import { type UIEvent, useEffect, useRef, useState } from 'react';
import type { DocumentPage } from '../../../../contract/documents.ts';
import type { LibraryDocument } from '../../../../contract/library-documents.ts';
import type { Citation } from '../../../../contract/summaries.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { flowed } from './flowed.ts';

/** Pages that are shown at first and added each time. */
const PAGES = 10;
/** More pages are added when their end is this near, in pixels. */
const NEAR_END = 800;

interface TextProps {
  readonly document: LibraryDocument;
  readonly shown: Citation;
  readonly onShow: (citation: Citation | undefined) => void;
}

export function DocumentText({
  document: { id, name, pageCount = 0, unit = 'page', format },
  shown,
  onShow,
}: TextProps) {
  const commands = useCommands();
  const words = strings.documents;
  const [pages, setPages] = useState<readonly DocumentPage[]>([]);
  const scroller = useRef<HTMLElement>(null);
  /** What has been brought into sight: once only, so that reading on is not interrupted. */
  const placed = useRef<Citation>(undefined);
  const adding = useRef(false);
  const wanted = shown.page;
  const first = pages[0]?.number ?? 1;
  const last = pages.at(-1)?.number ?? 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: pages that are here already stay
  useEffect(() => {
    let current = true;
    if (wanted >= first && wanted <= last) return;
    const from = Math.max(1, wanted - 2);
    void commands.documentPages(id, from, from + PAGES - 1).then((read) => {
      if (current) setPages(read);
    });
    return () => {
      current = false;
    };
  }, [commands, id, wanted]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the place can be shown once its page is there
  useEffect(() => {
    const page = scroller.current?.querySelector(`[data-page="${wanted}"]`);
    if (placed.current === shown || !page) return;
    placed.current = shown;
    const mark = page.querySelector('mark');
    if (mark) mark.scrollIntoView({ block: 'center' });
    else page.scrollIntoView({ block: 'start' });
  }, [shown, pages]);

  async function more(from: number, to: number): Promise<void> {
    if (adding.current) return;
    adding.current = true;
    const read = await commands.documentPages(id, from, to);
    adding.current = false;
    setPages(from < first ? [...read, ...pages] : [...pages, ...read]);
  }

  function onScroll({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent): void {
    const near = scrollHeight - scrollTop - clientHeight < NEAR_END;
    if (near && last > 0 && last < pageCount) void more(last + 1, last + PAGES);
  }

  return (
    <aside ref={scroller} className="document-text" aria-label={`${words.text}: ${name}`}>
      <header className="document-text-head">
        <h3>{words.text}</h3>
        {pageCount > PAGES && (
          <GoTo pageCount={pageCount} onGo={(page) => onShow({ documentId: id, page, score: 1 })} />
        )}
        <IconButton label={words.hideText} size="small" onClick={() => onShow(undefined)}>
          <CloseIcon size={16} />
        </IconButton>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <div className="document-text-scroll" tabIndex={0} onScroll={onScroll}>
        {first > 1 && (
          <button
            type="button"
            className="link-button"
            onClick={() => void more(Math.max(1, first - PAGES), first - 1)}
          >
            {words.earlierPages}
          </button>
        )}
        {pages.map((page) => (
          <section key={page.number} data-page={page.number} className="document-page">
            <h4>
              {words.page(page.label ?? String(page.number), unit)}
              {page.lines && ` · ${words.lines(...page.lines)}`}
            </h4>
            {page.recognised && <p className="summary-note">{words.ocr.mark}</p>}
            {page.text === '' ? (
              <p className="summary-note">
                {page.problem === undefined ? words.noText : words.pageProblem(page.problem, [page.number])}
              </p>
            ) : (
              <p className={`document-page-text${format === 'code' || format === 'csv' ? ' is-code' : ''}`} dir="auto">
                <Marked
                  text={format === 'pdf' ? flowed(page.text) : page.text}
                  range={shown.page === page.number ? shown.range : undefined}
                />
              </p>
            )}
          </section>
        ))}
        {last < pageCount && pages.length > 0 && (
          <button type="button" className="link-button" onClick={() => void more(last + 1, last + PAGES)}>
            {words.laterPages}
          </button>
        )}
      </div>
    </aside>
  );
}

/** Leads to a page by its number. */
function GoTo({ pageCount, onGo }: { pageCount: number; onGo: (page: number) => void }) {
  const words = strings.documents;
  const [number, setNumber] = useState('');
  const page = Number(number);
  return (
    <form
      className="document-go"
      onSubmit={(event) => {
        event.preventDefault();
        if (Number.isInteger(page) && page >= 1) onGo(Math.min(page, pageCount));
      }}
    >
      <input
        className="text-field"
        type="text"
        inputMode="numeric"
        aria-label={words.goTo(pageCount)}
        placeholder={words.goToShort}
        maxLength={6}
        value={number}
        onChange={(event) => setNumber(event.target.value)}
      />
      <span className="document-facts">{words.ofPages(pageCount)}</span>
    </form>
  );
}

function Marked({ text, range }: { text: string; range: Citation['range'] }) {
  if (range === undefined) return text;
  const [start, end] = range;
  return (
    <>
      {text.slice(0, start)}
      <mark data-testid="cited-place">{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  );
}
