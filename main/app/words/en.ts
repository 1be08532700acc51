/** Main's own words in English: menus and dialogs. An ampersand marks the letter that Alt reaches. */

export const en = {
  menu: {
    file: '&File',
    close: 'Close window',
    quit: 'Quit',
    edit: '&Edit',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select all',
    view: '&View',
    resetZoom: 'Actual size',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fullScreen: 'Full screen',
    window: '&Window',
    minimize: 'Minimize',
    help: '&Help',
    openLogs: 'Open log folder',
    about: 'About ShadowNPU',
  },
  dialogs: {
    chooseLibraries: 'Choose the folder of execution provider libraries',
  },
};

/** Every language has the same. */
export type MainWords = typeof en;
