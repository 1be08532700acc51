/** Takes files and folders that are dropped anywhere on the page. */
import type { ReactNode } from 'react';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { useFileDrop } from '../../ui/file-drop.ts';

export function DocumentDrop({ children }: { children: ReactNode }) {
  const commands = useCommands();
  const { over, handlers } = useFileDrop((files) => void commands.dropDocuments(files));
  return (
    <div className={`documents-body${over ? ' is-over' : ''}`} data-testid="document-drop" {...handlers}>
      {children}
      {over && <p className="documents-over">{strings.documents.drop}</p>}
    </div>
  );
}
