/** What the page may not do, tried from inside the page; and what the app asks of the network, which is nothing. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { ended, expect, ready, send, startApp, test } from './app.ts';

test('the page is locked in', async ({ app: { electron, window: page } }) => {
  const seen = await page.evaluate(async () => {
    const text = (work: () => unknown) => {
      try {
        return String(work());
      } catch (error) {
        return (error as Error).name;
      }
    };
    // Not by eval here: what a debugger evaluates is exempt from the page's policy.
    const inline = document.createElement('script');
    inline.textContent = 'window.injected = true';
    document.head.append(inline);
    setTimeout('window.injected = true');
    await new Promise((resolve) => setTimeout(resolve, 100));
    const fetched = (url: string) =>
      fetch(url).then(
        () => 'fetched',
        (error: Error) => error.name,
      );
    return {
      bridge: Object.keys(window.shadownpu).sort(),
      node: typeof (globalThis as { require?: unknown }).require + typeof (globalThis as { process?: unknown }).process,
      injected: 'injected' in window,
      web: await fetched('https://example.org/'),
      file: await fetched('file:///etc/passwd'),
      bundle: await fetched('app://shadownpu/..%2fmain.cjs'),
      popup: text(() => window.open('javascript:alert(1)')),
      unknown: await window.shadownpu.invoke('toString' as 'chats.removed', undefined),
      malformed: await window.shadownpu.invoke('chats.remove', { chatIds: [{ $gt: '' } as unknown as string] }),
    };
  });
  expect(seen).toMatchObject({
    bridge: ['addDocuments', 'attach', 'importDropped', 'invoke', 'onEvent', 'platform'],
    node: 'undefinedundefined',
    injected: false,
    web: 'TypeError',
    file: 'TypeError',
    bundle: 'TypeError',
    popup: 'null',
    unknown: { ok: false },
    malformed: { ok: false, error: { kind: 'usage' } },
  });

  await page.evaluate(() => {
    location.href = 'http://example.org/';
  });
  await page.waitForTimeout(300);
  expect(page.url()).toBe('app://shadownpu/index.html');
  const windows = await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
  expect(windows).toBe(1);
});

test('from the start to an answer nothing is asked of the network', async ({ profile }) => {
  const log = path.join(profile, 'net.json');
  const { electron, window } = await startApp(profile, undefined, [`--log-net-log=${log}`]);
  await ready(window);
  await send(window, 'Say hello.');
  await ended(window, 'complete');
  // One request of the test's own shows that the log would tell of others.
  const server = createServer((_request, response) => response.end('here')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await electron.evaluate(
    ({ net }, url) =>
      new Promise<void>((resolve) =>
        net
          .request(url)
          .on('response', () => resolve())
          .end(),
      ),
    own,
  );
  server.close();
  await electron.close();
  const hosts = readFileSync(log, 'utf8').matchAll(/https?:\/\/([^/:;"\\ ]+)/g);
  expect(new Set(Array.from(hosts, ([, host]) => host))).toEqual(new Set(['127.0.0.1']));
});
