import { describe, expect, test } from 'vitest';
import { proxyFor } from './proxy.mjs';

const HTTPS = new URL('https://models.example.org/file');

/** @param {NodeJS.ProcessEnv} env @param {URL} [url] */
const host = (env, url = HTTPS) => proxyFor(url, env)?.host;

describe('proxyFor', () => {
  test('takes the variable of the scheme, in either case, small letters first', () => {
    expect(host({ HTTPS_PROXY: 'http://a:1' })).toBe('a:1');
    expect(host({ https_proxy: 'http://b:2', HTTPS_PROXY: 'http://a:1' })).toBe('b:2');
    expect(host({ HTTP_PROXY: 'http://a:1' })).toBeUndefined();
    expect(host({ HTTP_PROXY: 'http://a:1' }, new URL('http://x.org/'))).toBe('a:1');
    expect(host({ ALL_PROXY: 'http://c:3' })).toBe('c:3');
    expect(host({ HTTPS_PROXY: '' })).toBeUndefined();
    expect(host({})).toBeUndefined();
  });

  test('reads an address without a scheme as http', () => {
    expect(proxyFor(HTTPS, { HTTPS_PROXY: 'proxy.example:3128' })?.href).toBe('http://proxy.example:3128/');
  });

  test('refuses kinds of proxy it cannot use, without showing a password', () => {
    expect(() => proxyFor(HTTPS, { HTTPS_PROXY: 'socks5://me:secret@s:1' })).toThrow('socks5://***@s:1');
    expect(() => proxyFor(HTTPS, { HTTPS_PROXY: 'socks5://me:secret@s:1' })).not.toThrow('secret');
  });

  test.each([
    ['*', true],
    ['models.example.org', true],
    ['example.org', true],
    ['.example.org', true],
    ['*.example.org', true],
    ['MODELS.EXAMPLE.ORG', true],
    ['models.example.org:443', true],
    ['models.example.org:8443', false],
    ['ample.org', false],
    ['localhost, other.org', false],
    ['localhost other.org example.org', true],
    ['', false],
  ])('NO_PROXY=%j exempts the host: %s', (value, exempt) => {
    expect(host({ HTTPS_PROXY: 'http://a:1', NO_PROXY: value })).toBe(exempt ? undefined : 'a:1');
  });
});
