/** 上一个提示词的各层做了什么。 */

import { deviceOfPilot } from '../../../../contract/pilot-name.ts';
import type { Stage, TraceLane } from '../../../../contract/trace.ts';
import { formatCount } from '../../format.ts';
import { createDeviceWords, SIMULATED } from '../device-words.ts';
import { runsOf } from '../number-runs.ts';
import { deviceWords } from './words.ts';

const THREADS = { engine: '引擎主线程', worker: '工作线程', linear: '各层', pilot: '打分' };

/** 时间线左侧用的短名。 */
const laneDevice = createDeviceWords({ simulated: '模拟', processor: 'CPU' });

function laneName(kind: TraceLane['kind'], name: string): string {
  if (kind === 'engine') return THREADS.engine;
  return kind === 'worker' ? `${THREADS.worker} ${name}` : `${laneDevice(name)}（${THREADS[kind]}）`;
}

/** 随应用提供的成本表的名称。 */
const names: Readonly<Record<string, string>> = {
  "the paper's phone": '论文中的手机',
  "the NPU of the paper's phone": '论文中手机的 NPU',
  'a device that takes no time': '不花时间的设备',
};

/** 头的编号，连续的合并：“第 1 至 3、7 头”。 */
function headList(heads: readonly number[]): string {
  const runs = runsOf(heads).map(([from, to]) => (from === to ? `${from + 1}` : `${from + 1} 至 ${to + 1}`));
  return heads.length === 0 ? '' : `第 ${runs.join('、')} 头`;
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
    headList,
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

  replay: {
    title: '规划器开与关',
    note: '把上一个提示词重新读两遍：一遍按规划器的安排，合并启动、采用最佳次序并与处理器同时工作；另一遍不用规划器，逐个头依次进行。期间新的提问会排队等待。',
    device: '由什么打分',
    on: (pilot: string, processor: boolean) => (processor ? '仅用处理器' : `使用${deviceWords(deviceOfPilot(pilot))}`),
    run: '开、关规划器各运行一遍',
    stop: '停止',
    running: '正在重新运行提示词',
    waiting: '正在排队',
    progress: (speed: string) => `正在读取提示词，${speed}`,
    ranOn: (device: string) =>
      device === SIMULATED
        ? '模拟设备：启动用时取自论文中的手机，本机打分更慢时则更长；处理器的工作是真实的，两遍均为实测。'
        : device.startsWith('CPU')
          ? '仅处理器：由单独的线程打分，所有用时均为实测。'
          : `${deviceWords(device)}：所有用时均为实测。`,
    totals: '整段提示词',
    runs: { planned: '使用规划器', unplanned: '不用规划器' },
    gain: '提升',
    tooShort: '这个提示词太短，所有键都被保留，没有可规划的内容。请就更长的文本提问。',
    attention: '注意力，实测',
    prompt: '整段提示词，实测',
    predicted: '注意力，规划器的估计（模拟）',
    bar: (stage: string, heads: string, time: string, from: string) => `${stage}，${heads}：${time}，从 ${from} 开始`,
  },

  whatIf: {
    title: '假设分析',
    note: '模拟结果，并未实际运行。假如由一个设备打分，同时一个核心负责选择、一个核心计算保留的键，这段提示词的注意力需要多长时间。',
    costs: '成本来源',
    table: (name: string) => `${names[name] ?? name}（模拟）`,
    machine: '以本机核心代替设备',
    openTable: '打开成本表',
    saveTable: '保存此表',
    switches: { planner: '规划器', pipeline: '流水线', fuse: '合并启动', buckets: '尺度分桶' },
    switchHints: {
      planner: '按找到的最佳次序启动；关闭后按头的编号启动。',
      pipeline: '设备与处理器同时工作；关闭后依次进行。',
      fuse: '多个头共用一次启动；关闭后每个头单独启动。',
      buckets: '只有同一尺度桶的头共用一次启动；关闭后任意头可共用，但打分变差。',
    },
    keepsAll: '此回答的注意力保留所有键，没有可规划的内容。',
    noCosts: '本机的成本会在空闲时测量，目前还没有。可以先试试论文中的手机。',
    totals: '整段提示词的注意力',
    what: '方式',
    time: '用时',
    gain: '与当前开关相比',
    times: (factor: string) => `${factor} 倍`,
    total: '模拟：当前开关',
    allOn: '模拟：全部开启',
    allOff: '模拟：无规划器、流水线和合并',
    dense: '单核计算全部键（按本机实测时间）',
    measured: (device: string) =>
      device === '' || device === 'CPU'
        ? '此回答的实测'
        : `此回答的实测，由${device === 'simulated' ? '模拟设备' : device}打分`,
    predicted: '模拟',
    byLayer: '逐层查看',
    sources: (device: string, processor: string) =>
      `设备：${device}${processor === '' ? '' : ` 处理器：${processor}，实测。`}`,
    planOf: (layer: string, time: string) => `${layer}：模拟用时 ${time}`,
    device: '设备',
    bar: (stage: string, heads: string, time: string) => `${stage}，${heads}：模拟用时 ${time}`,
  },
};
