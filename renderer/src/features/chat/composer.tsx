/** Where questions are written. Grows with its text, sends by Enter, and is the Stop button while an answer runs. */
import { useLayoutEffect, useRef } from 'react';
import type { Attachment } from '../../../../contract/drafts.ts';
import type { Message } from '../../../../contract/messages.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { draftKey, readiness, streamingMessage } from '../../store/state.ts';
import { strings } from '../../strings.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { ClipIcon, SendIcon, StopIcon } from '../../ui/icons.tsx';
import { COMPOSER_ID } from '../frame/focus.ts';
import { AttachmentList } from './attachment-list.tsx';
import { AttentionPicker } from './attention-picker.tsx';
import { ContextGauge } from './context-gauge.tsx';
import { fitText } from './fit-text.ts';
import { sends } from './send-key.ts';

const MAX_LENGTH = 4_000_000;
const NO_FILES: readonly Attachment[] = [];

export function Composer() {
  const commands = useCommands();
  const key = useAppState(draftKey);
  const text = useAppState((state) => state.drafts[draftKey(state)] ?? '');
  const attachments = useAppState((state) => state.attachments[draftKey(state)] ?? NO_FILES);
  const answer = useAppState((state) => streamingMessage(state, state.activeChatId));
  const field = useRef<HTMLTextAreaElement>(null);
  const files = fileState(attachments);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the field fits its text, so the text is the reason
  useLayoutEffect(() => fitText(field.current), [text, key]);

  function submit(): void {
    // An answer in this chat must end first, and files must have been read; what was written stays.
    if (answer === undefined && files === 'ready') void commands.submit();
  }

  return (
    <div className="composer">
      <AttachmentList attachments={attachments} draft />
      <textarea
        ref={field}
        id={COMPOSER_ID}
        className="composer-input"
        data-testid="composer-input"
        dir="auto"
        aria-label={strings.composer.label}
        aria-describedby="composer-hint"
        placeholder={strings.composer.placeholder}
        rows={1}
        maxLength={MAX_LENGTH}
        value={text}
        onChange={(event) => commands.setDraft(event.target.value)}
        onPaste={(event) => {
          const pasted = [...event.clipboardData.files];
          // A copied cell or web page comes as text and as a picture of it: then the text is meant.
          if (pasted.length === 0 || event.clipboardData.types.includes('text/plain')) return;
          event.preventDefault();
          void commands.attachFiles(pasted);
        }}
        onKeyDown={(event) => {
          const { key: pressed, shiftKey, altKey, keyCode } = event;
          if (!sends({ key: pressed, shiftKey, altKey, keyCode, isComposing: event.nativeEvent.isComposing })) return;
          event.preventDefault();
          submit();
        }}
      />
      <div className="composer-bar">
        <IconButton label={strings.composer.attach} size="small" onClick={() => void commands.chooseFiles()}>
          <ClipIcon size={18} />
        </IconButton>
        <AttentionPicker />
        <ContextGauge />
        <Hint answering={answer !== undefined} files={files} />
        <Action
          answer={answer}
          empty={text.trim() === '' && attachments.length === 0}
          ready={files === 'ready'}
          onSend={submit}
        />
      </div>
    </div>
  );
}

type FileState = 'ready' | 'reading' | 'unreadable';

function fileState(attachments: readonly Attachment[]): FileState {
  if (attachments.some(({ state }) => state === 'failed')) return 'unreadable';
  return attachments.some(({ state }) => state === 'reading') ? 'reading' : 'ready';
}

/** What the keys do, or what stands in the way. */
function Hint({ answering, files }: { answering: boolean; files: FileState }) {
  const words = strings.composer;
  const engine = useAppState((state) => state.engine);
  const resting = engine.state === 'unloaded';
  const news = newsOf(readiness(engine), resting, files);
  if (news !== undefined) {
    return (
      <span id="composer-hint" className="composer-hint is-news">
        {news}
      </span>
    );
  }
  const [first, second] = answering ? [words.answering] : resting ? [words.resting] : words.keys;
  return (
    <span id="composer-hint" className="composer-hint composer-keys">
      <span>{first}</span> {second !== undefined && <span>· {second}</span>}
    </span>
  );
}

function newsOf(answered: ReturnType<typeof readiness>, resting: boolean, files: FileState): string | undefined {
  const words = strings.composer;
  if (answered === 'never') return words.never;
  if (answered === 'later' && !resting) return words.later;
  return files === 'ready' ? undefined : words[files];
}

interface ActionProps {
  readonly answer: Message | undefined;
  readonly empty: boolean;
  readonly ready: boolean;
  readonly onSend: () => void;
}

function Action({ answer, empty, ready, onSend }: ActionProps) {
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
      disabled={empty || !ready || sending || never}
      onClick={onSend}
    >
      <SendIcon />
    </button>
  );
}
