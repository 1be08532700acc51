/** Which comparison is shown, and the way to a new one. */
import { formatDate } from '../../format.ts';
import { strings } from '../../strings.ts';
import { PlusIcon } from '../../ui/icons.tsx';
import type { Kept } from './use-kept.ts';

export function KeptBar({ kept: { entries, shownId, choose } }: { kept: Omit<Kept, 'shown'> }) {
  const words = strings.compare;
  if (entries.length === 0) return null;
  return (
    <div className="compare-bar">
      <select
        className="select"
        aria-label={words.kept}
        value={shownId ?? ''}
        onChange={({ target }) => choose(target.value === '' ? null : target.value)}
      >
        <option value="">{words.newOne}</option>
        {entries.map(({ id, title, createdAt }) => (
          <option key={id} value={id}>
            {words.entry(title, formatDate(createdAt))}
          </option>
        ))}
      </select>
      {shownId !== undefined && (
        <button type="button" className="button" onClick={() => choose(null)}>
          <PlusIcon size={16} />
          {words.newOne}
        </button>
      )}
    </div>
  );
}
