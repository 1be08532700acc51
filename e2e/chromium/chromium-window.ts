/**
 * The window's page in the system's Chromium, in front of the app that runs in Electron: the built page is served with
 * the headers that the app itself sends, and every call of its bridge goes to the bridge of the app's own window, so to
 * the real preload script, main process and engine.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page, test } from '@playwright/test';
import type { Bridge } from '../../contract/bridge.ts';

/** Debian's and Ubuntu's names for it. */
const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** Any address will do, since no request leaves the browser; https makes it a secure context, as app: is. */
const ORIGIN = 'https://shadownpu.test';
const PAGE_FILES = path.join(import.meta.dirname, '..', '..', 'dist', 'renderer');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** `electronPage` is the app's own window; it stays open behind. The test is skipped where there is no Chromium. */
export async function chromiumWindow(electronPage: Page): Promise<{ window: Page; browser: Browser }> {
  const executablePath = PROGRAMS.find(existsSync);
  test.skip(executablePath === undefined, 'Chromium is not installed');
  const asRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    headless: false,
    args: [...(asRoot ? ['--no-sandbox'] : []), '--disable-gpu'],
  });
  const window = await browser.newPage({ viewport: { width: 1180, height: 780 } });
  await serve(window, await headersOf(electronPage));
  await bridge(window, electronPage);
  await window.goto(`${ORIGIN}/index.html`);
  return { window, browser };
}

/** What the app sends with its page, the security policy above all. */
async function headersOf(electronPage: Page): Promise<Record<string, string>> {
  const response = await electronPage.goto('app://shadownpu/index.html');
  const headers = (await response?.allHeaders()) ?? {};
  const policy = headers['content-security-policy'];
  if (policy === undefined) throw new Error("the app's page came without a security policy");
  return { 'content-security-policy': policy, 'x-content-type-options': 'nosniff' };
}

async function serve(window: Page, headers: Record<string, string>): Promise<void> {
  await window.route(`${ORIGIN}/**`, async (route) => {
    const file = path.join(PAGE_FILES, decodeURIComponent(new URL(route.request().url()).pathname));
    if (!existsSync(file)) return route.fulfill({ status: 404, headers });
    const type = TYPES[path.extname(file)] ?? 'application/octet-stream';
    return route.fulfill({ body: readFileSync(file), headers: { ...headers, 'content-type': type } });
  });
}

async function bridge(window: Page, electronPage: Page): Promise<void> {
  await window.exposeFunction('bridgeInvoke', (channel: string, request: unknown) =>
    electronPage.evaluate(([asked, value]) => globalThis.window.shadownpu.invoke(asked as never, value as never), [
      channel,
      request,
    ] as const),
  );
  const platform = await electronPage.evaluate(() => globalThis.window.shadownpu.platform);
  await window.addInitScript((found) => {
    const listeners = new Set<(event: never) => void>();
    const { bridgeInvoke } = globalThis as unknown as { bridgeInvoke: Bridge['invoke'] };
    // What takes files is left out: those of this browser have no paths that Electron would know.
    const shadownpu: Pick<Bridge, 'invoke' | 'onEvent' | 'platform'> = {
      // A class instance or a proxy would be refused by Electron's own bridge; here as well.
      invoke: (channel, request) => bridgeInvoke(channel, structuredClone(request)),
      onEvent: (listener) => {
        listeners.add(listener as (event: never) => void);
        return () => listeners.delete(listener as (event: never) => void);
      },
      platform: found,
    };
    const bridgeEvent = (event: never) => {
      for (const tell of listeners) tell(event);
    };
    Object.assign(globalThis, { shadownpu, bridgeEvent });
  }, platform);
  await electronPage.exposeFunction(
    'bridgeEvent',
    (event: unknown) =>
      window
        .evaluate((told) => (globalThis as unknown as { bridgeEvent(event: unknown): void }).bridgeEvent(told), event)
        .catch(() => undefined), // the window is closing
  );
  await electronPage.evaluate(() => {
    const { bridgeEvent } = globalThis as unknown as { bridgeEvent(event: unknown): void };
    globalThis.window.shadownpu.onEvent(bridgeEvent);
  });
}
