/** A page of our own in a window that is never shown, runs no script and can load nothing. */
import { BrowserWindow, type BrowserWindowConstructorOptions, type WebContents, type WebPreferences } from 'electron';

/** Loads the page, does the work with it and closes the window. `size` and `preferences` add to what every page has. */
export async function withHiddenPage<T>(
  html: string,
  work: (page: WebContents) => Promise<T>,
  {
    preferences,
    ...size
  }: Pick<BrowserWindowConstructorOptions, 'width' | 'height'> & {
    preferences?: Pick<WebPreferences, 'offscreen'>;
  } = {},
): Promise<T> {
  const window = new BrowserWindow({
    show: false,
    ...size,
    webPreferences: {
      ...preferences,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      javascript: false,
    },
  });
  try {
    await window.loadURL(`data:text/html;charset=utf-8;base64,${Buffer.from(html).toString('base64')}`);
    return await work(window.webContents);
  } finally {
    window.destroy();
  }
}
