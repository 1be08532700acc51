/** A text that is in no file. */
import { useState } from 'react';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Dialog } from '../../ui/dialog.tsx';

const LONGEST = 20_000_000;

export function PasteDialog({ onClose }: { onClose: () => void }) {
  const commands = useCommands();
  const [text, setText] = useState('');
  const words = strings.documents;
  return (
    <Dialog
      title={words.pasteTitle}
      size="wide"
      onClose={onClose}
      footer={
        <button
          type="button"
          className="button is-primary"
          disabled={text.trim() === ''}
          onClick={() => {
            onClose();
            void commands.pasteDocument(text);
          }}
        >
          {words.pasteAdd}
        </button>
      }
    >
      <textarea
        className="document-paste"
        data-autofocus=""
        aria-label={words.pasteLabel}
        dir="auto"
        rows={14}
        maxLength={LONGEST}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </Dialog>
  );
}
