/** Proxies as the environment names them: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, in either case. */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

/**
 * @param {URL} url the resource that is wanted
 * @param {NodeJS.ProcessEnv} env
 * @returns {URL | undefined} the proxy to go through, if any
 * @throws {Error} when the variable holds no http or https address
 */
export function proxyFor(url, env) {
  /** @param {string} name */
  const read = (name) => env[name.toLowerCase()] || env[name.toUpperCase()];
  const scheme = url.protocol.slice(0, -1);
  const value = read(`${scheme}_proxy`) ?? env[`npm_config_${scheme}_proxy`] ?? read('all_proxy');
  if (!value || isExempt(url, read('no_proxy') ?? '')) return undefined;
  const proxy = tryUrl(value.includes('://') ? value : `http://${value}`);
  if (!proxy || !['http:', 'https:'].includes(proxy.protocol)) {
    throw new Error(`the proxy ${value.replace(/\/\/[^@/]*@/, '//***@')} is not an http or https address`);
  }
  return proxy;
}

/** @param {string} text */
function tryUrl(text) {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * @param {URL} url
 * @param {string} noProxy names, separated by commas or spaces: `*`, `host`, `.domain`, `*.domain`, each with an optional port
 */
function isExempt(url, noProxy) {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', wantedPort] = /^(.*?)(?::(\d+))?$/.exec(entry.replace(/^\*?\./, '')) ?? [];
      if (wantedPort !== undefined && wantedPort !== port) return false;
      return url.hostname === name || url.hostname.endsWith(`.${name}`);
    });
}

/**
 * Opens a tunnel to a host through a proxy (HTTP CONNECT).
 * @param {URL} proxy
 * @param {string} host
 * @param {number} port
 * @param {AbortSignal} signal ends the attempt
 * @returns {Promise<import('node:net').Socket>}
 */
export function openTunnel(proxy, host, port, signal) {
  const target = `${host}:${port}`;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return new Promise((resolve, reject) => {
    const request = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
      host: proxy.hostname,
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: target,
      headers: {
        host: target,
        ...(proxy.username ? { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` } : {}),
      },
      signal,
    });
    request.on('connect', (response, socket) => {
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(
        new Error(`the proxy ${proxy.host} answered ${response.statusCode} ${response.statusMessage} for ${target}`),
      );
    });
    request.on('error', (error) =>
      reject(new Error(`the proxy ${proxy.host} cannot be reached: ${error.message}`, { cause: error })),
    );
    request.end();
  });
}
