/** HTTP as downloads see it: one GET at a time, handed in by whoever has a network; redirects are followed here. */
import { AppError } from '../../contract/errors.ts';
import { phrase } from '../../contract/phrase.ts';
import { mayFollow } from './addresses.ts';

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** To be read to its end, or given up by aborting the request. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends one GET and resolves when the answer's head is there. Follows no redirect; one has an empty body. Rejects with an
 * Error whose `code` or message says what the network lacks. After `signal` aborts, nothing stays open.
 */
export type HttpGet = (
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<HttpResponse>;

export interface FinalResponse extends HttpResponse {
  readonly url: string;
  /** SHA-256 and size of the file as Hugging Face tells them on the way to its storage. */
  readonly linked: { readonly sha256?: string; readonly bytes?: number };
}

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/** Throws AppError 'download-failed' for a redirect that must not be followed, else what `get` throws. */
export async function getFollowing(
  get: HttpGet,
  address: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<FinalResponse> {
  let url = address;
  let linked: FinalResponse['linked'] = {};
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await get(url, headers, signal);
    linked = { ...linked, ...linkedOf(response.headers) };
    const { location } = response.headers;
    if (!REDIRECTS.includes(response.status) || location === undefined) return { ...response, url, linked };
    const next = resolved(location, url);
    if (next === undefined || !mayFollow(url, next)) {
      throw new AppError(
        'download-failed',
        phrase`${new URL(url).host} sends the download on to an address that is not safe to use.`,
        { action: 'Try again later, or set another download server.', detail: `${url} -> ${location}` },
      );
    }
    url = next;
  }
  throw new AppError('download-failed', phrase`${new URL(address).host} sends the download round in circles.`, {
    action: 'Try again later, or set another download server.',
  });
}

function resolved(location: string, base: string): string | undefined {
  try {
    return new URL(location, base).href;
  } catch {
    return undefined;
  }
}

function linkedOf(headers: HttpResponse['headers']): FinalResponse['linked'] {
  const sha256 = /^(?:W\/)?"?([0-9a-f]{64})"?$/i.exec(headers['x-linked-etag'] ?? '')?.[1]?.toLowerCase();
  const bytes = /^\d+$/.test(headers['x-linked-size'] ?? '') ? Number(headers['x-linked-size']) : undefined;
  return { ...(sha256 === undefined ? {} : { sha256 }), ...(bytes === undefined ? {} : { bytes }) };
}
