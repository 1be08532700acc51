/** Where downloads may come from: https, and plain http only from this very machine. */
import { AppError } from '../../contract/errors.ts';

const HUB = 'https://huggingface.co';

/** Of an address with http or https. */
export function isAllowed(address: string): boolean {
  const url = parsed(address);
  if (url === undefined || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

/** Whether a redirect may be followed: never from the network to this machine, and never to plain http elsewhere. */
export function mayFollow(from: string, to: string): boolean {
  const [source, target] = [parsed(from), parsed(to)];
  if (source === undefined || target === undefined || !isAllowed(to)) return false;
  return isLoopback(source) || !isLoopback(target);
}

/**
 * `url` on the server that the user has set in place of Hugging Face, e.g. "https://hf-mirror.com"; other hosts stay.
 * Throws AppError 'bad-input' for a server that is no https address.
 */
export function onMirror(url: string, mirror: string | undefined): string {
  if (mirror === undefined || mirror.trim() === '' || !url.startsWith(`${HUB}/`)) return url;
  const base = mirror.trim().replace(/\/+$/, '');
  if (!isAllowed(base)) {
    throw new AppError('bad-input', `The download server "${base}" is no https address.`, {
      action: 'Change it in Models, e.g. to https://hf-mirror.com, or leave it empty.',
    });
  }
  return `${base}${url.slice(HUB.length)}`;
}

function parsed(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
