/** Takes a model file or folder that is dropped anywhere on the page. */
import type { ReactNode } from 'react';
import { AppError } from '../../../../contract/errors.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { useFileDrop } from '../../ui/file-drop.ts';

export function DropArea({ children }: { children: ReactNode }) {
  const words = strings.models.add;
  const commands = useCommands();
  const { over, handlers } = useFileDrop(([file, ...more]) => {
    if (file === undefined) return;
    if (more.length > 0) commands.report(new AppError('usage', words.notOne));
    else void commands.importDropped(file);
  });
  return (
    <div className={`models-drop${over ? ' is-over' : ''}`} {...handlers}>
      {children}
      {over && <p className="models-drop-words">{words.drop}</p>}
    </div>
  );
}
