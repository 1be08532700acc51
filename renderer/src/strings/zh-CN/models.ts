/** The models page: what is here, what can be downloaded, and whether it fits. */
import type { CatalogEntry } from '../../../../contract/models.ts';
import { formatBytes, formatCount, formatSeconds } from '../../format.ts';
import type { Strings } from '../en.ts';

export const models: Pick<Strings, 'models'> = {
  models: {
    title: '模型',
    loading: '正在查找模型',

    here: {
      title: '本机模型',
      total: (count: number, bytes: number) => `共 ${formatCount(count)} 个模型，占用磁盘 ${formatBytes(bytes)}。`,
      emptyTitle: '还没有模型',
      empty: '回答问题的是模型文件。请从下方下载一个，或添加您已有的模型。',
      emptyOffer: (name: string, bytes: number) => `适合这台电脑的入门之选：${name}，${formatBytes(bytes)}。`,
    },

    card: {
      inUse: '使用中',
      load: '加载',
      loadLabel: (name: string) => `加载 ${name}`,
      loading: '正在加载',
      trained: (tokens: number) => `最多可读 ${formatCount(tokens)} 个词元`,
      prepared: { fast: '快速权重已就绪', exact: '精确权重已就绪', both: '快速和精确权重均已就绪' },
      unprepared: '首次使用时准备',
      origins: {
        folder: '位于模型文件夹',
        huggingface: '来自 Hugging Face 缓存',
        'lm-studio': '来自 LM Studio',
        'llama.cpp': '来自 llama.cpp 缓存',
        ollama: '来自 Ollama',
        elsewhere: '从其他位置导入',
      },
      more: (name: string) => `${name} 的更多操作`,
      verify: '校验文件',
      unload: '释放内存',
      remove: '删除…',
      checking: (name: string) => `正在校验 ${name}`,
      stopCheck: '停止',
      sound: {
        checksum: '校验通过：所有文件完好无损。',
        format: '已通读：格式正确。此文件没有已知的校验和。',
      },
    },

    context: {
      label: (name: string) => `${name} 的上下文长度`,
      tokens: (tokens: number) => `上下文 ${formatCount(tokens)} 个词元`,
      usual: (tokens: number) => `上下文 ${formatCount(tokens)} 个词元（默认）`,
      help: '模型能同时看到的文本量。越长占用内存越多。',
    },

    fit: {
      fits: '适合',
      tight: '勉强',
      no: '太大',
      needs: (needed: number, available: number) =>
        `需要 ${formatBytes(needed)} 内存，当前可用 ${formatBytes(available)}`,
      parts: (weights: number, context: number, tokens: number, work: number) =>
        `权重 ${formatBytes(weights)}，${formatCount(tokens)} 个词元的上下文 ${formatBytes(context)}，工作内存 ${formatBytes(work)}。`,
      onDevices: '在处理器以外的设备上',
      onDevice: (bytes) => `权重在该设备上占用 ${formatBytes(bytes)}。`,
      rule: '适合：不超过可用内存的 80%。勉强：超过 80%。太大：超过可用内存。',
    },

    remove: {
      title: (name: string) => `要删除 ${name} 吗？`,
      ours: (bytes: number) => `将删除模型文件及其准备好的数据，释放 ${formatBytes(bytes)}。您的对话会保留。`,
      theirs: (bytes: number) => `只删除本应用准备的数据，释放 ${formatBytes(bytes)}。模型文件属于其他程序，会保留。`,
      action: '删除',
    },

    add: {
      label: '添加已有的模型',
      help: '一个 .gguf 文件，或包含 safetensors 文件的文件夹。也可以直接拖到此页面。文件会留在原处。',
      file: '选择文件',
      folder: '选择文件夹',
      drop: '松开即可添加模型',
      notOne: '请一次只拖入一个文件或文件夹。',
      importing: (name: string) => `正在准备 ${name}`,
      stop: '停止',
    },

    get: {
      title: '下载',
      help: '来自 Hugging Face。每个文件在使用前都会核对校验和。您写下的内容不会离开这台电脑。',
      download: (bytes: number) => `下载 ${formatBytes(bytes)}`,
      downloadLabel: (name: string, bytes: number) => `下载 ${name}，${formatBytes(bytes)}`,
      here: '已在本机',
      parameters: (count: number) => `${(count / 1e8).toFixed(1)} 亿参数`,
      memory: (gigabytes: number) => `适合 ${formatCount(gigabytes)} GB 内存的电脑`,
      licence: (name: string) => `许可证：${name}`,
      unpublished: '未公布校验和，将使用服务器提供的校验和。',
      note: (texts: CatalogEntry['note']) => texts['zh-CN'],
      details: '详情',
      template: (words: string) => `对话模板：${words}`,
      source: '来源',
    },

    download: {
      label: (name: string) => `${name} 的下载`,
      queued: '等待前面的下载完成',
      progress: (received: number, total: number) => `已下载 ${formatBytes(received)}，共 ${formatBytes(total)}`,
      speed: (bytesPerSecond: number) => `${formatBytes(bytesPerSecond)}/秒`,
      left: (seconds: number) => `剩余 ${formatSeconds(seconds)}`,
      paused: '已暂停',
      waiting: '正在重试',
      verifying: '正在核对校验和',
      failed: '已停止',
      pause: '暂停',
      pauseLabel: (name: string) => `暂停下载 ${name}`,
      resume: '继续',
      resumeLabel: (name: string) => `继续下载 ${name}`,
      retry: '重试',
      retryLabel: (name: string) => `重新下载 ${name}`,
      cancel: '取消',
      cancelLabel: (name: string) => `取消下载 ${name}`,
    },

    server: {
      label: '下载服务器',
      help: '留空则使用 huggingface.co。如果无法访问，可以填写镜像站，例如 https://hf-mirror.com。',
      wrong: '地址必须以 https:// 开头。',
    },
  },
};
