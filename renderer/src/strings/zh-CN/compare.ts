/** 不同回答方式的对比，以及不同长度提示词的速度。 */
import type { ComparedFigure, ComparePlan, CurvePlan } from '../../../../contract/compare.ts';
import type { AttentionOptions } from '../../../../contract/engine.ts';
import { deviceOfPilot } from '../../../../contract/pilot-name.ts';
import { formatCount, formatPercent, formatSeconds } from '../../format.ts';
import { SIMULATED } from '../device-words.ts';
import { settings } from './settings.ts';
import { deviceWords } from './words.ts';

const THIN = '\u202f';

const { modes } = settings.settings.attention;

/** Shadow 注意力的打分由谁计算。 */
function pilotName(pilot: string): string {
  if (pilot === 'native') return '由处理器打分';
  if (pilot === SIMULATED) return '由模拟设备打分';
  return `由 ${deviceWords(deviceOfPilot(pilot))} 打分`;
}

function cutNote({ cut }: Pick<ComparePlan, 'cut'>): string {
  return cut === undefined
    ? ''
    : `文本共 ${formatCount(cut.of)} 个词元，只使用前 ${formatCount(cut.used)} 个：除去回答所需，更多放不下。`;
}

const states = { running: '进行中', stopped: '已停止', complete: '已完成', failed: '失败' };

export const compare = {
  compare: {
    title: '对比',
    subject: '对比内容',
    subjects: { answers: '回答', curve: '提示词长度' },
    intro: '用几种方式依次回答同一个提示词，看看各自的代价和效果。第一种是完整注意力，其余各种都与它比较。',
    kept: '已保存的对比',
    newOne: '新建对比',
    entry: (title: string, date: string) => (title === '' ? date : `${title} · ${date}`),

    source: '提示词',
    sources: { text: '文本', document: '文档' },
    textLabel: '要回答的文本',
    textPlaceholder: '粘贴一段长文本，并在开头写上问题。文本越长，各种方式的差别越大。',
    documentLabel: '文档',
    chooseDocument: '选择文档',
    noDocuments: '还没有读取完成的文档。请在“文档”页添加，或直接粘贴文本。',
    openDocuments: '打开“文档”页',
    questionLabel: '关于文档的问题',
    defaultQuestion: '用三句话概括这份文档。',

    ways: '回答方式',
    reference: '基准',
    referenceFirst: (full: string) => `${full}：最先运行，其他方式都与它的回答比较`,
    way: (number: number) => `方式 ${number}`,
    modeOf: (number: number) => `方式 ${number} 的注意力`,
    ratioOf: (number: number) => `方式 ${number} 细读的文本比例`,
    pilotOf: (number: number) => `方式 ${number} 的打分`,
    pilotPlaced: '打分按设置',
    pilotName,
    placeOf: (number: number) => `方式 ${number} 的设备`,
    places: { placed: '设备按设置', processor: '仅处理器' },
    addWay: '添加方式',
    removeWay: (number: number) => `移除方式 ${number}`,
    length: '回答长度',
    lengthOf: (tokens: number) => `${formatCount(tokens)} 个词元`,
    planning: '正在统计提示词',
    waitingForModel: '需要先加载模型。',
    plan: (plan: ComparePlan) => [`共 ${formatCount(plan.promptTokens)} 个词元。`, cutNote(plan)].join('').trim(),
    start: (ways: number) => `对比 ${formatCount(ways)} 种方式`,

    variant: ({ mode, ratio, pilot }: AttentionOptions, onProcessor: boolean) =>
      [
        mode === 'full' || mode === 'npu-full' ? modes[mode] : `${modes[mode]} ${formatPercent(ratio)}`,
        ...(pilot === undefined ? [] : [pilotName(pilot)]),
        ...(onProcessor ? ['仅处理器'] : []),
      ].join('，'),
    states,
    state: (state: keyof typeof states, done: number, total: number) =>
      state === 'running' ? `进行中，已完成 ${formatCount(done)}/${formatCount(total)}` : states[state],
    facts: (tokens: string, document: string) =>
      document === '' ? `提示词 ${tokens} 个词元` : `${document}，提示词 ${tokens} 个词元`,
    cut: cutNote,
    stop: '停止',
    stopHelp: '已完成的部分会保留。',
    export: '导出、删除',
    exportHtml: '报告（HTML）',
    exportPng: '报告（PNG 图片）',
    exportJson: '数据（JSON）',
    remove: '删除',
    removeTitle: '删除这次对比？',
    removeText: '其中的数据和回答将一并删除。',
    opening: '正在读取对比',

    table: '各种方式的数据',
    attention: '注意力',
    devices: '设备',
    figures: {
      firstToken: '首个词元用时',
      prefill: '提示词速度',
      decode: '回答速度',
      memory: '引擎内存峰值',
      energy: '能耗',
      top1: '与完整注意力下一词元相同',
      kl: '与完整注意力的 KL 散度',
    } satisfies Record<ComparedFigure, string>,
    figureHelp: {
      firstToken: '越短越好。',
      prefill: '读取提示词的速度，越长越好。',
      decode: '写出回答的速度，越长越好。',
      memory: '引擎用过的内存不会立即归还：某种方式可能包含之前各种方式所需的内存。',
      energy: '生成回答期间整机或处理器的能耗。',
      top1: '在完整注意力的回答上，最可能的下一词元与其相同的比例，越长越好。',
      kl: '预测与完整注意力的差距，单位 nat，越短越好。',
    } satisfies Record<ComparedFigure, string>,
    ofTokens: (share: string, tokens: number) => `${share}（共 ${formatCount(tokens)} 个）`,
    joules: (joules: number, sensor: 'counter' | 'battery') =>
      `${joules.toFixed(1)}${THIN}焦${sensor === 'battery' ? '，由电池估算' : ''}`,
    notReported: '此驱动程序未报告',
    notMeasured: '未测量',
    keptEvery: '保留了所有键：提示词这么短，在本机上挑选键比省下的时间更久。',
    simulated: '其中一种方式使用模拟设备：其时间取自表格，并非在本机测得。',
    rowStates: { waiting: '等待中', running: '进行中', done: '已完成', stopped: '已停止', failed: '失败' },

    answers: '并排查看回答',
    differs: '与完整注意力的回答不同的词已标出。',
    same: '与完整注意力的回答逐词相同',
    differing: (words: number, all: number) => `${formatCount(all)} 个词中有 ${formatCount(words)} 个不同`,
    reading: (done: number, total: number) => `正在读取提示词，${formatCount(done)}/${formatCount(total)} 个词元`,
    noText: '回答为空。',
    question: '所问内容',

    curveIntro:
      '用完整注意力和 Shadow 注意力分别读取越来越长的提示词，并绘出速度。所用文本随应用提供，不够长时会重复。',
    curvePlan: ({ lengths, seconds, measured }: CurvePlan) =>
      `${lengths.map(formatCount).join('、')} 个词元。约需 ${formatSeconds(seconds)}，${
        measured ? '按在本机测得的速度估算' : '仅为猜测：尚未测量过'
      }。`,
    startCurve: '测量曲线',
    curveLabel: '提示词速度与长度的关系',
    curveTable: '提示词速度与长度的关系（数值）',
    tokens: '提示词的词元数',
    time: '用时',
    speed: '速度',
    speedUnit: '速度，单位为词元/秒',
    curveMode: (mode: 'full' | 'shadow', ratio: number) =>
      mode === 'full' ? modes.full : `${modes.shadow} ${formatPercent(ratio)}`,
    measuring: (mode: string, tokens: number) => `正在测量${mode}，${formatCount(tokens)} 个词元`,
  },
};
