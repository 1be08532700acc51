/** Prints a page of our own to PDF, in a window that is never shown, runs no script and can load nothing. */
import { BrowserWindow } from 'electron';

export async function printToPdf(html: string): Promise<Uint8Array> {
  const window = new BrowserWindow({
    show: false,
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, javascript: false },
  });
  try {
    await window.loadURL(`data:text/html;charset=utf-8;base64,${Buffer.from(html).toString('base64')}`);
    return await window.webContents.printToPDF({ printBackground: false });
  } finally {
    window.destroy();
  }
}
