/** A GET request with Node's built-ins only: follows redirects, goes through proxies, gives up on silent hosts. */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect as tlsConnect } from 'node:tls';
import { openTunnel, proxyFor } from './proxy.mjs';

const MAX_REDIRECTS = 5;

/**
 * @typedef {object} GetOptions
 * @property {string} [method] default GET
 * @property {Record<string, string>} [headers]
 * @property {number} [connectMs] limit for each hop's answer to begin, default 15 s
 * @property {number} [idleMs] limit for silence within the body, default 30 s
 * @property {NodeJS.ProcessEnv} [env] where proxies are looked up
 */

/**
 * @param {string} address
 * @param {GetOptions} [options]
 * @returns {Promise<import('node:http').IncomingMessage>} the answer that is no redirect; its body must be read or destroyed
 * @throws {Error} when no answer comes
 */
export async function get(address, options = {}) {
  let url = new URL(address);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const response = await getOnce(url, options);
    const { location } = response.headers;
    if (![301, 302, 303, 307, 308].includes(response.statusCode ?? 0) || location === undefined) return response;
    response.destroy();
    const next = new URL(location, url);
    if (url.protocol === 'https:' && next.protocol !== 'https:')
      throw new Error(`${url.host} redirects to an address without TLS`);
    url = next;
  }
  throw new Error(`${url.host} redirects more than ${MAX_REDIRECTS} times`);
}

/**
 * @param {URL} url
 * @param {GetOptions} options
 * @returns {Promise<import('node:http').IncomingMessage>}
 */
async function getOnce(url, { method = 'GET', headers = {}, connectMs = 15_000, idleMs = 30_000, env = process.env }) {
  const secure = url.protocol === 'https:';
  const port = Number(url.port || (secure ? 443 : 80));
  const proxy = proxyFor(url, env);
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(new Error(`${url.host} did not answer within ${connectMs / 1000} s`)),
    connectMs,
  );
  try {
    const tunnel = proxy && (await openTunnel(proxy, url.hostname, port, limit.signal));
    return await new Promise((resolve, reject) => {
      const request = (secure ? httpsRequest : httpRequest)(url, {
        method,
        headers: { 'user-agent': 'shadownpu-setup', ...headers },
        // An agent would make its own connection.
        ...(tunnel
          ? { createConnection: () => (secure ? tlsConnect({ socket: tunnel, servername: url.hostname }) : tunnel) }
          : { agent: false }),
        signal: limit.signal,
      });
      request.on('response', (response) => {
        response.socket.setTimeout(idleMs, () =>
          response.destroy(new Error(`${url.host} went silent for ${idleMs / 1000} s`)),
        );
        resolve(response);
      });
      request.on('error', reject);
      request.end();
    });
  } catch (error) {
    throw limit.signal.aborted ? limit.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}
