/** The prompt of a comparison: a text, or a question about a document. */
import { useEffect } from 'react';
import type { CompareForm } from '../../store/compare.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';

interface SourceFieldsProps {
  readonly form: CompareForm;
  readonly onChange: (part: Partial<CompareForm>) => void;
}

export function SourceFields({ form, onChange }: SourceFieldsProps) {
  const words = strings.compare;
  if (form.kind === 'document') return <DocumentFields form={form} onChange={onChange} />;
  return (
    <textarea
      className="compare-text"
      dir="auto"
      rows={7}
      aria-label={words.textLabel}
      placeholder={words.textPlaceholder}
      maxLength={400_000}
      data-testid="compare-text"
      value={form.text}
      onChange={({ target }) => onChange({ text: target.value })}
    />
  );
}

function DocumentFields({ form: { documentId, question }, onChange }: SourceFieldsProps) {
  const words = strings.compare;
  const commands = useCommands();
  const documents = useAppState((state) => state.documents);
  useEffect(() => void commands.readDocuments(), [commands]);
  const read = (documents ?? []).filter(({ pageCount }) => pageCount !== undefined);
  if (documents !== null && read.length === 0) {
    return (
      <div className="compare-none">
        <p>{words.noDocuments}</p>
        <button type="button" className="button" onClick={() => commands.setView('documents')}>
          {words.openDocuments}
        </button>
      </div>
    );
  }
  return (
    <>
      <select
        className="select"
        aria-label={words.documentLabel}
        value={read.some(({ id }) => id === documentId) ? documentId : ''}
        onChange={({ target }) => onChange({ documentId: target.value })}
      >
        <option value="">{words.chooseDocument}</option>
        {read.map(({ id, title, name }) => (
          <option key={id} value={id}>
            {title ?? name}
          </option>
        ))}
      </select>
      <input
        className="compare-text"
        type="text"
        dir="auto"
        aria-label={words.questionLabel}
        placeholder={words.defaultQuestion}
        maxLength={10_000}
        value={question}
        onChange={({ target }) => onChange({ question: target.value })}
      />
    </>
  );
}
