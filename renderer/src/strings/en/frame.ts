/** The frame around the screens. */

export const frame = {
  appName: 'ShadowNPU',

  rail: {
    label: 'Main',
    chat: 'Chat',
    models: 'Models',
    devices: 'Devices',
    settings: 'Settings',
    toLight: 'Switch to light',
    toDark: 'Switch to dark',
  },

  dialog: {
    close: 'Close',
    cancel: 'Cancel',
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
