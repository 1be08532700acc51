/** Where the engine stands. */
import { formatCount } from '../../format.ts';
import { deviceWords } from './words.ts';

export const engine = {
  engine: {
    label: '引擎',
    starting: '正在启动引擎',
    stages: {
      import: (name: string) => `正在准备 ${name}`,
      calibrate: (name: string) => `正在调校 ${name}`,
      profile: () => '正在测量这台电脑',
      'self-test': () => '正在检测设备',
      compile: (name: string) => `正在为设备准备 ${name}`,
      load: (name: string) => `正在加载 ${name}`,
      prefill: (name: string) => `正在加载 ${name}`,
      verify: (name: string) => `正在校验 ${name}`,
    },
    unloaded: (name: string) => `${name}（已休眠）`,
    unloadedHint: '内存已释放，下次提问时会重新加载。',
    importHint: '每个模型只需准备一次，下次即可直接启动。',
    noModel: '这台电脑上还没有模型。',
    restarting: '引擎已停止，正在重新启动。您的对话不会丢失。',
    failed: '引擎无法启动。',
    tryAgain: '重试',
    chooseModel: '选择模型',
    ready: (device: string) => `已在${deviceWords(device)}上就绪`,
    readyDetail: (device: string, context: number, threads: number, weights: string) =>
      `已在${deviceWords(device)}上就绪 · ${weights}权重 · 最多 ${formatCount(context)} 个词元 · ${formatCount(threads)} 个线程`,
  },
};
