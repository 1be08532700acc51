/** Main's own words in Simplified Chinese. */
import type { MainWords } from './en.ts';

export const zhCN: MainWords = {
  menu: {
    file: '文件(&F)',
    newChat: '新建对话',
    newWindow: '新建窗口',
    settings: '设置',
    close: '关闭窗口',
    quit: '退出',
    edit: '编辑(&E)',
    undo: '撤销',
    redo: '重做',
    cut: '剪切',
    copy: '复制',
    paste: '粘贴',
    selectAll: '全选',
    view: '视图(&V)',
    resetZoom: '实际大小',
    zoomIn: '放大',
    zoomOut: '缩小',
    fullScreen: '全屏',
    window: '窗口(&W)',
    minimize: '最小化',
    help: '帮助(&H)',
    shortcuts: '键盘快捷键',
    openLogs: '打开日志文件夹',
    about: '关于 ShadowNPU',
  },
  tray: {
    toggle: '显示或隐藏',
    newChat: '新建对话',
    quit: '退出 ShadowNPU',
    ready: (model) => `${model} 已就绪`,
    loading: (model) => `正在加载 ${model}`,
    starting: '正在启动',
    noModel: '还没有模型',
    failed: '引擎已停止',
    usage: (percent: number, watts: number | null) =>
      `处理器 ${percent}%${watts === null ? '' : `，${watts.toFixed(1)} 瓦`}`,
  },
  dialogs: {
    chooseLibraries: '选择执行提供程序库所在的文件夹',
    chooseAttachments: '为问题添加附件',
  },
};
