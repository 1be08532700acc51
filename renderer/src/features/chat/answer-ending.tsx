/** How an answer ended, where it did not simply end, and the ways on. */
import type { LimitChoice, Message } from '../../../../contract/messages.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { ErrorText } from '../../ui/error-text.tsx';
import { WarningIcon } from '../../ui/icons.tsx';

export function AnswerEnding({ message }: { message: Message }) {
  const { state, text, error, result, limit } = message;
  if (state === 'failed' && limit !== undefined) return <LimitChoices message={message} limit={limit} />;
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

/** Nothing is left out silently: what to do is asked. */
function LimitChoices({ message, limit }: { message: Message; limit: NonNullable<Message['limit']> }) {
  const commands = useCommands();
  const words = strings.limit;
  return (
    <section className="limit" data-testid="limit" aria-label={words.title}>
      <p className="limit-title">
        <WarningIcon size={18} />
        {words.title}
      </p>
      <p>
        {words.numbers(limit.needed, limit.available)} {limit.choices.length === 0 && words.alone}
      </p>
      {limit.choices.length > 0 && (
        <ul className="limit-choices">
          {limit.choices.map((choice: LimitChoice) => (
            <li key={choice}>
              <button
                type="button"
                className="button"
                aria-describedby={`${message.id}-${choice}`}
                onClick={() => void commands.resolveLimit(message, choice)}
              >
                {words.choices[choice]}
              </button>
              <span id={`${message.id}-${choice}`}>{words.explain[choice]}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
