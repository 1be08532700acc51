/** What reports of comparisons say, in each language. */
import type { AttentionMode, AttentionOptions } from '../../../contract/engine.ts';
import type { Language } from '../../../contract/language.ts';
import { deviceOfPilot } from '../../../contract/pilot-name.ts';

interface VariantWords {
  percent: string;
  simulated: string;
  onProcessor: string;
  comma: string;
}

/** Names a way of answering: its attention by `name`, how much that keeps, and what computes it. */
function variantWords(words: VariantWords) {
  return (name: string, { mode, ratio, pilot }: AttentionOptions, onProcessor: boolean): string =>
    [
      mode === 'full' || mode === 'npu-full' ? name : `${name} ${Number((ratio * 100).toFixed(1))}${words.percent}`,
      ...(pilot === undefined || pilot === 'native'
        ? []
        : [pilot === 'simulated' ? words.simulated : deviceOfPilot(pilot)]),
      ...(onProcessor ? [words.onProcessor] : []),
    ].join(words.comma);
}

const en = {
  title: 'Attention compared',
  curveTitle: 'Speed of prompts by length',
  made: (date: string) => `Measured by ShadowNPU on ${date}`,
  model: (name: string, weights: 'exact' | 'fast') => `${name}, ${weights} weights`,
  prompt: (tokens: string) => `Prompt of ${tokens} tokens`,
  cut: (used: string, of: string) => `The first ${used} of ${of} tokens of the text were used: more did not fit.`,
  document: (name: string) => `Document: ${name}`,
  stopped: 'It was stopped; what was done is here.',
  failed: 'It failed; what was done is here.',
  modes: {
    full: 'Full',
    shadow: 'Shadow',
    sparse: 'Exact scores',
    block: 'Blocks',
    'npu-full': 'All 8 bits',
  } satisfies Record<AttentionMode, string>,
  variant: variantWords({ percent: ' %', simulated: 'simulated pilot', onProcessor: 'processor only', comma: ', ' }),
  columns: {
    variant: 'Attention',
    devices: 'Devices',
    firstToken: 'First token after',
    prefill: 'Prompt, tokens/s',
    decode: 'Answer, tokens/s',
    memory: 'Peak memory of the engine',
    energy: 'Energy',
    top1: 'Same next token as full',
    kl: 'KL divergence',
  },
  reference: 'reference',
  keptEvery: 'Kept every key: with a prompt this short, choosing among them takes longer than it saves.',
  ofTokens: (share: string, tokens: string) => `${share} of ${tokens}`,
  notReported: 'not reported by this driver',
  estimated: (joules: string) => `${joules}, estimated from the battery`,
  states: { waiting: 'not run', running: 'not run', done: '', stopped: 'stopped', failed: 'failed' },
  simulated: 'Simulated: times of a device that is not here.',
  agreementNote:
    'Agreement is over the first tokens of the answer of full attention: how often the likeliest next token is the same, and the mean Kullback-Leibler divergence from the predictions of full attention in nats.',
  memoryNote: 'Memory that the engine once used stays with it: a row can hold what one before it needed.',
  answers: 'Answers',
  differs: 'Words that differ from the answer of full attention are marked.',
  question: 'Asked',
  tokens: 'Tokens of the prompt',
  seconds: 'Seconds',
  speed: 'Tokens/s',
};

export type ReportWords = typeof en;

const zhCN: ReportWords = {
  title: '注意力对比',
  curveTitle: '提示词速度与长度',
  made: (date) => `由 ShadowNPU 于 ${date} 测量`,
  model: (name, weights) => `${name}，${weights === 'exact' ? '精确权重' : '快速权重'}`,
  prompt: (tokens) => `提示词共 ${tokens} 个词元`,
  cut: (used, of) => `文本共 ${of} 个词元，只使用了前 ${used} 个：更多放不下。`,
  document: (name) => `文档：${name}`,
  stopped: '测量被停止，以下是已完成的部分。',
  failed: '测量失败，以下是已完成的部分。',
  modes: { full: '完整', shadow: 'Shadow', sparse: '精确打分', block: '分块', 'npu-full': '全 8 位' },
  variant: variantWords({ percent: '%', simulated: '模拟打分设备', onProcessor: '仅处理器', comma: '，' }),
  columns: {
    variant: '注意力',
    devices: '设备',
    firstToken: '首个词元用时',
    prefill: '提示词，词元/秒',
    decode: '回答，词元/秒',
    memory: '引擎内存峰值',
    energy: '能耗',
    top1: '与完整注意力的下一词元相同',
    kl: 'KL 散度',
  },
  reference: '基准',
  keptEvery: '保留了所有键：提示词这么短，挑选键比省下的时间更久。',
  ofTokens: (share, tokens) => `${share}（共 ${tokens} 个）`,
  notReported: '此驱动程序未报告',
  estimated: (joules) => `${joules}，由电池估算`,
  states: { waiting: '未运行', running: '未运行', done: '', stopped: '已停止', failed: '失败' },
  simulated: '模拟：所示时间属于不在本机的设备。',
  agreementNote:
    '一致性按完整注意力回答的前若干词元计算：最可能的下一词元相同的比例，以及与完整注意力预测之间的平均 KL 散度（单位 nat）。',
  memoryNote: '引擎用过的内存不会立即归还：某一行可能包含之前各行所需的内存。',
  answers: '回答',
  differs: '与完整注意力的回答不同的词已标出。',
  question: '提问',
  tokens: '提示词的词元数',
  seconds: '秒',
  speed: '词元/秒',
};

export function reportWords(language: Language): ReportWords {
  return language === 'zh-CN' ? zhCN : en;
}
