/** Copies a text and says so for a moment. */
import { useEffect, useRef, useState } from 'react';
import { useCommands } from '../store/context.ts';
import { IconButton } from './icon-button.tsx';
import { CheckIcon, CopyIcon } from './icons.tsx';

const DONE_MS = 1600;

export function CopyButton({ text, label, done }: { text: () => string; label: string; done: string }) {
  const commands = useCommands();
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function copy(): Promise<void> {
    if (!(await commands.copy(text()))) return;
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), DONE_MS);
  }

  return (
    <IconButton label={copied ? done : label} size="small" onClick={() => void copy()}>
      {copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
    </IconButton>
  );
}
