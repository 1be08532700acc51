/** Every option of the command line: how its value is read, what is allowed, what it means. */
import * as v from 'valibot';
import { OcrLanguage } from '../../contract/documents.ts';
import {
  AttentionMode,
  DeviceChoice,
  PilotName,
  RatioRule,
  ScaleRule,
  type WeightFlavour,
} from '../../contract/engine.ts';
import { SummaryLanguage, SummaryLength, SummaryStyle } from '../../contract/summaries.ts';
import { EVAL_LANGUAGES, EVAL_SIZES, type EvalSize } from '../documents/eval/suite.ts';
import { NPU_TARGETS } from '../engine/device/npu-targets.ts';
import { LINEAR_FLAVOURS } from '../engine/graph/device-flavours.ts';

interface Flag {
  takesValue: false;
  help: string;
}
export interface ValueOption<T> {
  takesValue: true;
  /** Placeholder in the help. */
  value: string;
  help: string;
  /** What is allowed, for messages. */
  allowed: string;
  /** The value, or undefined where the text is not allowed. */
  read(text: string): T | undefined;
  /** May be given several times. */
  repeatable?: true;
}

const flag = (help: string): Flag => ({ takesValue: false, help });

function text(value: string, help: string): ValueOption<string> {
  return { takesValue: true, value, help, allowed: 'a text', read: (given) => (given === '' ? undefined : given) };
}

function choice<T extends string>(choices: readonly T[], help: string): ValueOption<T> {
  const read = (given: string) => choices.find((known) => known === given);
  return { takesValue: true, value: choices.join('|'), help, allowed: choices.join(' or '), read };
}

function number(
  value: string,
  allowed: string,
  isAllowed: (given: number) => boolean,
  help: string,
): ValueOption<number> {
  const read = (given: string) => {
    if (given.trim() === '') return undefined;
    const parsed = Number(given);
    return Number.isFinite(parsed) && isAllowed(parsed) ? parsed : undefined;
  };
  return { takesValue: true, value, help, allowed, read };
}

const count = (least: number, most: number) => (given: number) =>
  Number.isInteger(given) && given >= least && given <= most;
const within = (least: number, most: number) => (given: number) => given >= least && given <= most;

/** Whole numbers with commas between them. */
function counts(least: number, help: string): ValueOption<number[]> {
  const isAllowed = count(least, 10_000_000);
  const read = (given: string) => {
    const parts = given.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
    return parts.every(isAllowed) ? parts : undefined;
  };
  return { takesValue: true, value: 'N,N,...', help, allowed: `whole numbers from ${least} with commas`, read };
}

/** Some of `choices`, with commas between them. */
function choicesOf<T extends string>(choices: readonly T[], help: string): ValueOption<T[]> {
  const read = (given: string) => {
    const parts = given.split(',').map((part) => choices.find((known) => known === part.trim()));
    return parts.every((part) => part !== undefined) ? parts : undefined;
  };
  return { takesValue: true, value: `${choices.join(',')}`, help, allowed: `${choices.join(', ')}, with commas`, read };
}

function tokenIds(given: string): number[] | undefined {
  const parts = given.split(',').map((part) => part.trim());
  return parts.every((part) => /^\d{1,9}$/.test(part)) ? parts.map(Number) : undefined;
}

/** Where a part of the work runs. */
function placeOf(part: string): ValueOption<string> {
  return {
    takesValue: true,
    value: 'auto|cpu|DEVICE',
    help: `what computes ${part}: by measured cost, the processor, or a device of "devices" (default: cpu)`,
    allowed: 'auto, cpu, or the id of a device in "devices"',
    read: (given) => (v.is(DeviceChoice, given) ? given : undefined),
  };
}

export const OPTIONS = {
  model: text('ID|FILE', 'imported model, or path of a .gguf file, imported on first use (default: the default model)'),
  weights: choice<WeightFlavour>(['exact', 'fast'], 'exact: the file as it is; fast: INT8 (default: fast)'),
  attention: choice(AttentionMode.options, 'attention of the prompt (default: shadow)'),
  ratio: number(
    'R',
    'a number above 0 and at most 1',
    (given) => given > 0 && given <= 1,
    'mean share of keys that sparse, block or shadow attention keeps (default: 0.1 for shadow, else 0.2)',
  ),
  pilot: {
    takesValue: true,
    value: 'native|simulated|ort:DEVICE',
    help: 'what estimates the scores of shadow attention (default: native)',
    allowed: 'native, simulated, or ort: and the id of a device in "devices"',
    read: (given: string) => (v.is(PilotName, given) ? given : undefined),
  },
  scale: choice(
    ScaleRule.options,
    "INT8 scales: a head's own, the nearest of nine buckets, or one for all (default: exact)",
  ),
  ratios: choice(RatioRule.options, 'how the ratio is spread over heads (default: uniform)'),
  'no-tail': flag('keys that are not kept do not count at all'),
  sharing: flag('query heads of one KV head keep the union of their keys'),
  'min-keys': number('N', 'a whole number from 1', count(1, 10_000_000), 'keys that every token keeps at least'),
  reach: number(
    'X',
    'a number from 0 to 1000',
    within(0, 1000),
    "nats below a row's best score beyond which no key is kept; 0 keeps any",
  ),
  sigma: number(
    'S',
    'a number above 0 and below 1',
    (given) => given > 0 && given < 1,
    'ratio of neighbouring scales of the buckets',
  ),
  'exact-selection': flag('exact top-k in place of whole histogram bins'),
  'no-pipeline': flag('ablation: pilot, selection and attention one after the other'),
  'no-buckets': flag('ablation: one INT8 scale for all heads, like --scale single'),
  'uniform-ratio': flag('ablation: the same ratio for every head, like --ratios uniform'),
  'no-fuse': flag('ablation: one launch of the pilot for each head'),
  'device-linear': placeOf('the layers of a prompt, attention aside'),
  'device-pilot': placeOf('the scores of shadow attention'),
  'device-decode': placeOf('the layers of generated tokens'),
  'avoid-gpu': flag('no GPU is chosen by auto'),
  'save-battery': flag('auto prefers an NPU that is a little slower; fewer threads'),
  'max-tokens': number(
    'N',
    'a whole number from 1',
    count(1, Number.MAX_SAFE_INTEGER),
    'most tokens of an answer (default: 1024)',
  ),
  temperature: number('T', 'a number from 0 to 10', within(0, 10), '0 is always the likeliest token (default: 0.7)'),
  'top-k': number(
    'K',
    'a whole number from 0',
    count(0, Number.MAX_SAFE_INTEGER),
    'only the K likeliest tokens; 0 is off (default: 40)',
  ),
  'top-p': number(
    'P',
    'a number from 0 to 1',
    within(0, 1),
    'only the likeliest tokens that make up P (default: 0.95)',
  ),
  'min-p': number(
    'P',
    'a number from 0 to 1',
    within(0, 1),
    'no token less likely than P times the likeliest (default: 0.05)',
  ),
  'repeat-penalty': number(
    'F',
    'a number from 0 to 10',
    within(0, 10),
    'makes recent tokens less likely; 1 is off (default: 1)',
  ),
  seed: number('S', 'a whole number', Number.isSafeInteger, 'same seed, same settings: same text'),
  stop: { ...text('TEXT', 'ends the answer, not part of it; may be given several times'), repeatable: true },
  ctx: number('N', 'a whole number from 2', count(2, 10_000_000), 'tokens that prompt and answer may have together'),
  threads: number('N', 'a whole number from 1 to 256', count(1, 256), 'threads that compute'),
  'prompt-file': text('FILE', 'takes the prompt from a file; - is standard input'),
  text: text('FILE', 'text to measure over; - is standard input (default: what comes with the program)'),
  mode: {
    ...choice(AttentionMode.options, 'attention to compare with full; may be given several times'),
    repeatable: true,
  },
  config: {
    ...text(
      'NAME:KEY=VALUE,...',
      'attention of any options, like "s5:ratio=0.05,tail=false"; may be given several times',
    ),
    repeatable: true,
  },
  tokens: counts(128, 'tokens of each text or prompt; "bench" takes several, "eval" one'),
  n: counts(256, 'keys that the last of 128 rows sees, multiples of 128 (default: 1024,2048,4096,8192)'),
  rounds: number(
    'N',
    'a whole number from 1 to 1000',
    count(1, 1000),
    'measured rounds; every contestant runs once in each',
  ),
  llama: flag('runs llama.cpp in turn with it, on the same file and on its Q4_0 form'),
  plots: text('DIR', 'draws the results as SVG files into a folder'),
  depths: number('N', 'a whole number from 1 to 100', count(1, 100), 'places of the needle in each text (default: 10)'),
  sizes: choicesOf(
    Object.keys(EVAL_SIZES) as EvalSize[],
    'tokens of the documents that are summarised (default: 1k,8k)',
  ),
  modes: choicesOf(AttentionMode.options, 'attention that documents are summarised with (default: full,shadow)'),
  languages: choicesOf(EVAL_LANGUAGES, 'languages of the documents (default: en,zh)'),
  'ep-folder': text('DIR', 'folder with execution provider libraries of your own'),
  'self-test': flag('runs a small graph on every device and compares the results'),
  device: text(
    'ID',
    'device that is measured or tested, by its id in "devices --json" (default: the processor; "devices": all)',
  ),
  layers: number(
    'N',
    'a whole number from 1 to 1000',
    count(1, 1000),
    'layers of the model that are planned (default: all)',
  ),
  target: choice(Object.keys(NPU_TARGETS), 'NPU that graphs are compiled for'),
  out: text(
    'PATH',
    "npu-compile: folder for the graphs (default: beside the imported model's); trace, summarize: the file to write",
  ),
  flavour: choice(LINEAR_FLAVOURS, 'form of the linear graphs (default: what suits the target best)'),
  system: text('TEXT', 'system message'),
  raw: flag('sends the prompt as it is, without the chat template'),
  ids: {
    takesValue: true,
    value: 'IDS',
    help: 'token ids',
    allowed: 'token ids with commas, like 1,2,3',
    read: tokenIds,
  },
  style: choice(SummaryStyle.options, 'kind of summary (default: key-points)'),
  length: choice(SummaryLength.options, 'how long it is (default: medium)'),
  language: choice(SummaryLanguage.options, 'language that it is written in (default: as the document)'),
  instruction: text('TEXT', 'what to look for; the whole instruction with --style custom'),
  file: { ...text('FILE', 'document that the question is about; may be given several times'), repeatable: true },
  password: text('TEXT', 'opens an encrypted document'),
  ocr: {
    ...choice(OcrLanguage.options, 'recognises the text of scanned pages; may be given several times'),
    repeatable: true,
  },
  'keep-gb': number(
    'N',
    'a number from 0 to 1000',
    within(0, 1000),
    'disk space for what was read of documents, in GB: asked again they answer sooner; 0 keeps nothing (default: 2)',
  ),
  messages: text('FILE', 'JSON file with [{"role", "content"}, ...]; - is standard input'),
  control: flag('reads control tokens like <|im_start|> in the text as such'),
  json: flag('prints one JSON object on standard output, at the end'),
  help: flag('shows this help'),
} as const satisfies Record<string, Flag | ValueOption<unknown>>;

export type OptionName = keyof typeof OPTIONS;

type ValueOf<O> = O extends { repeatable: true; read(given: string): infer T }
  ? Exclude<T, undefined>[]
  : O extends { read(given: string): infer T }
    ? Exclude<T, undefined>
    : true;

/** Values by option name; absent where an option was not given. */
export type OptionValues = { [K in OptionName]?: ValueOf<(typeof OPTIONS)[K]> };
