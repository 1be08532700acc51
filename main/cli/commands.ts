/** The commands: which options and arguments each takes, and what the help says of them. */
import type { OptionName } from './options.ts';

export interface CommandSpec {
  /** Arguments after the options, as the help shows them. */
  usage: string;
  summary: string;
  options: readonly OptionName[];
  /** Least and most number of arguments. */
  args: readonly [number, number];
}

/** How a prompt attends; read by `attentionOf`. */
const ATTENTION: readonly OptionName[] = [
  'attention',
  'ratio',
  'pilot',
  'scale',
  'ratios',
  'no-tail',
  'sharing',
  'min-keys',
  'reach',
  'sigma',
  'exact-selection',
  'no-pipeline',
  'no-buckets',
  'uniform-ratio',
  'no-fuse',
];

const ANSWER: readonly OptionName[] = [
  'model',
  'weights',
  ...ATTENTION,
  'max-tokens',
  'temperature',
  'top-k',
  'top-p',
  'min-p',
  'repeat-penalty',
  'seed',
  'stop',
  'ctx',
  'threads',
  'device-linear',
  'device-pilot',
  'device-decode',
  'avoid-gpu',
  'save-battery',
  'ep-folder',
];

const spec = (usage: string, summary: string, args: readonly [number, number], options: readonly OptionName[]) => ({
  usage,
  summary,
  args,
  options: [...options, 'json', 'help'] as readonly OptionName[],
});

export const COMMANDS = {
  ask: spec(
    '"QUESTION"',
    'answers one question',
    [0, 1],
    [...ANSWER, 'system', 'prompt-file', 'raw', 'file', 'password', 'keep-gb'],
  ),
  chat: spec('', 'holds a conversation, a line at a time', [0, 0], [...ANSWER, 'system']),
  trace: spec(
    '"QUESTION" --out FILE',
    "answers a question and writes what each thread, device and head did when, for Perfetto (Chrome's trace format)",
    [0, 1],
    ['out', ...ANSWER, 'system', 'prompt-file', 'raw'],
  ),
  compare: spec(
    '"QUESTION"',
    'answers one prompt with several kinds of attention and measures what each costs, and how near it is to full attention',
    [0, 1],
    ['mode', 'config', 'prompt-file', 'raw', 'system', 'max-tokens', 'model', 'weights', 'ctx', 'threads'],
  ),
  devices: spec(
    '',
    'lists what ONNX Runtime can compute on, and why what it cannot',
    [0, 0],
    ['self-test', 'device', 'ep-folder'],
  ),
  models: spec('list | import FILE | remove ID', 'lists, imports and removes models', [0, 2], ['weights']),
  logits: spec(
    '--ids 1,2,3',
    'ten likeliest next tokens after some token ids',
    [0, 0],
    ['ids', 'model', 'weights', ...ATTENTION, 'ctx', 'threads'],
  ),
  calibrate: spec(
    '[ID|FILE]',
    'measures what each attention head of a model needs; takes minutes, can be stopped and goes on',
    [0, 1],
    ['text', 'weights', 'threads'],
  ),
  eval: spec(
    'recall | perplexity | needle | linear | flavours | documents',
    'measures the quality of attention against full attention, of the fast weights and of graphs for devices against the exact weights, and of summaries of documents with known facts',
    [1, 1],
    [
      'model',
      'weights',
      'text',
      'mode',
      'config',
      'tokens',
      'ratio',
      'depths',
      'flavour',
      'sizes',
      'modes',
      'languages',
      'style',
      'length',
      'ctx',
      'threads',
    ],
  ),
  bench: spec(
    'attention | prefill | decode | pipeline',
    'measures the speed of attention, of whole prompts and of decoding; what the plan of a layer is worth',
    [1, 1],
    ['n', 'tokens', 'rounds', 'mode', 'config', 'llama', 'plots', 'layers', 'model', 'weights', 'threads'],
  ),
  profile: spec('', 'measures how long attention takes on this machine; under a minute', [0, 0], ['device']),
  'npu-compile': spec(
    '[ID|FILE] --target NPU',
    'compiles a model for the NPU of another machine; takes minutes, can be stopped and goes on',
    [0, 1],
    ['target', 'out', 'flavour', 'weights', 'ctx'],
  ),
  extract: spec(
    'FILE',
    'reads a document: its pages, headings, and what could not be read',
    [1, 1],
    ['password', 'ocr'],
  ),
  summarize: spec(
    'FILE...',
    'summarises whole documents, section by section, with the pages that each point comes from',
    [1, 100],
    ['style', 'length', 'language', 'instruction', 'out', 'password', 'keep-gb', ...ANSWER],
  ),
  tokenize: spec('"TEXT"', 'token ids of a text', [0, 1], ['model', 'control', 'prompt-file']),
  render: spec('--messages FILE', 'text that the chat template makes of messages', [0, 0], ['messages', 'model']),
} as const satisfies Record<string, CommandSpec>;

export type CommandName = keyof typeof COMMANDS;

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}
