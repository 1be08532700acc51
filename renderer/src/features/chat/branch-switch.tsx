/** Which version of a message is shown, of how many, and the way to the others. */
import type { Message } from '../../../../contract/messages.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { LeftIcon, RightIcon } from '../../ui/icons.tsx';

export function BranchSwitch({ message: { id, chatId, siblings = [] } }: { message: Message }) {
  const commands = useCommands();
  if (siblings.length < 2) return null;
  const at = siblings.indexOf(id);
  const go = (to: number) => {
    const other = siblings[to];
    if (other !== undefined) void commands.selectBranch(chatId, other);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className="branches" role="group" aria-label={strings.messages.branch(at + 1, siblings.length)}>
      <IconButton
        label={strings.messages.previousBranch}
        size="small"
        disabled={at <= 0}
        data-action="previous-branch"
        onClick={() => go(at - 1)}
      >
        <LeftIcon size={16} />
      </IconButton>
      <span className="branches-place">
        {at + 1} / {siblings.length}
      </span>
      <IconButton
        label={strings.messages.nextBranch}
        size="small"
        disabled={at >= siblings.length - 1}
        data-action="next-branch"
        onClick={() => go(at + 1)}
      >
        <RightIcon size={16} />
      </IconButton>
    </div>
  );
}
