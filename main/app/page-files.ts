/** Which file an address of the window's page means. */
import path from 'node:path';

export const SCHEME = 'app';
const HOST = 'shadownpu';
export const ORIGIN = `${SCHEME}://${HOST}`;

/** The file below `root` that `url` names, or undefined where it names anything else. */
export function fileOf(root: string, url: string): string | undefined {
  let name: string;
  try {
    const parsed = new URL(url);
    if (parsed.protocol !== `${SCHEME}:` || parsed.host !== HOST) return undefined;
    name = decodeURIComponent(parsed.pathname);
  } catch {
    return undefined;
  }
  if (name.includes('\0') || name.includes('\\')) return undefined;
  const file = path.join(root, name);
  return file.startsWith(root + path.sep) ? file : undefined;
}
