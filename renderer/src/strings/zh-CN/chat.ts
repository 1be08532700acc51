/** Questions and answers. */
import type { UsedAttention } from '../../../../contract/engine.ts';
import { formatCount, formatPercent, formatSeconds, formatSpeed } from '../../format.ts';
import { SIMULATED } from '../device-words.ts';
import { deviceWords } from './words.ts';

export const chat = {
  composer: {
    label: '您的消息',
    placeholder: '想问什么都可以',
    send: '发送',
    sendHint: '发送 (Enter)',
    stop: '停止',
    stopHint: '停止回答 (Esc)',
    stopping: '正在停止',
    keys: ['Enter 发送', 'Shift+Enter 换行'],
    resting: '提问后会重新加载模型',
    answering: '按 Esc 停止回答',
    later: '模型尚未就绪，问题会排队等候',
    never: '没有模型就无法回答',
    attention: '注意力',
    attach: '添加文件',
    reading: '文件仍在读取',
    unreadable: '有文件无法读取：请移除或重试',
    drop: '松开即可添加文件',
  },

  attachments: {
    label: '已添加的文件',
    reading: (progress: { done: number; total: number } | undefined) =>
      progress === undefined ? '正在读取' : `正在读取 ${formatCount(progress.done)} / ${formatCount(progress.total)}`,
    tokens: (tokens: number) => `${formatCount(tokens)} 个词元`,
    remove: (name: string) => `移除 ${name}`,
    retry: '重新读取',
    password: (name: string) => `${name} 的密码`,
  },

  gauge: {
    label: (used: number, size: number) => `上下文：已用 ${formatCount(used)} / ${formatCount(size)} 个词元`,
    short: (used: number, size: number) => `已用 ${formatCount(used)} / ${formatCount(size)}`,
    title: '交给模型的内容',
    system: '指令',
    history: '此前的对话',
    attachments: '添加的文件',
    draft: '您的消息',
    reserve: '留给回答',
    free: '剩余空间',
    size: '模型的上下文',
    fits: '全部放得下。',
    willAsk: '内容超出了模型的上下文。发送后可以选择如何继续。',
    willDrop: (count: number) =>
      `内容超出了模型的上下文。最早的 ${formatCount(count)} 条消息将不交给模型，但会留在对话中。`,
    tooLong: '单是您的消息就超出了模型的上下文。请缩短，或移除文件。',
  },

  limit: {
    title: '内容超出了模型的上下文',
    numbers: (needed: number, available: number) =>
      `需要 ${formatCount(needed)} 个词元，只有 ${formatCount(available)} 个词元的空间。`,
    alone: '单是这个问题就太长了。请缩短问题、移除文件，或改用上下文更大的模型。',
    choices: {
      'drop-oldest': '略去最早的消息',
      condense: '压缩此前的对话',
      'new-chat': '在新对话中继续',
    },
    explain: {
      'drop-oldest': '从现在起，模型在这个对话中不再看到它们，但它们仍然保存着。',
      condense: '模型写一段简短的摘要代替它们，您可以查看。',
      'new-chat': '新对话以模型写的简短摘要开头，这个对话保持不变。',
    },
  },

  note: {
    title: '已为模型压缩',
    writing: '模型正在压缩此前的对话',
    explain: '模型看到的是这段摘要，而不是以上全部内容。',
    fromOther: '这个对话接续另一个对话，模型从这段摘要开始。',
  },

  options: {
    title: '此对话的选项',
    open: '显示此对话的选项',
    close: '隐藏此对话的选项',
    preset: '预设',
    noPreset: '无',
    presets: {
      precise: '精确',
      creative: '创意',
      brief: '简短回答',
      editor: '文字润色',
      translator: '翻译',
    },
    systemPrompt: '指令',
    systemPromptHelp: '模型在这个对话中应当了解或遵守的内容。',
    systemPromptNone: '无',
    sampling: '用词选择',
    names: {
      temperature: '温度',
      topK: 'Top-k 候选数',
      topP: 'Top-p 累积概率',
      minP: 'Min-p 最低概率',
      repetitionPenalty: '重复惩罚',
      repetitionWindow: '重复窗口',
      seed: '随机种子',
      maxTokens: '回答的最大长度',
      stop: '停止文本',
    },
    help: {
      temperature: '随机的程度。为 0 时总是选最可能的词。',
      topK: '只从最可能的若干个词中选择。0 表示不限。',
      topP: '只从累积概率达到此值的最可能的词中选择。',
      minP: '只选概率相对于最可能的词不低于此值的词。',
      repetitionPenalty: '避开刚用过的词的程度。1 表示不避开。',
      repetitionWindow: '最近多少个词元算作刚用过。',
      seed: '相同的数字得到相同的回答。留空则随机。',
      maxTokens: '以词元计。被截断的回答可以继续。',
      stop: '回答在出现其中任何一个之前结束。每行一个。',
    },
    random: '随机',
    inherited: { preset: '来自预设', settings: '来自设置', default: '默认值' },
    reset: (name: string) => `重置${name}`,
    resetAll: '全部重置',
    savePreset: '存为预设',
    presetName: '预设的名称',
    save: '保存',
    cancel: '取消',
    updatePreset: '更改预设',
    removePreset: '删除预设',
    nextAnswer: '更改从下一个回答起生效。',
  },

  modelSwitch: {
    label: '模型',
    hint: (name: string) => `${name}。选择其他模型。`,
    empty: '这台电脑上没有其他模型',
  },

  find: {
    label: '在此对话中查找',
    placeholder: '在此对话中查找',
    none: '没有找到',
    count: (at: number, all: number) => `第 ${formatCount(at)} 个，共 ${formatCount(all)} 个`,
    previous: '上一个 (Shift+Enter)',
    next: '下一个 (Enter)',
    close: '关闭 (Esc)',
  },

  shortcutsOfChat: {
    previous: '上一条消息',
    next: '下一条消息',
    copy: '复制消息',
    edit: '编辑问题',
    regenerate: '重新回答',
    branch: '其他版本',
    find: '在此对话中查找',
  },

  empty: {
    title: '有什么可以帮您？',
    privacy: '一切都在这台电脑上运行，您写的内容不会离开它。',
    prompts: [
      { title: '讲解知识', text: '请向从没见过热泵的人讲解热泵的工作原理。' },
      { title: '代我写作', text: '请写一封简短友好的电子邮件，把周二的会议改到周四。' },
      { title: '编写代码', text: '请写一个合并两个有序列表的 Python 函数，并逐步讲解。' },
    ],
  },

  messages: {
    label: '对话内容',
    you: '您',
    assistant: '助手',
    earlier: (count: number) => `显示之前的 ${formatCount(count)} 条消息`,
    showAll: '显示全部',
    showLess: '收起',
    copy: '复制回答',
    copyQuestion: '复制问题',
    copied: '已复制',
    edit: '编辑问题',
    editLabel: '编辑后的问题',
    editHint: '原来的版本会作为另一个分支保留。',
    sendEdit: '改问这个',
    cancelEdit: '取消',
    regenerate: '重新回答',
    continue: '继续',
    branch: (at: number, all: number) => `第 ${at} 个版本，共 ${all} 个`,
    previousBranch: '上一个版本',
    nextBranch: '下一个版本',
    stopped: '您停止了这个回答。',
    stoppedEmpty: '您在第一个字出现之前就停止了。',
    failedNoReason: '回答失败，没有给出原因。',
    cutAtLength: '回答到达了长度上限。',
    omitted: (count: number) => `这个对话超出了模型的记忆：最早的 ${formatCount(count)} 条消息没有使用，但仍然保存着。`,
    jump: '跳到最新',
    announceStart: '开始回答。',
    announceEnd: (text: string) => `回答：${text}`,
    announceStopped: '回答已停止。',
    announceFailed: (why: string) => `回答失败。${why}`,
    noImage: (alt: string) => (alt === '' ? '图片' : `图片：${alt}`),
  },

  code: { copy: '复制代码', copied: '已复制', plain: '文本' },

  prefill: {
    label: '正在阅读您的消息',
    note: '正在阅读此前的对话以便压缩',
    waiting: '正在准备回答',
    waitingForModel: '正在等待模型',
    tokens: (done: number, total: number) => `${formatCount(done)} / ${formatCount(total)} 个词元`,
    speed: (tokensPerSecond: number) => formatSpeed(tokensPerSecond),
    left: (seconds: number) => `还需 ${formatSeconds(seconds)}`,
  },

  figures: {
    show: '显示这个回答是如何得出的',
    hide: '隐藏详情',
    model: (name: string) => name,
    modelExplain: (weights: 'exact' | 'fast') =>
      weights === 'exact' ? '作答的模型，权重与文件完全一致。' : '作答的模型，权重为提高速度做了舍入。',
    attention: ({ mode, ratio, pilotDevice }: UsedAttention) => {
      const name = {
        full: '完整注意力',
        sparse: `稀疏 ${formatPercent(ratio)}`,
        block: `分块 ${formatPercent(ratio)}`,
        'npu-full': 'INT8 注意力',
        shadow: `Shadow ${formatPercent(ratio)}`,
      }[mode];
      return pilotDevice === SIMULATED ? `${name}（模拟先导）` : name;
    },
    attentionExplain: ({ mode, ratio, pilotDevice, tail, pilotProblem }: UsedAttention) => {
      const share = `前文的 ${formatPercent(ratio)}`;
      const pilot = pilotDevice === null ? '' : `在${deviceWords(pilotDevice)}上`;
      return {
        full: '每个词元都查看了之前的全部文本。',
        sparse: `由精确得分选出每个词元要看的部分：${share}。`,
        block: `每个词元查看了看起来最重要的、以 64 个词元为一块的文本块：${share}。`,
        'npu-full': '每个词元都查看了之前的全部文本，全程使用 8 位数。',
        shadow: `先${pilot}做一遍快速的先导计算，选出每个词元要细看的部分：${share}。${
          tail === true ? '其余部分按估计值计入。' : ''
        }${pilotProblem === undefined ? '' : `本应完成这项工作的设备出错：${pilotProblem}`}`,
      }[mode];
    },
    devices: (devices: readonly string[]) => devices.join(' + '),
    devicesExplain: '参与这个回答的设备，工作量最大的排在最前。',
    work: {
      title: '任务分工',
      help: '均为实测值。时间是各线程之和，而且设备并行工作，因此总和可能超过回答所用的时间。',
      part: '部分',
      device: '设备',
      launches: '启动次数',
      time: '时间',
      parts: {
        linear: '提示词的各层',
        pilot: '先导：找出重要内容',
        topk: 'Top-k：从中选取',
        sparse: '稀疏：细读',
        dense: '查看全部内容',
        decode: '撰写回答',
      },
    },
    problem: (device: string, part: 'linear' | 'pilot' | 'decode', reason: string) =>
      `${device}在${{ linear: '阅读提示词', pilot: '找出重要内容', decode: '撰写回答' }[part]}时出错，已由处理器接手。${reason}`,
    prefill: (tokensPerSecond: number) => `预填充 ${formatSpeed(tokensPerSecond)}`,
    prefillExplain: (tokens: number, cached: number, seconds: number) =>
      `回答前阅读您的文本：${formatCount(tokens)} 个词元${
        cached > 0 ? `（其中 ${formatCount(cached)} 个来自之前的记忆）` : ''
      }，用时 ${formatSeconds(seconds)}。`,
    prefillCached: '预填充来自记忆',
    decode: (tokensPerSecond: number) => `解码 ${formatSpeed(tokensPerSecond)}`,
    decodeExplain: (tokens: number, seconds: number) =>
      `撰写回答：${formatCount(tokens)} 个词元，用时 ${formatSeconds(seconds)}。`,
    firstToken: (seconds: number) => `首个词元 ${formatSeconds(seconds)}`,
    firstTokenExplain: '从发送到回答的第一段文字出现的时间。',
    energy: (joules: number) => `${joules < 10 ? joules.toFixed(1) : Math.round(joules)} 焦`,
    energyExplain: {
      counter: '处理器为这个回答消耗的能量，由处理器自身的计数器测得。',
      battery: '这段时间内本机消耗的能量，按电池估算。',
    },
    names: {
      model: '模型',
      attention: '注意力',
      device: '设备',
      prefill: '预填充',
      decode: '解码',
      firstToken: '首个词元',
      energy: '能量',
    },
  },

  attention: {
    full: '完整注意力',
    shadow: (ratio: number) => `Shadow 注意力 ${formatPercent(ratio)}`,
    sparse: (ratio: number) => `按精确得分稀疏 ${formatPercent(ratio)}`,
    block: (ratio: number) => `64 词元分块 ${formatPercent(ratio)}`,
    npuFull: '全部 8 位',
    comparison: '高级（用于对比）',
  },
};
