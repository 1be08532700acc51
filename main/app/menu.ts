/** The application menu, and the menu of texts. What the page does has its own keys. */
import { app, type BrowserWindow, type ContextMenuParams, Menu, type MenuItemConstructorOptions } from 'electron';
import type { WindowCommand } from '../../contract/app.ts';
import type { MainWords } from './words.ts';

export interface MenuActions {
  readonly newWindow: () => void;
  readonly openLogs: () => void;
  readonly command: (command: WindowCommand) => void;
}

/** A key that the page handles; the menu only names it. */
function shown(accelerator: string): Pick<MenuItemConstructorOptions, 'accelerator' | 'registerAccelerator'> {
  return { accelerator, registerAccelerator: false };
}

/** Electron's roles bring the action and the system's keys; their own labels are English only, so every item has ours. */
export function setMenu({ menu: words }: MainWords, { newWindow, openLogs, command }: MenuActions): void {
  const mac = process.platform === 'darwin';
  const template: MenuItemConstructorOptions[] = [
    ...(mac ? [{ role: 'appMenu' as const }] : []),
    {
      label: words.file,
      submenu: [
        { label: words.newChat, ...shown('CommandOrControl+N'), click: () => command('new-chat') },
        { label: words.newWindow, ...shown('CommandOrControl+Shift+N'), click: newWindow },
        { label: words.settings, ...shown('CommandOrControl+,'), click: () => command('settings') },
        { type: 'separator' },
        mac ? { role: 'close', label: words.close } : { role: 'quit', label: words.quit },
      ],
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
        { label: words.shortcuts, ...shown('CommandOrControl+/'), click: () => command('shortcuts') },
        { label: words.openLogs, click: openLogs },
        { label: words.about, click: () => command('about') },
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
