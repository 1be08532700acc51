/** All documents: add one, open one, and where each stands. */
import { useMemo } from 'react';
import type { LibraryDocument } from '../../../../contract/library-documents.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { MoreIcon, PlusIcon } from '../../ui/icons.tsx';
import { MenuButton } from '../../ui/menu.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { VirtualRows } from '../../ui/virtual-rows.tsx';

/** In CSS pixels; documents.css sets the same. */
const ROW_HEIGHT = 62;

interface ListProps {
  readonly documents: readonly LibraryDocument[] | null;
  readonly openId: string | undefined;
  readonly onPaste: () => void;
}

export function DocumentList({ documents, openId, onPaste }: ListProps) {
  const commands = useCommands();
  const words = strings.documents;
  const rows = useMemo(() => (documents ?? []).map((document) => ({ key: document.id, document })), [documents]);
  return (
    <aside className="document-list" aria-label={words.list}>
      <div className="document-list-head">
        <button type="button" className="button" onClick={() => void commands.addDocuments('files')}>
          <PlusIcon size={16} />
          {words.addFiles}
        </button>
        <MenuButton
          label={words.more}
          size="normal"
          entries={[
            { label: words.addFolder, onSelect: () => void commands.addDocuments('folder') },
            { label: words.paste, onSelect: onPaste },
          ]}
        >
          <MoreIcon />
        </MenuButton>
      </div>
      {documents?.length === 0 && <p className="document-none">{words.none}</p>}
      <VirtualRows
        rows={rows}
        heightOf={() => ROW_HEIGHT}
        reachable={() => true}
        activeKey={openId}
        target=".document-open"
      >
        {({ document }, tabStop) => <Item document={document} open={document.id === openId} tabStop={tabStop} />}
      </VirtualRows>
    </aside>
  );
}

interface ItemProps {
  readonly document: LibraryDocument;
  readonly open: boolean;
  readonly tabStop: boolean;
}

function Item({ document, open, tabStop }: ItemProps) {
  const commands = useCommands();
  const words = strings.documents;
  const { id, name, title, state, progress, error } = document;
  const locked = error?.kind === 'password-needed' || error?.kind === 'password-wrong';
  return (
    <div className={`document-item${open ? ' is-active' : ''}`} data-testid="document-item" data-state={state}>
      <button
        type="button"
        className="document-open"
        tabIndex={tabStop ? 0 : -1}
        aria-current={open ? 'true' : undefined}
        title={name}
        onClick={() => void commands.openDocument(id)}
      >
        <span className="document-name" dir="auto">
          {title ?? name}
        </span>
        <span className="document-facts">
          {state === 'ready' ? words.facts(document) : locked ? words.locked : words.states[state]}
        </span>
      </button>
      {state === 'reading' && progress !== undefined && (
        <ProgressBar done={progress.done} total={progress.total} label={words.states.reading} />
      )}
    </div>
  );
}
