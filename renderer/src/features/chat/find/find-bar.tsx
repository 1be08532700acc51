/** Finds a text in the open chat, also in what is not drawn now. */
import { useEffect, useRef } from 'react';
import { strings } from '../../../strings.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { CloseIcon, DownIcon } from '../../../ui/icons.tsx';

interface FindBarProps {
  readonly query: string;
  /** From 0; undefined where nothing was found. */
  readonly at: number | undefined;
  readonly count: number;
  readonly onQuery: (query: string) => void;
  /** Goes on by one, back or forth; round at the ends. */
  readonly onStep: (step: 1 | -1) => void;
  readonly onClose: () => void;
}

export function FindBar({ query, at, count, onQuery, onStep, onClose }: FindBarProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const found = at === undefined ? strings.find.none : strings.find.count(at + 1, count);
  return (
    // biome-ignore lint/a11y/useSemanticElements: Chromium knows <search> from version 118 on
    <div className="find" role="search" data-testid="find-bar">
      <input
        ref={field}
        id={FIND_ID}
        className="find-field"
        type="text"
        dir="auto"
        aria-label={strings.find.label}
        placeholder={strings.find.placeholder}
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || event.keyCode === 229) return;
          if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') onClose();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span className="find-count" role="status">
        {query.trim() === '' ? '' : found}
      </span>
      <IconButton label={strings.find.previous} size="small" disabled={count === 0} onClick={() => onStep(-1)}>
        <span className="find-up">
          <DownIcon size={16} />
        </span>
      </IconButton>
      <IconButton label={strings.find.next} size="small" disabled={count === 0} onClick={() => onStep(1)}>
        <DownIcon size={16} />
      </IconButton>
      <IconButton label={strings.find.close} size="small" onClick={onClose}>
        <CloseIcon size={16} />
      </IconButton>
    </div>
  );
}

export const FIND_ID = 'chat-find';
