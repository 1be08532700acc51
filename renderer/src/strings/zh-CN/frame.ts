/** The frame around the screens. */

export const frame = {
  appName: 'ShadowNPU',

  rail: {
    label: '主导航',
    chat: '对话',
    documents: '文档',
    models: '模型',
    devices: '设备',
    resources: '资源',
    pipeline: '流水线',
    compare: '对比',
    settings: '设置',
    toLight: '切换到浅色',
    toDark: '切换到深色',
  },

  dialog: {
    close: '关闭',
    cancel: '取消',
  },

  firstRun: {
    title: '欢迎使用 ShadowNPU',
    privacy: '您的对话和文档只保存在这台电脑上，不会发送到任何地方，也无需账号。',
    skip: '跳过',
    start: '开始对话',
    machine: {
      title: '这台电脑',
      help: '显卡或 NPU 通过自检后，可以分担一部分工作。',
      cpuOnly: '全部工作由处理器完成。可以在“设备”页面添加显卡或 NPU。',
    },
    model: {
      title: '模型',
      found: '在这台电脑上找到了一个模型。只需准备一次，之后即可直接启动。',
      ready: '已就绪',
      help: '回答由模型给出。这里推荐一个适合这台电脑的模型，更多模型请见“模型”页面。',
      have: '我已有模型',
    },
    sample: {
      title: '试一试',
      help: '应用附带一篇关于热泵的短文。可以把它附加到新对话，然后提问。',
      open: '打开示例文档',
    },
  },

  actions: {
    palette: '命令面板',
    shortcuts: '键盘快捷键',
    newWindow: '新建窗口',
    copyDiagnostics: '复制诊断信息',
    openLogs: '打开日志文件夹',
    goTo: (view: string) => `转到“${view}”`,
    zoomIn: '放大',
    zoomOut: '缩小',
    zoomReset: '实际大小',
    theme: (name: string) => `主题：${name}`,
    english: '切换到英语 (English)',
    chinese: '切换到简体中文',
    useModel: (name: string) => `使用 ${name}`,
    newChat: '新建对话',
    search: '搜索对话',
    toggleList: '显示或隐藏对话列表',
    stop: '停止回答',
    send: '发送消息',
    newLine: '换行',
  },

  about: {
    title: '关于',
    versions: (app: string, electron: string, chrome: string) =>
      `ShadowNPU ${app} · Electron ${electron} · Chromium ${chrome}`,
    platform: (os: string, arch: string) => `${os} ${arch}`,
    show: '显示',
    diagnostics: '诊断信息',
    diagnosticsHelp: '版本、设备、设置和最近的事件，供反馈问题时使用。其中没有您写的内容、文件名或人名。',
    look: '查看',
    copy: '复制',
    copied: '诊断信息已复制到剪贴板。',
    crashes: '崩溃报告',
    noCrashes: '没有崩溃报告。',
    crashesHelp: '只保存在这台电脑上。随附的内存转储可能含有对话片段。',
    removeCrashes: '全部删除',
    processes: { main: '应用', window: '窗口', engine: '引擎' },
  },

  shortcuts: {
    title: '键盘快捷键',
    groups: { general: '通用', chat: '对话', messages: '消息', view: '视图', settings: '设置' },
  },

  palette: {
    label: '命令面板',
    placeholder: '输入命令、模型或对话',
    results: '结果',
    none: '没有匹配的内容。',
    kinds: { model: '模型', chat: '对话' },
    count: (results: number) => `${results} 个结果`,
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
