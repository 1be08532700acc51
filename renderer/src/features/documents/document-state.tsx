/** Where reading stands, and what could not be read: nothing of that is kept quiet. */
import { type FormEvent, useState } from 'react';
import type { DocumentProblem, PageProblem } from '../../../../contract/documents.ts';
import type { LibraryDocument } from '../../../../contract/library-documents.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { ErrorText } from '../../ui/error-text.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { ScannedOffer } from './scanned-offer.tsx';

export function DocumentState({ document }: { document: LibraryDocument }) {
  const commands = useCommands();
  const words = strings.documents;
  const { id, state, progress = { done: 0, total: 0 }, recognising, error, file } = document;
  const { problems = [], pageProblems = [], recognisedPages = [] } = document;
  const scanned = pageProblems.filter(({ problem }) => problem === 'scanned').length;
  const doing = recognising ? words.ocr.working : words.states[state];
  const locked = error?.kind === 'password-needed' || error?.kind === 'password-wrong';
  return (
    <>
      {(state === 'waiting' || state === 'reading') && (
        <div className="document-reading">
          <span role="status">
            {doing}
            {progress.total > 0 && ` · ${words.reading(progress.done, progress.total)}`}
          </span>
          <ProgressBar {...progress} label={doing} />
          <button type="button" className="button" onClick={() => void commands.stopReading(id)}>
            {words.stopReading}
          </button>
        </div>
      )}
      {error !== undefined && (
        <div className="document-error" role="alert" data-testid="error-notice">
          <ErrorText error={error} />
          {locked ? (
            <Password documentId={id} />
          ) : (
            <button type="button" className="button" onClick={() => void commands.readDocument(id)}>
              {words.readAgain}
            </button>
          )}
        </div>
      )}
      {file !== undefined && (
        <div className="document-note">
          <p>{words[file]}</p>
          {file === 'changed' && (
            <button type="button" className="button" onClick={() => void commands.readDocument(id)}>
              {words.readAgain}
            </button>
          )}
        </div>
      )}
      {problems.length + pageProblems.length + recognisedPages.length > 0 && (
        <ul className="document-problems" data-testid="document-problems">
          {problems.map((problem) => (
            <li key={JSON.stringify(problem)}>{problemText(problem)}</li>
          ))}
          {byProblem(pageProblems).map(([problem, pages]) => (
            <li key={problem}>{words.pageProblem(problem, pages)}</li>
          ))}
          {recognisedPages.length > 0 && <li>{words.recognised(recognisedPages)}</li>}
        </ul>
      )}
      {scanned > 0 && state === 'ready' && file === undefined && <ScannedOffer documentId={id} pages={scanned} />}
    </>
  );
}

function Password({ documentId }: { documentId: string }) {
  const commands = useCommands();
  const words = strings.documents;
  const [password, setPassword] = useState('');
  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    void commands.readDocument(documentId, password);
    setPassword('');
  }
  return (
    <form className="document-password" onSubmit={onSubmit}>
      <input
        type="password"
        aria-label={words.password}
        placeholder={words.password}
        autoComplete="off"
        maxLength={1000}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <button type="submit" className="button is-primary" disabled={password === ''}>
        {words.unlock}
      </button>
    </form>
  );
}

function problemText(problem: DocumentProblem): string {
  const words = strings.documents.fileProblem;
  switch (problem.kind) {
    case 'damaged':
    case 'cut':
      return words[problem.kind];
    case 'missing-part':
    case 'protected-part':
      return words[problem.kind](problem.part);
    case 'encoding':
      return words.encoding(problem.encoding, problem.wrongCharacters);
  }
}

function byProblem(pages: NonNullable<LibraryDocument['pageProblems']>): [PageProblem, number[]][] {
  const groups = new Map<PageProblem, number[]>();
  for (const { page, problem } of pages) groups.set(problem, [...(groups.get(problem) ?? []), page]);
  return [...groups];
}
