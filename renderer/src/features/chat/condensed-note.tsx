/** The note that stands for earlier messages when the model is asked. */
import { strings } from '../../strings.ts';
import { Markdown } from '../markdown/markdown.tsx';

interface CondensedNoteProps {
  readonly note: string;
  /** It came from another chat, and nothing of this one is before it. */
  readonly opening: boolean;
}

export function CondensedNote({ note, opening }: CondensedNoteProps) {
  return (
    <details className="note" data-testid="note" open={opening}>
      <summary>{strings.note.title}</summary>
      <p className="note-help">{opening ? strings.note.fromOther : strings.note.explain}</p>
      <Markdown text={note} streaming={false} />
    </details>
  );
}
