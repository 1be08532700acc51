/** The application menu: roles only, so that the system's own words and keys apply. What the page does has its own keys. */
import { app, Menu, type MenuItemConstructorOptions, shell } from 'electron';

export function setMenu(logFolder: string): void {
  const mac = process.platform === 'darwin';
  const template: MenuItemConstructorOptions[] = [
    ...(mac ? [{ role: 'appMenu' as const }] : []),
    { label: '&File', submenu: [mac ? { role: 'close' } : { role: 'quit' }] },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        // The same key without Shift, as browsers have it.
        { role: 'zoomIn', accelerator: 'CommandOrControl+=', visible: false, acceleratorWorksWhenHidden: true },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        ...(app.isPackaged ? [] : [{ role: 'reload' as const }, { role: 'toggleDevTools' as const }]),
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [{ label: 'Open log folder', click: () => void shell.openPath(logFolder) }, { role: 'about' }],
    },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
