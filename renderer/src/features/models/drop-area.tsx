/** Takes a model file or folder that is dropped anywhere on the page. */
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { AppError } from '../../../../contract/errors.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';

export function DropArea({ children }: { children: ReactNode }) {
  const words = strings.models.add;
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
      className={`models-drop${over ? ' is-over' : ''}`}
      onDragEnter={(event) => move(event, 1)}
      onDragLeave={(event) => move(event, -1)}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        const [file, ...more] = event.dataTransfer.files;
        if (file === undefined) return;
        if (more.length > 0) commands.report(new AppError('usage', words.notOne));
        else void commands.importDropped(file);
      }}
    >
      {children}
      {over && <p className="models-drop-words">{words.drop}</p>}
    </div>
  );
}
