/** A field for a text of several lines that is saved when typing pauses, and at once when the field is left. */
import { useEffect, useRef, useState } from 'react';

const SAVE_MS = 600;

interface SavedTextProps {
  readonly id: string;
  readonly rows: number;
  readonly saved: string;
  readonly maxLength?: number;
  readonly placeholder?: string;
  readonly onSave: (text: string) => void;
}

export function SavedText({ saved, onSave, ...field }: SavedTextProps) {
  /** What was typed and is not saved yet. */
  const [typed, setTyped] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef({ typed, onSave });
  latest.current = { typed, onSave };

  function save(): void {
    clearTimeout(timer.current);
    timer.current = undefined;
    if (latest.current.typed !== undefined) latest.current.onSave(latest.current.typed);
    setTyped(undefined);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the field goes away, with what was typed last
  useEffect(() => () => (timer.current === undefined ? undefined : save()), []);

  return (
    <textarea
      {...field}
      className="text-area"
      dir="auto"
      value={typed ?? saved}
      onChange={(event) => {
        setTyped(event.target.value);
        clearTimeout(timer.current);
        timer.current = setTimeout(save, SAVE_MS);
      }}
      onBlur={() => {
        if (timer.current !== undefined) save();
      }}
    />
  );
}
