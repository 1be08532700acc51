/** Main's own words in English: menus and dialogs. An ampersand marks the letter that Alt reaches. */

export const en = {
  menu: {
    file: '&File',
    newChat: 'New chat',
    newWindow: 'New window',
    settings: 'Settings',
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
    shortcuts: 'Keyboard shortcuts',
    openLogs: 'Open log folder',
    about: 'About ShadowNPU',
  },
  tray: {
    toggle: 'Show or hide',
    newChat: 'New chat',
    quit: 'Quit ShadowNPU',
    ready: (model: string) => `${model} is ready`,
    loading: (model: string) => `Loading ${model}`,
    unloaded: (model: string) => `${model}, resting`,
    starting: 'Starting',
    noModel: 'No model yet',
    failed: 'The engine has stopped',
    usage: (percent: number, watts: number | null) =>
      `Processor ${percent} %${watts === null ? '' : `, ${watts.toFixed(1)} W`}`,
  },
  dialogs: {
    chooseLibraries: 'Choose the folder of execution provider libraries',
    chooseModelFile: 'Choose a model file',
    chooseModelFolder: 'Choose the folder of a model',
    modelFiles: 'Models (.gguf)',
    chooseAttachments: 'Attach files to the question',
  },
  damage: {
    title: 'The chat database is damaged',
    text: 'A part of the file can no longer be read. After a restart the app saves what can be read and keeps the damaged file.',
    restart: 'Restart now',
    later: 'Later',
  },
};

/** Texts of any language in the shape of `T`. */
type Words<T> = T extends (...values: infer V) => string
  ? (...values: V) => string
  : T extends string
    ? string
    : { readonly [K in keyof T]: Words<T[K]> };

/** Every language has the same. */
export type MainWords = Words<typeof en>;
