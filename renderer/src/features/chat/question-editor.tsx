/** A question that is being asked in other words, in its own place. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Message } from '../../../../contract/messages.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { fitText } from './fit-text.ts';
import { sends } from './send-key.ts';

export function QuestionEditor({ message, onClose }: { message: Message; onClose: () => void }) {
  const commands = useCommands();
  const [text, setText] = useState(message.text);
  const field = useRef<HTMLTextAreaElement>(null);
  const empty = text.trim() === '' && (message.attachments ?? []).length === 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the field fits its text, so the text is the reason
  useLayoutEffect(() => fitText(field.current), [text]);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(message.text.length, message.text.length);
  }, [message.text]);

  function submit(): void {
    if (empty) return;
    void commands.editQuestion(message, text).then((taken) => {
      if (taken) onClose();
    });
  }

  return (
    <div className="question-editor">
      <textarea
        ref={field}
        className="composer-input"
        dir="auto"
        rows={1}
        aria-label={strings.messages.editLabel}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          const { key, shiftKey, altKey, keyCode } = event;
          const { isComposing } = event.nativeEvent;
          // Keys of the conversation and of the window are letters here, and Esc ends editing before all else.
          event.stopPropagation();
          if (key === 'Escape' && !isComposing && keyCode !== 229) onClose();
          else if (sends({ key, shiftKey, altKey, keyCode, isComposing })) {
            event.preventDefault();
            submit();
          }
        }}
      />
      <div className="question-editor-bar">
        <span className="composer-hint">{strings.messages.editHint}</span>
        <button type="button" className="button" onClick={onClose}>
          {strings.messages.cancelEdit}
        </button>
        <button type="button" className="button is-primary" disabled={empty} onClick={submit}>
          {strings.messages.sendEdit}
        </button>
      </div>
    </div>
  );
}
