/** The open document: what it is and what is wrong with it, its summaries, questions about it, and its text. */
import { useState } from 'react';
import type { LibraryDocument } from '../../../../contract/library-documents.ts';
import type { Citation } from '../../../../contract/summaries.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TrashIcon } from '../../ui/icons.tsx';
import { DocumentQuestions } from './document-questions.tsx';
import { DocumentState } from './document-state.tsx';
import { DocumentText } from './document-text.tsx';
import { Summaries } from './summaries.tsx';

interface WorkProps {
  readonly document: LibraryDocument;
  /** The place in its text that is shown; undefined while the text is hidden. */
  readonly shown: Citation | undefined;
  /** May be of another document. */
  readonly onShow: (citation: Citation | undefined) => void;
}

export function DocumentWork({ document, shown, onShow }: WorkProps) {
  const commands = useCommands();
  const words = strings.documents;
  const [removing, setRemoving] = useState(false);
  const { id, name, title, pageCount } = document;
  return (
    <div className={`document-work${shown === undefined ? '' : ' has-text'}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <div className="document-main" tabIndex={0}>
        <header className="document-head">
          <div className="document-titles">
            <h2 dir="auto">{title ?? name}</h2>
            {pageCount !== undefined && <p className="document-facts">{words.facts(document)}</p>}
          </div>
          {pageCount !== undefined && (
            <button
              type="button"
              className="button"
              aria-expanded={shown !== undefined}
              onClick={() => onShow(shown === undefined ? { documentId: id, page: 1, score: 1 } : undefined)}
            >
              {shown === undefined ? words.text : words.hideText}
            </button>
          )}
          <IconButton label={words.remove} onClick={() => setRemoving(true)}>
            <TrashIcon />
          </IconButton>
        </header>
        <DocumentState document={document} />
        {pageCount !== undefined && (
          <>
            <Summaries documentId={id} onCite={onShow} />
            <DocumentQuestions documentId={id} onCite={onShow} />
          </>
        )}
      </div>
      {shown !== undefined && (
        <DocumentText key={`${document.state} ${document.bytes}`} document={document} shown={shown} onShow={onShow} />
      )}
      {removing && (
        <Confirm
          title={words.removeTitle}
          text={words.removeText}
          action={words.remove}
          danger
          onCancel={() => setRemoving(false)}
          onConfirm={() => {
            setRemoving(false);
            void commands.removeDocument(id);
          }}
        />
      )}
    </div>
  );
}
