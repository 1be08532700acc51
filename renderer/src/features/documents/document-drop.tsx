/** Takes files and folders that are dropped anywhere on the page. */
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';

export function DocumentDrop({ children }: { children: ReactNode }) {
  const commands = useCommands();
  /** Enter and leave come for every element inside. */
  const depth = useRef(0);
  const [over, setOver] = useState(false);
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

  function move(event: DragEvent, by: 1 | -1): void {
    if (!hasFiles(event)) return;
    depth.current = Math.max(0, depth.current + by);
    setOver(depth.current > 0);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping has its keyboard way in the buttons of the page
    <div
      className={`documents-body${over ? ' is-over' : ''}`}
      data-testid="document-drop"
      onDragEnter={(event) => move(event, 1)}
      onDragLeave={(event) => move(event, -1)}
      onDragOver={(event) => {
        if (hasFiles(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        void commands.dropDocuments([...event.dataTransfer.files]);
      }}
    >
      {children}
      {over && <p className="documents-over">{strings.documents.drop}</p>}
    </div>
  );
}
