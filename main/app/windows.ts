/** The app's windows: any number, each with a state of its own. */
import { app, BrowserWindow } from 'electron';
import type { WindowCommand } from '../../contract/app.ts';
import { type AppEvent, EVENT_CHANNEL } from '../../contract/channels.ts';
import { openWindow, type WindowOptions } from './window.ts';

const ZOOM_STEP = 0.5;
const LARGEST_ZOOM = 5;
const SMALLEST_ZOOM = -3;

export class Windows {
  readonly #options: WindowOptions;
  #lastUsed: BrowserWindow | undefined;
  readonly #closing = new WeakSet<BrowserWindow>();

  constructor(options: WindowOptions) {
    this.#options = options;
    app.on('browser-window-focus', (_event, window) => {
      this.#lastUsed = window;
    });
  }

  /** The first one shows what was open last; more of them begin with an empty chat, beside the last used one. */
  open(): BrowserWindow {
    const beside = this.#current();
    const window = openWindow({ ...this.#options, ...(beside === undefined ? {} : { beside }) });
    const closing = () => this.#closing.add(window);
    window.once('close', closing);
    // Where the page ends before its window, whose own event does not come then. Electron does not list this one.
    (window.webContents as NodeJS.EventEmitter).once('close', closing);
    return window;
  }

  /** Brings the last used window to the front, or opens one where there is none. */
  show(): BrowserWindow {
    const window = this.#current() ?? this.open();
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    return window;
  }

  /** For the tray: out of the way, or back. */
  toggle(): void {
    const shown = this.#open().filter((window) => window.isVisible() && !window.isMinimized());
    if (shown.length === 0) {
      for (const window of this.#open()) window.show();
      this.show();
    } else for (const window of shown) window.hide();
  }

  /** Has a window do something. */
  command(command: WindowCommand): void {
    this.tell({ type: 'command', command });
  }

  /** Tells the last used window, once its page is there, and brings it to the front. */
  tell(event: AppEvent): void {
    const window = this.#current() ?? this.open();
    const { webContents } = window;
    const send = () => webContents.send(EVENT_CHANNEL, event);
    if (webContents.isLoading()) webContents.once('did-finish-load', send);
    else {
      this.show();
      send();
    }
  }

  /** Chromium keeps one zoom for all pages of an origin. Answers with it, in percent. */
  zoom(change: 'in' | 'out' | 'reset' | 'none'): number {
    const contents = this.#current()?.webContents;
    if (contents === undefined) return 100;
    const now = contents.getZoomLevel();
    const next = { in: now + ZOOM_STEP, out: now - ZOOM_STEP, reset: 0, none: now }[change];
    if (change !== 'none') contents.setZoomLevel(Math.max(SMALLEST_ZOOM, Math.min(LARGEST_ZOOM, next)));
    return Math.round(contents.getZoomFactor() * 100);
  }

  #current(): BrowserWindow | undefined {
    const open = this.#open();
    return open.find((window) => window === this.#lastUsed) ?? open[0];
  }

  /** Without those that are about to go, which last for some milliseconds more: to show or focus one crashes Electron. */
  #open(): BrowserWindow[] {
    return BrowserWindow.getAllWindows().filter((window) => !this.#closing.has(window));
  }
}
