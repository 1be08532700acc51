/** Which addresses a download goes to: the user's server in place of the hub, and redirects. */
import { isDownloadAddress, isLoopback, parseUrl } from '../../contract/addresses.ts';
import { AppError } from '../../contract/errors.ts';
import { phrase } from '../../contract/phrase.ts';

const HUB = 'https://huggingface.co';

/** Whether a redirect may be followed: never from the network to this machine, and never to plain http elsewhere. */
export function mayFollow(from: string, to: string): boolean {
  const [source, target] = [parseUrl(from), parseUrl(to)];
  if (source === undefined || target === undefined || !isDownloadAddress(to)) return false;
  return isLoopback(source) || !isLoopback(target);
}

/**
 * `url` on the server that the user has set in place of Hugging Face, e.g. "https://hf-mirror.com"; other hosts stay.
 * Throws AppError 'bad-input' for a server that is no https address.
 */
export function onMirror(url: string, mirror: string | undefined): string {
  if (mirror === undefined || mirror.trim() === '' || !url.startsWith(`${HUB}/`)) return url;
  const base = mirror.trim().replace(/\/+$/, '');
  if (!isDownloadAddress(base)) {
    throw new AppError('bad-input', phrase`The download server "${base}" is no https address.`, {
      action: 'Change it in Models, e.g. to https://hf-mirror.com, or leave it empty.',
    });
  }
  return `${base}${url.slice(HUB.length)}`;
}
