/** What was left out of a folder that was added, until it was seen. */
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';

export function LeftOut() {
  const commands = useCommands();
  const folder = useAppState((state) => state.folderAdded);
  const words = strings.documents.leftOut;
  if (folder === null) return null;
  return (
    <div className="documents-left-out" role="status" data-testid="left-out">
      <details>
        <summary>{words.title(folder.added)}</summary>
        <ul>
          {folder.leftOut.map(({ reason, count, names }) => (
            <li key={reason}>
              {words.reasons[reason](count)} <span dir="auto">{words.names(names, count)}</span>
            </li>
          ))}
        </ul>
      </details>
      <IconButton label={words.close} size="small" onClick={() => commands.closeLeftOut()}>
        <CloseIcon size={14} />
      </IconButton>
    </div>
  );
}
