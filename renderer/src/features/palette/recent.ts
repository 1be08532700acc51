/** What was chosen in the palette last, newest first, over restarts. */

const KEY = 'shadownpu.palette';
const MOST = 8;

/** Never throws: what cannot be read counts as nothing. */
export function readRecent(storage: Pick<Storage, 'getItem'>): readonly string[] {
  try {
    const ids: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function rememberRecent(storage: Pick<Storage, 'getItem' | 'setItem'>, id: string): void {
  const ids = [id, ...readRecent(storage).filter((other) => other !== id)].slice(0, MOST);
  try {
    storage.setItem(KEY, JSON.stringify(ids));
  } catch {
    // Full or blocked: the palette simply does not learn.
  }
}
