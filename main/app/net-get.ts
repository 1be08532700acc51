/** `HttpGet` through Chromium's network: the system's proxy, its certificates, and HTTP/2. */
import type { Readable } from 'node:stream';
import { net } from 'electron';
import type { HttpGet } from '../library/http.ts';

export const netGet: HttpGet = (url, headers, signal) =>
  new Promise((resolve, reject) => {
    const request = net.request({ url, redirect: 'manual', credentials: 'omit', useSessionCookies: false });
    for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
    const abort = () => {
      request.abort();
      reject(new Error('aborted'));
    };
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort);
    request.on('redirect', (status, _method, location, told) => {
      // Not followed here: where it leads is judged first.
      resolve({ status, headers: { ...flat(told), location }, body: nothing() });
      request.abort();
    });
    request.on('response', (response) => {
      const body = response as unknown as Readable; // it is one, though typed as an emitter only
      resolve({ status: response.statusCode, headers: flat(response.headers), body });
    });
    // A proxy that wants a password: the system's own sign-in is the place for that.
    request.on('login', (_info, answer) => answer());
    request.on('error', reject);
    request.end();
  });

async function* nothing(): AsyncGenerator<Uint8Array> {}

function flat(headers: Record<string, string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}
