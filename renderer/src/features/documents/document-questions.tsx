/** Questions about the open document, and about others beside it. */
import { type FormEvent, useState } from 'react';
import type { LibraryDocument } from '../../../../contract/library-documents.ts';
import type { Citation, DocumentAnswer } from '../../../../contract/summaries.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { ErrorText } from '../../ui/error-text.tsx';
import { CitedText } from './cited-text.tsx';

/** More are found by their name. */
const SHOWN = 20;
/** Beside the open one; the request takes fifty. */
const MOST_OTHERS = 49;

const none: readonly DocumentAnswer[] = [];

interface QuestionsProps {
  readonly documentId: string;
  readonly onCite: (citation: Citation) => void;
}

export function DocumentQuestions({ documentId, onCite }: QuestionsProps) {
  const commands = useCommands();
  const words = strings.documents.ask;
  const answers = useAppState((state) => state.answers[documentId] ?? none);
  const documents = useAppState((state) => state.documents);
  const [question, setQuestion] = useState('');
  const [also, setAlso] = useState<readonly string[]>([]);
  const others = documents?.filter(({ id, pageCount }) => id !== documentId && pageCount !== undefined) ?? [];

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    if (question.trim() === '') return;
    // One that was removed meanwhile cannot be asked.
    const there = also.filter((id) => others.some((other) => other.id === id));
    void commands.askDocuments([documentId, ...there], question);
    setQuestion('');
  }

  return (
    <section className="document-section" aria-label={words.title}>
      <h3>{words.title}</h3>
      <form className="document-ask" onSubmit={onSubmit}>
        <input
          className="text-field"
          type="text"
          dir="auto"
          data-testid="document-question"
          aria-label={words.label}
          placeholder={words.placeholder}
          maxLength={10_000}
          value={question}
          onChange={(event) => setQuestion(event.target.value)}
        />
        <button type="submit" className="button is-primary" disabled={question.trim() === ''}>
          {words.send}
        </button>
      </form>
      {others.length > 0 && <Others documents={others} chosen={also} onChoose={setAlso} />}
      {answers.map((answer) => (
        <Answer key={answer.id} answer={answer} onCite={onCite} />
      ))}
    </section>
  );
}

interface OthersProps {
  readonly documents: readonly LibraryDocument[];
  readonly chosen: readonly string[];
  readonly onChoose: (ids: readonly string[]) => void;
}

/** Documents that are asked as well: those that are chosen, and the first ones of a name. */
function Others({ documents, chosen, onChoose }: OthersProps) {
  const words = strings.documents.ask;
  const [name, setName] = useState('');
  const wanted = name.trim().toLocaleLowerCase();
  const nameOf = (document: LibraryDocument) => document.title ?? document.name;
  const fitting = documents.filter(
    (document) => !chosen.includes(document.id) && nameOf(document).toLocaleLowerCase().includes(wanted),
  );
  const shown = [...documents.filter(({ id }) => chosen.includes(id)), ...fitting.slice(0, SHOWN)];
  return (
    <details className="document-also">
      <summary>{words.also(chosen.length)}</summary>
      {documents.length > SHOWN && (
        <input
          className="text-field"
          type="search"
          dir="auto"
          aria-label={words.find}
          placeholder={words.find}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      )}
      {shown.map((document) => (
        <label key={document.id} className="document-also-item">
          <input
            type="checkbox"
            checked={chosen.includes(document.id)}
            disabled={chosen.length >= MOST_OTHERS && !chosen.includes(document.id)}
            onChange={({ target }) =>
              onChoose(target.checked ? [...chosen, document.id] : chosen.filter((id) => id !== document.id))
            }
          />
          <span dir="auto">{nameOf(document)}</span>
        </label>
      ))}
      {fitting.length > SHOWN && <p className="summary-note">{words.more(fitting.length - SHOWN)}</p>}
    </details>
  );
}

function Answer({ answer, onCite }: { answer: DocumentAnswer; onCite: (citation: Citation) => void }) {
  const commands = useCommands();
  const words = strings.documents.ask;
  const { id, question, text, points, state, read, error } = answer;
  const growing = useAppState((app) => app.answering[id] ?? '');
  const running = state === 'running' || state === 'waiting';
  return (
    <article className="document-answer" data-testid="document-answer" data-state={state} aria-busy={running}>
      <p className="document-question" dir="auto">
        {question}
      </p>
      {running && growing === '' && <p className="summary-note">{words.looking}</p>}
      {running ? (
        <div className="cited" dir="auto">
          {growing}
        </div>
      ) : (
        <CitedText text={text} points={points} onCite={onCite} />
      )}
      {state === 'stopped' && <p className="summary-note">{words.stopped}</p>}
      {error !== undefined && (
        <div className="document-error" role="alert">
          <ErrorText error={error} />
        </div>
      )}
      <div className="document-answer-foot">
        {read.of > 0 && <span className="summary-note">{words.read(read.sections, read.of)}</span>}
        {running && (
          <button type="button" className="button" onClick={() => void commands.stopDocumentAnswer(id)}>
            {words.stop}
          </button>
        )}
      </div>
    </article>
  );
}
