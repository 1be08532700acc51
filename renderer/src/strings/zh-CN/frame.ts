/** The frame around the screens. */

export const frame = {
  appName: 'ShadowNPU',

  rail: {
    label: '主导航',
    chat: '对话',
    models: '模型',
    devices: '设备',
    settings: '设置',
    toLight: '切换到浅色',
    toDark: '切换到深色',
  },

  dialog: {
    close: '关闭',
    cancel: '取消',
  },

  notices: {
    label: '通知',
    close: '关闭',
  },

  start: {
    failed: '窗口内容无法显示。',
    retry: '重试',
    reload: '重新加载窗口',
  },
};
