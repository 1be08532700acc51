/** Ties the router to Electron: one handler per channel, and events to every window. */
import { BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron';
import { type AppEvent, type Channel, channels, EVENT_CHANNEL } from '../../contract/channels.ts';
import type { Router } from './router.ts';

/** Answers requests of the top frame of our windows, and only while it shows the page at `origin`. */
export function listen(router: Router, origin: string): void {
  for (const channel of Object.keys(channels) as Channel[]) {
    ipcMain.handle(channel, (event, request: unknown) => router(channel, isOurs(event, origin), request));
  }
}

function isOurs(event: IpcMainInvokeEvent, origin: string): boolean {
  const frame = event.senderFrame;
  if (!frame || frame !== event.sender.mainFrame) return false;
  if (!BrowserWindow.fromWebContents(event.sender)) return false;
  return frame.url === origin || frame.url.startsWith(`${origin}/`);
}

/** Tells every window. A window that is just closing misses it, which does no harm. */
export function broadcast(event: AppEvent): void {
  for (const window of BrowserWindow.getAllWindows()) tell(window, event);
}

/** Tells the windows that can be seen: for what is of the moment only. */
export function tellVisible(event: AppEvent): void {
  for (const window of BrowserWindow.getAllWindows()) {
    if (!window.isDestroyed() && window.isVisible() && !window.isMinimized()) tell(window, event);
  }
}

function tell(window: BrowserWindow, event: AppEvent): void {
  if (!window.isDestroyed() && !window.webContents.isDestroyed()) window.webContents.send(EVENT_CHANNEL, event);
}
