/** An answer: its text as it grows, how it ended, and what one can do with it. */
import { memo } from 'react';
import type { Message } from '../../../../contract/messages.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { type Activity, readiness } from '../../store/state.ts';
import { strings } from '../../strings.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ForwardIcon, RetryIcon } from '../../ui/icons.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { AnswerEnding } from './answer-ending.tsx';
import { liveFigure } from './answer-figures.ts';
import { AnswerFooter } from './answer-footer.tsx';
import { BranchSwitch } from './branch-switch.tsx';
import { CondensedNote } from './condensed-note.tsx';
import { PrefillProgress } from './prefill-progress.tsx';

interface AssistantMessageProps {
  readonly message: Message;
  readonly activity: Activity | undefined;
  /** It ends the path: an answer can go on only there. */
  readonly last: boolean;
  /** The chunk of its text that stays in the page. */
  readonly held: number | undefined;
}

export const AssistantMessage = memo(function AssistantMessage(props: AssistantMessageProps) {
  const { message, activity, last, held } = props;
  const { text, state, result, note } = message;
  const streaming = state === 'streaming';
  // The first message of a chat that goes on from another one is nothing but a note.
  const opening = message.parentId === null;
  return (
    <article
      className={`answer is-${state}`}
      data-testid={opening ? 'opening-note' : 'message-assistant'}
      data-state={state}
      tabIndex={-1}
      aria-label={strings.messages.assistant}
      aria-busy={streaming}
    >
      {note !== undefined && <CondensedNote note={note} opening={opening} />}
      {streaming && text === '' && <PrefillProgress prefill={activity?.prefill} opening={opening} />}
      {text !== '' && <Markdown text={text} streaming={streaming} held={held} />}
      <AnswerEnding message={message} />
      {message.omitted !== undefined && <p className="answer-ending">{strings.messages.omitted(message.omitted)}</p>}
      {!opening && (
        <div className="answer-foot">
          {streaming ? (
            <span className="footer-live">{text === '' ? '' : liveFigure(activity?.tokensPerSecond)}</span>
          ) : (
            <>
              {result !== undefined && <AnswerFooter result={result} />}
              <Tools message={message} last={last} />
            </>
          )}
        </div>
      )}
    </article>
  );
});

function Tools({ message, last }: { message: Message; last: boolean }) {
  const commands = useCommands();
  const answerable = useAppState((state) => readiness(state.engine) !== 'never');
  const cut = message.state !== 'complete' || message.result?.finishReason === 'length';
  return (
    <div className="answer-tools">
      <BranchSwitch message={message} />
      {message.text !== '' && (
        <CopyButton
          text={() => message.text}
          label={strings.messages.copy}
          done={strings.messages.copied}
          action="copy"
        />
      )}
      <IconButton
        label={strings.messages.regenerate}
        size="small"
        disabled={!answerable}
        data-action="regenerate"
        onClick={() => void commands.regenerate(message)}
      >
        <RetryIcon size={16} />
      </IconButton>
      {last && cut && message.text !== '' && (
        <button
          type="button"
          className="button"
          disabled={!answerable}
          onClick={() => void commands.continueAnswer(message)}
        >
          <ForwardIcon size={16} />
          {strings.messages.continue}
        </button>
      )}
    </div>
  );
}
