/** An answer: its text as it grows, how it ended, and what one can do with it. */
import { memo } from 'react';
import type { Message } from '../../../../contract/messages.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { type Activity, readiness } from '../../store/state.ts';
import { strings } from '../../strings.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorText } from '../../ui/error-text.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { RetryIcon, WarningIcon } from '../../ui/icons.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { liveFigure } from './answer-figures.ts';
import { AnswerFooter } from './answer-footer.tsx';
import { PrefillProgress } from './prefill-progress.tsx';

interface AssistantMessageProps {
  readonly message: Message;
  readonly activity: Activity | undefined;
  /** The question that it answers, where it may be asked again from here. */
  readonly question: string | undefined;
}

export const AssistantMessage = memo(function AssistantMessage({ message, activity, question }: AssistantMessageProps) {
  const { text, state, result } = message;
  const streaming = state === 'streaming';
  return (
    <article
      className={`answer is-${state}`}
      data-testid="message-assistant"
      data-state={state}
      aria-label={strings.messages.assistant}
      aria-busy={streaming}
    >
      {streaming && text === '' && <PrefillProgress prefill={activity?.prefill} />}
      {text !== '' && <Markdown text={text} streaming={streaming} />}
      <Ending message={message} />
      {message.omitted !== undefined && <p className="answer-ending">{strings.messages.omitted(message.omitted)}</p>}
      <div className="answer-foot">
        {streaming ? (
          <span className="footer-live">{text === '' ? '' : liveFigure(activity?.tokensPerSecond)}</span>
        ) : (
          <>
            {result !== undefined && <AnswerFooter result={result} />}
            <Tools message={message} question={question} />
          </>
        )}
      </div>
    </article>
  );
});

/** How an answer ended, where it did not simply end. */
function Ending({ message: { state, text, error, result } }: { message: Message }) {
  if (state === 'failed') {
    return (
      <div className="answer-error" role="alert" data-testid="error-notice">
        <WarningIcon size={18} />
        <ErrorText error={error ?? { kind: 'internal', message: strings.messages.failedNoReason }} />
      </div>
    );
  }
  if (state === 'stopped') {
    return <p className="answer-ending">{text === '' ? strings.messages.stoppedEmpty : strings.messages.stopped}</p>;
  }
  if (state === 'complete' && result?.finishReason === 'length') {
    return <p className="answer-ending">{strings.messages.cutAtLength}</p>;
  }
  return null;
}

function Tools({ message, question }: { message: Message; question: string | undefined }) {
  const commands = useCommands();
  const answerable = useAppState((state) => readiness(state.engine) !== 'never');
  const again = message.state === 'failed' || message.state === 'stopped';
  return (
    <div className="answer-tools">
      {message.text !== '' && (
        <CopyButton text={() => message.text} label={strings.messages.copy} done={strings.messages.copied} />
      )}
      {question !== undefined &&
        (again ? (
          <button
            type="button"
            className="button"
            disabled={!answerable}
            onClick={() => void commands.askAgain(message.chatId, question)}
          >
            <RetryIcon size={16} />
            {strings.messages.askAgain}
          </button>
        ) : (
          <IconButton
            label={strings.messages.askAgain}
            size="small"
            disabled={!answerable}
            onClick={() => void commands.askAgain(message.chatId, question)}
          >
            <RetryIcon size={16} />
          </IconButton>
        ))}
    </div>
  );
}
