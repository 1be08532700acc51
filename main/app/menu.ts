/** The application menu, and the menu of texts. What the page does has its own keys. */
import {
  app,
  type BrowserWindow,
  type ContextMenuParams,
  Menu,
  type MenuItemConstructorOptions,
  shell,
} from 'electron';
import type { MainWords } from './words.ts';

/** Electron's roles bring the action and the system's keys; their own labels are English only, so every item has ours. */
export function setMenu({ menu: words }: MainWords, logFolder: string): void {
  const mac = process.platform === 'darwin';
  const template: MenuItemConstructorOptions[] = [
    ...(mac ? [{ role: 'appMenu' as const }] : []),
    {
      label: words.file,
      submenu: [mac ? { role: 'close', label: words.close } : { role: 'quit', label: words.quit }],
    },
    {
      label: words.edit,
      submenu: editItems(words),
    },
    {
      label: words.view,
      submenu: [
        { role: 'resetZoom', label: words.resetZoom },
        { role: 'zoomIn', label: words.zoomIn },
        // The same key without Shift, as browsers have it.
        { role: 'zoomIn', accelerator: 'CommandOrControl+=', visible: false, acceleratorWorksWhenHidden: true },
        { role: 'zoomOut', label: words.zoomOut },
        { type: 'separator' },
        { role: 'togglefullscreen', label: words.fullScreen },
        ...(app.isPackaged ? [] : [{ role: 'reload' as const }, { role: 'toggleDevTools' as const }]),
      ],
    },
    {
      label: words.window,
      submenu: [
        { role: 'minimize', label: words.minimize },
        { role: 'close', label: words.close },
      ],
    },
    {
      role: 'help',
      label: words.help,
      submenu: [
        { label: words.openLogs, click: () => void shell.openPath(logFolder) },
        { role: 'about', label: words.about },
      ],
    },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

/** What a right click on a text offers; nothing where there is none. */
export function showTextMenu(
  { menu: words }: MainWords,
  window: BrowserWindow,
  { isEditable, selectionText }: ContextMenuParams,
): void {
  if (isEditable) Menu.buildFromTemplate(editItems(words)).popup({ window });
  else if (selectionText.trim() !== '') {
    Menu.buildFromTemplate([
      { role: 'copy', label: words.copy },
      { role: 'selectAll', label: words.selectAll },
    ]).popup({ window });
  }
}

function editItems(words: MainWords['menu']): MenuItemConstructorOptions[] {
  return [
    { role: 'undo', label: words.undo },
    { role: 'redo', label: words.redo },
    { type: 'separator' },
    { role: 'cut', label: words.cut },
    { role: 'copy', label: words.copy },
    { role: 'paste', label: words.paste },
    { role: 'selectAll', label: words.selectAll },
  ];
}
