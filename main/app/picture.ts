/** A page of our own as a picture. */
import { withHiddenPage } from './hidden-page.ts';

/** In CSS pixels. A page that is longer than the greatest height is cut: pictures have limits that pages do not. */
const WIDTH = 1200;
const GREATEST_HEIGHT = 12_000;

/** PNG, at one picture point a CSS pixel. */
export function pictureOf(html: string): Promise<Uint8Array> {
  return withHiddenPage(
    html,
    async ({ debugger: devtools }) => {
      devtools.attach('1.3');
      const { cssContentSize } = await devtools.sendCommand('Page.getLayoutMetrics');
      const { width, height } = cssContentSize as { width: number; height: number };
      const clip = { x: 0, y: 0, width, height: Math.min(height, GREATEST_HEIGHT), scale: 1 };
      const options = { format: 'png', captureBeyondViewport: true, clip };
      const { data } = await devtools.sendCommand('Page.captureScreenshot', options);
      return Buffer.from(data as string, 'base64');
    },
    // Without a screen of its own a hidden window is never drawn.
    { width: WIDTH, height: 800, preferences: { offscreen: true } },
  );
}
