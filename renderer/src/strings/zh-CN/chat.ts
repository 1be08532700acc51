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
    hint: 'Enter 发送，Shift+Enter 换行',
    answering: '按 Esc 停止回答',
    later: '模型尚未就绪，问题会排队等候',
    never: '没有模型就无法回答',
    attention: '注意力',
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
    copied: '已复制',
    askAgain: '重新提问',
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
    names: {
      model: '模型',
      attention: '注意力',
      device: '设备',
      prefill: '预填充',
      decode: '解码',
      firstToken: '首个词元',
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
