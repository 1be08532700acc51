/** A title that is being changed in its place. */
import { useEffect, useRef, useState } from 'react';

interface TitleFieldProps {
  readonly label: string;
  readonly title: string;
  /** `refocus`: ended by a key, so the focus goes back to where it was. */
  readonly onDone: (title: string, refocus: boolean) => void;
  readonly onCancel: () => void;
}

export function TitleField({ label, title, onDone, onCancel }: TitleFieldProps) {
  const [text, setText] = useState(title);
  // Leaving by key removes the field, which blurs it once more.
  const ended = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <input
      className="chat-rename"
      aria-label={label}
      value={text}
      maxLength={200}
      dir="auto"
      ref={field}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => {
        if (!ended.current) onDone(text, false);
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing || event.keyCode === 229) return;
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.preventDefault();
        ended.current = true;
        if (event.key === 'Enter') onDone(text, true);
        else onCancel();
      }}
    />
  );
}
