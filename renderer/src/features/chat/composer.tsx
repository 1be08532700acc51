/** Where questions are written. Grows with its text, sends by Enter, and is the Stop button while an answer runs. */
import { useLayoutEffect, useRef } from 'react';
import type { Message } from '../../../../contract/messages.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { draftKey, readiness, streamingMessage } from '../../store/state.ts';
import { strings } from '../../strings.ts';
import { SendIcon, StopIcon } from '../../ui/icons.tsx';
import { COMPOSER_ID } from '../frame/focus.ts';
import { AttentionPicker } from './attention-picker.tsx';
import { sends } from './send-key.ts';

const MAX_LENGTH = 4_000_000;

export function Composer() {
  const commands = useCommands();
  const key = useAppState(draftKey);
  const text = useAppState((state) => state.drafts[draftKey(state)] ?? '');
  const answer = useAppState((state) => streamingMessage(state, state.activeChatId));
  const field = useRef<HTMLTextAreaElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the field fits its text, so the text is the reason
  useLayoutEffect(() => fitText(field.current), [text, key]);

  function submit(): void {
    // An answer in this chat must end first; what was written stays.
    if (answer === undefined) void commands.submit();
  }

  return (
    <div className="composer">
      <textarea
        ref={field}
        id={COMPOSER_ID}
        className="composer-input"
        data-testid="composer-input"
        aria-label={strings.composer.label}
        aria-describedby="composer-hint"
        placeholder={strings.composer.placeholder}
        rows={1}
        maxLength={MAX_LENGTH}
        value={text}
        onChange={(event) => commands.setDraft(event.target.value)}
        onKeyDown={(event) => {
          const { key: pressed, shiftKey, altKey, keyCode } = event;
          if (!sends({ key: pressed, shiftKey, altKey, keyCode, isComposing: event.nativeEvent.isComposing })) return;
          event.preventDefault();
          submit();
        }}
      />
      <div className="composer-bar">
        <AttentionPicker />
        <Hint answering={answer !== undefined} />
        <Action answer={answer} empty={text.trim() === ''} onSend={submit} />
      </div>
    </div>
  );
}

/** What the keys do, or what stands in the way. */
function Hint({ answering }: { answering: boolean }) {
  const answered = useAppState((state) => readiness(state.engine));
  const keys = answering ? strings.composer.answering : strings.composer.hint;
  const words = { now: keys, later: strings.composer.later, never: strings.composer.never }[answered];
  return (
    <span id="composer-hint" className={`composer-hint${answered === 'now' ? '' : ' is-news'}`}>
      {words}
    </span>
  );
}

interface ActionProps {
  readonly answer: Message | undefined;
  readonly empty: boolean;
  readonly onSend: () => void;
}

function Action({ answer, empty, onSend }: ActionProps) {
  const commands = useCommands();
  const never = useAppState((state) => readiness(state.engine) === 'never');
  const sending = useAppState((state) => state.sending.includes(draftKey(state)));
  const stopping = useAppState((state) => answer !== undefined && state.activities[answer.id]?.stopping === true);
  if (answer !== undefined) {
    return (
      <button
        type="button"
        className="send is-stop"
        data-testid="stop-button"
        aria-label={stopping ? strings.composer.stopping : strings.composer.stop}
        title={strings.composer.stopHint}
        disabled={stopping}
        onClick={() => void commands.stop(answer.id)}
      >
        <StopIcon />
      </button>
    );
  }
  return (
    <button
      type="button"
      className="send"
      data-testid="send-button"
      aria-label={strings.composer.send}
      title={strings.composer.sendHint}
      disabled={empty || sending || never}
      onClick={onSend}
    >
      <SendIcon />
    </button>
  );
}

/** As high as its text; CSS holds the limits. */
function fitText(field: HTMLTextAreaElement | null): void {
  if (field === null) return;
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight}px`;
}
