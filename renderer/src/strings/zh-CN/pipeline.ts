/** 上一个提示词的各层做了什么。 */
import type { Stage, TraceLane } from '../../../../contract/trace.ts';
import { formatCount } from '../../format.ts';

const THREADS = { engine: '引擎主线程', worker: '工作线程', linear: '各层', pilot: '打分' };

function laneName(kind: TraceLane['kind'], name: string): string {
  if (kind === 'engine') return THREADS.engine;
  return kind === 'worker' ? `${THREADS.worker} ${name}` : `${name}（${THREADS[kind]}）`;
}

/** 连接非空的部分。 */
function listed(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('，');
}

const stages: Record<Stage, string> = {
  linear: '线性层',
  codes: '打分编码',
  launch: '启动',
  pilot: '打分',
  topk: '选择',
  sparse: '保留的键',
  dense: '全部键',
  decode: '新词元',
};

interface BarWords {
  readonly stage: string;
  readonly ms: string;
  readonly from: string;
  readonly layer: string;
  readonly heads: string;
  readonly rows: string;
  readonly kept: string;
}

export const pipeline = {
  pipeline: {
    title: '流水线',
    open: '打开跟踪文件',
    save: '保存跟踪文件',
    backToLast: '返回上一个回答',
    nothing: '请先在对话中提问，引擎为此所做的工作会显示在这里。',
    answering: '正在生成回答，结束后会在这里显示过程。',
    simulated: '使用模拟设备，其时间取自表格',
    tokens: (count: string) => `${count} 个词元`,
    prefill: (time: string, speed: string) => `提示词用时 ${time}，${speed}`,
    dropped: (count: string) => `提示词超出了可保留的长度，最早的 ${count} 段记录已丢弃。`,
    totals: '计算提示词期间，各线程和设备在每个阶段花费的时间',
    stage: '阶段',
    stages,
    busy: '工作时间',
    lane: laneName,

    timeline: '时间线',
    level: '显示内容',
    levels: { threads: '线程和设备', layer: '一层的各个头', head: '单个头' },
    layerLabel: '层',
    headLabel: '头',
    passLabel: '提示词的一段',
    layer: (index: number) => `第 ${index + 1} 层`,
    head: (index: number) => `第 ${index + 1} 头`,
    heads: (first: number, last: number) =>
      first === last ? `第 ${first + 1} 头` : `第 ${first + 1} 至 ${last + 1} 头`,
    rows: (first: number, last: number) => `词元 ${formatCount(first + 1)} 至 ${formatCount(last + 1)}`,
    outputMatrix: '输出矩阵',
    keptKeys: (count: string) => `保留 ${count} 个键`,
    bar: ({ stage, ms, from, layer, heads, rows, kept }: BarWords) =>
      `${stage}：${ms}，始于 ${from}。${listed(layer, heads, rows, kept)}`,
    zoomIn: '放大',
    zoomOut: '缩小',
    zoomAll: '显示全部',
    zoomHint: '按住 Ctrl 滚动可缩放，拖动可平移。',
    pointHint: '指向色条可查看详情。',
    ganttLabel: (rows: number, time: string) => `${rows} 行时间线，共 ${time}`,
    piecesNote: '如果一次调用逐批完成打分、选择和注意力，其色条是各小段之和，首尾相接绘制。',

    planTitle: '规划器的安排',
    planNote: '假如由一个设备打分、其余由一个核心完成，这一层的各个头处理 128 个词元所需的时间。',
    planCosts: '成本来源',
    planCostsOf: { machine: '本机', paper: '论文中的手机（模拟）' },
    planOrder: '规划器',
    planOrders: { planned: '开', serial: '关' },
    planTimes: (planned: string, serial: string, measured: string) =>
      `规划后 ${planned}，不用规划器 ${serial}${measured === '' ? '' : `；所选部分实测 ${measured}`}。`,
    planSource: (source: string, simulated: boolean) =>
      simulated ? `模拟：时间取自 ${source}，该设备不在本机。` : `按在 ${source} 上实测的时间。`,
    noPlan: '此处没有安排：这种注意力不选择键，或者尚未测量。',

    keptTitle: '各层各头保留的键',
    keepsAll: '这种注意力保留所有键。',
    measure: '显示内容',
    measures: { kept: '实际保留', planned: '计划保留', importance: '重要性' },
    allKeys: '全部',
    cell: (layer: string, head: string, kept: string, planned: string, importance: string) =>
      `${layer}，${head}：保留 ${kept} 的键，计划 ${planned}${importance === '' ? '' : `，重要性 ${importance}`}`,
    heatLabel: (layers: number, heads: number) => `${layers} 层 × ${heads} 头的热图，用方向键选择头`,

    tokensTitle: '被保留的词',
    whose: '由谁选择',
    whoseOf: (whose: 'all' | 'layer' | 'head', layer: number, head: number) =>
      ({ all: '所有头', layer: `第 ${layer + 1} 层`, head: `第 ${layer + 1} 层第 ${head + 1} 头` })[whose],
    tokensNote: (rows: number) => `颜色越深，该词被后文保留得越频繁；按提示词中的 ${rows} 行统计。`,
    noTokens: '此处没有选择键的行。',
    keptBy: (share: string) => `被 ${share} 的行保留`,
  },
};
