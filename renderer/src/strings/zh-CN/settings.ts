/** Settings. */
import { formatCount } from '../../format.ts';

export const settings = {
  settings: {
    title: '设置',
    loading: '正在读取设置',
    appearance: {
      title: '外观',
      theme: '主题',
      themes: { system: '跟随系统', light: '浅色', dark: '深色' },
      language: '语言',
      systemLanguage: '跟随系统',
    },
    calibration: {
      label: '提高此模型的准确度',
      help: '测量模型的各个部分需要查看长文本的多少内容。这需要一些时间；您提问时会立即暂停，之后再继续。',
      start: '开始',
      stop: '停止',
      running: '正在测量模型',
      left: (seconds: number) =>
        seconds < 90 ? '大约还需 1 分钟。' : `大约还需 ${formatCount(Math.round(seconds / 60))} 分钟。`,
    },
    answers: {
      title: '回答',
      systemPrompt: '对所有对话的要求',
      systemPromptHelp: '例如回答所用的语言或语气。留空则使用模型自己的默认设置。',
      systemPromptPlaceholder: '请用简单的话简短回答。',
      temperature: '温度',
      temperatureHelp: '为 0 时，同样的问题得到同样的回答。数值越高，回答越多变，也越容易跑题。',
    },
    attention: {
      title: '注意力',
      mode: '模型阅读长文本的方式',
      comparison: '高级（用于对比）',
      comparisonHelp: '用来与本方法对比的其他方式，不适合日常使用。',
      modes: { full: '完整', shadow: 'Shadow', sparse: '精确打分', block: '分块', 'npu-full': '全 8 位' },
      help: {
        full: '每个词元都查看之前的全部文本。质量的基准，但处理长文本较慢。',
        sparse: '只读取精确得分最高的部分。可以看出在没有先导计算时，略去文本要付出多少代价。',
        block: '以 64 个词元为一块，整块读取或略去。一种常见的捷径，质量明显下降。',
        'npu-full': '注意力全部以 8 位数计算，就像单独用 NPU 那样。质量明显下降。',
        shadow:
          '先用一遍快速的低精度计算找出重要的前文，只细读这一部分，其余按估计值计入。长文本读得更快，仅用 CPU 也是如此，而质量接近完整注意力。',
      },
      ratio: '细读的比例',
      ratioHelp: '比例越小越不精确。',
      shadowRatioHelp: '比例越小越快，也越不精确。',
    },
    model: {
      title: '模型',
      none: '未加载模型',
      choose: '在“模型”页面选择、下载和删除模型。',
      open: '打开“模型”页面',
      weights: '权重',
      fast: '快速',
      fastHelp: '舍入为 8 位，以便处理器走最快的路径。回答几乎没有差别。',
      exact: '精确',
      exactHelp: '与模型文件中的数值完全一致。速度较慢，占用内存较多。',
    },
    devices: {
      title: '任务分工',
      help: '应用会测量各项工作由哪个设备完成最快。“设备”页面列出了每个设备的能力。',
      parts: {
        linear: { label: '阅读提示词', help: '模型的各层，处理您的全部文本。' },
        pilot: { label: '找出重要内容', help: 'Shadow 注意力的快速先导计算，NPU 最擅长。' },
        decode: { label: '撰写回答', help: '模型的各层，逐词生成。' },
      },
      auto: '自动',
      processor: '处理器',
      unusable: (name: string) => `${name}（不可用）`,
      gone: (id: string) => `${id}（未找到）`,
      now: (device: string, reason: string) => `当前：${device}。${reason}`,
      cannot: (name: string, reason: string | undefined) => `${name} 无法选择。${reason ?? '没有给出原因。'}`,
      avoidGpu: '不占用显卡',
      avoidGpuHelp: '自动选择时绝不使用显卡，游戏和视频可以独享它。',
      saveBattery: '节省电量',
      saveBatteryHelp: '即使稍慢也优先使用 NPU，并减少处理器线程数。',
    },
    about: {
      title: '关于',
      versions: (app: string, electron: string, chrome: string) =>
        `ShadowNPU ${app} · Electron ${electron} · Chromium ${chrome}`,
      platform: (os: string, arch: string) => `${os} ${arch}`,
    },
  },
};
