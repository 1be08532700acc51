/** Questions about the open document, and about others beside it. */
import { type FormEvent, useState } from 'react';
import type { Citation, DocumentAnswer } from '../../../../contract/summaries.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { ErrorText } from '../../ui/error-text.tsx';
import { CitedText } from './cited-text.tsx';

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
    void commands.askDocuments([documentId, ...also], question);
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
      {others.length > 0 && (
        <details className="document-also">
          <summary>{words.also}</summary>
          {others.map(({ id, name, title }) => (
            <label key={id} className="document-also-item">
              <input
                type="checkbox"
                checked={also.includes(id)}
                onChange={({ target }) =>
                  setAlso(target.checked ? [...also, id] : also.filter((other) => other !== id))
                }
              />
              <span dir="auto">{title ?? name}</span>
            </label>
          ))}
        </details>
      )}
      {answers.map((answer) => (
        <Answer key={answer.id} answer={answer} onCite={onCite} />
      ))}
    </section>
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
