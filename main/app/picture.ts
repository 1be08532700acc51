/** A page of our own as a picture, drawn in a window that is never shown, runs no script and can load nothing. */
import { BrowserWindow } from 'electron';

/** In CSS pixels. A page that is longer than the greatest height is cut: pictures have limits that pages do not. */
const WIDTH = 1200;
const GREATEST_HEIGHT = 12_000;

/** PNG, at one picture point a CSS pixel. */
export async function pictureOf(html: string): Promise<Uint8Array> {
  const window = new BrowserWindow({
    show: false,
    width: WIDTH,
    height: 800,
    // Without a screen of its own a hidden window is never drawn.
    webPreferences: {
      offscreen: true,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      javascript: false,
    },
  });
  try {
    await window.loadURL(`data:text/html;charset=utf-8;base64,${Buffer.from(html).toString('base64')}`);
    const { debugger: devtools } = window.webContents;
    devtools.attach('1.3');
    const { cssContentSize } = await devtools.sendCommand('Page.getLayoutMetrics');
    const { width, height } = cssContentSize as { width: number; height: number };
    const clip = { x: 0, y: 0, width, height: Math.min(height, GREATEST_HEIGHT), scale: 1 };
    const options = { format: 'png', captureBeyondViewport: true, clip };
    const { data } = await devtools.sendCommand('Page.captureScreenshot', options);
    return Buffer.from(data as string, 'base64');
  } finally {
    window.destroy();
  }
}
