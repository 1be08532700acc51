/** The frame around the screens. */

export const frame = {
  appName: 'ShadowNPU',

  rail: {
    label: 'Main',
    chat: 'Chat',
    documents: 'Documents',
    models: 'Models',
    devices: 'Devices',
    resources: 'Resources',
    pipeline: 'Pipeline',
    compare: 'Compare',
    settings: 'Settings',
    toLight: 'Switch to light',
    toDark: 'Switch to dark',
  },

  dialog: {
    close: 'Close',
    cancel: 'Cancel',
  },

  firstRun: {
    title: 'Welcome to ShadowNPU',
    privacy: 'Your chats and documents stay on this computer. Nothing is sent anywhere, and no account is needed.',
    skip: 'Skip',
    start: 'Start chatting',
    machine: {
      title: 'This computer',
      help: 'A graphics card or an NPU can take parts of the work once it has passed its self-test.',
      cpuOnly: 'The processor does all of the work. A graphics card or an NPU can be added on the Devices page.',
    },
    model: {
      title: 'A model',
      found: 'A model was found on this computer. It is prepared once, then it starts right away.',
      ready: 'Ready',
      help: 'The model is what answers. One that suits this computer is suggested here; more are on the Models page.',
      have: 'I have a model',
    },
    sample: {
      title: 'Something to try',
      help: 'A short text on heat pumps comes with the app. Attach it to a new chat and ask about it.',
      open: 'Open the sample document',
    },
  },

  actions: {
    palette: 'Command palette',
    shortcuts: 'Keyboard shortcuts',
    newWindow: 'New window',
    copyDiagnostics: 'Copy diagnostics',
    openLogs: 'Open log folder',
    goTo: (view: string) => `Go to ${view}`,
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    zoomReset: 'Actual size',
    theme: (name: string) => `Theme: ${name}`,
    english: 'Switch to English',
    chinese: 'Switch to Chinese (简体中文)',
    useModel: (name: string) => `Use ${name}`,
    newChat: 'New chat',
    search: 'Search chats',
    toggleList: 'Show or hide the list of chats',
    stop: 'Stop the answer',
    send: 'Send the message',
    newLine: 'Start a new line',
  },

  about: {
    title: 'About',
    versions: (app: string, electron: string, chrome: string) =>
      `ShadowNPU ${app} · Electron ${electron} · Chromium ${chrome}`,
    platform: (os: string, arch: string) => `${os} ${arch}`,
    show: 'Show',
    diagnostics: 'Diagnostics',
    diagnosticsHelp:
      'Versions, devices, settings and the last events, for a report of a fault. They hold nothing that you wrote, no file names and no names of people.',
    look: 'Look at them',
    copy: 'Copy',
    copied: 'The diagnostics are on the clipboard.',
    crashes: 'Crash reports',
    noCrashes: 'There are none.',
    crashesHelp: 'They stay on this computer. Memory dumps that belong to them can hold pieces of chats.',
    removeCrashes: 'Delete all',
    processes: { main: 'The app', window: 'A window', engine: 'The engine' },
  },

  shortcuts: {
    title: 'Keyboard shortcuts',
    groups: { general: 'General', chat: 'Chat', messages: 'Messages', view: 'View', settings: 'Settings' },
  },

  palette: {
    label: 'Command palette',
    placeholder: 'Type a command, a model or a chat',
    results: 'Results',
    none: 'Nothing matches.',
    kinds: { model: 'Model', chat: 'Chat' },
    count: (results: number) => (results === 1 ? '1 result' : `${results} results`),
  },

  notices: {
    label: 'Notices',
    close: 'Close',
  },

  start: {
    failed: 'The window could not be filled.',
    retry: 'Try again',
    reload: 'Reload the window',
  },
};
