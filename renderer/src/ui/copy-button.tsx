/** Copies a text and says so for a moment. */
import { useEffect, useRef, useState } from 'react';
import { useCommands } from '../store/context.ts';
import { IconButton } from './icon-button.tsx';
import { CheckIcon, CopyIcon } from './icons.tsx';

const DONE_MS = 1600;

interface CopyButtonProps {
  readonly text: () => string;
  readonly label: string;
  readonly done: string;
  /** What keys know it by, where a key presses it. */
  readonly action?: string;
}

export function CopyButton({ text, label, done, action }: CopyButtonProps) {
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
    <IconButton label={copied ? done : label} size="small" data-action={action} onClick={() => void copy()}>
      {copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
    </IconButton>
  );
}
