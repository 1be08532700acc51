/** The documents screen: the list, and the open document with its summaries, questions and text. */
import { useEffect, useState } from 'react';
import type { Citation } from '../../../../contract/summaries.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Screen } from '../frame/page.tsx';
import { DocumentDrop } from './document-drop.tsx';
import { DocumentList } from './document-list.tsx';
import { DocumentWork } from './document-work.tsx';
import { LeftOut } from './left-out.tsx';
import { PasteDialog } from './paste-dialog.tsx';
import './documents.css';

export function DocumentsView() {
  const commands = useCommands();
  const [pasting, setPasting] = useState(false);
  const documents = useAppState((state) => state.documents);
  const openId = useAppState((state) => state.openDocumentId);
  useEffect(() => void commands.readDocuments(), [commands]);
  const open = documents?.find(({ id }) => id === openId);
  /** What the text shows, of whichever document. */
  const [shown, setShown] = useState<Citation>();
  const show = (citation: Citation | undefined) => {
    setShown(citation);
    if (citation !== undefined && citation.documentId !== openId) void commands.openDocument(citation.documentId);
  };
  return (
    <Screen title={strings.documents.title}>
      <LeftOut />
      <DocumentDrop>
        <DocumentList documents={documents} openId={open?.id} onPaste={() => setPasting(true)} />
        {open === undefined ? (
          <Empty none={documents?.length === 0} />
        ) : (
          <DocumentWork
            key={open.id}
            document={open}
            shown={shown?.documentId === open.id ? shown : undefined}
            onShow={show}
          />
        )}
      </DocumentDrop>
      {pasting && <PasteDialog onClose={() => setPasting(false)} />}
    </Screen>
  );
}

function Empty({ none }: { none: boolean }) {
  const commands = useCommands();
  const words = strings.documents;
  return (
    <div className="documents-empty">
      <h2>{words.emptyTitle}</h2>
      <p>{words.empty}</p>
      {none && (
        <button type="button" className="button is-primary" onClick={() => void commands.addDocuments('files')}>
          {words.addFiles}
        </button>
      )}
    </div>
  );
}
