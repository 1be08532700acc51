/**
 * What the engine process is told and what it reports. Main is the only speaker on the other side.
 * Every command carries a `requestId`; every report repeats it with a `seq` that counts from 0.
 */
import * as v from 'valibot';
import { ErrorInfo } from './errors.ts';
import { count } from './fields.ts';
import { Phrase, Reason } from './phrase.ts';
import { HeadSelection, KeptTokens, Trace } from './trace.ts';
import { WhatIf, WhatIfRequest } from './what-if.ts';

const requestId = v.pipe(v.string(), v.minLength(1), v.maxLength(64));

export const WeightFlavour = v.picklist(['exact', 'fast']);
export type WeightFlavour = v.InferOutput<typeof WeightFlavour>;

/** The engine's attention modes: the method itself and the baselines it is compared with. */
export const AttentionMode = v.picklist(['full', 'sparse', 'block', 'npu-full', 'shadow']);
export type AttentionMode = v.InferOutput<typeof AttentionMode>;

/** A part's device in a placement: `auto` (by measured cost), `cpu` (this program's own code) or a device's id. */
export const DeviceChoice = v.pipe(v.string(), v.regex(/^[0-9A-Za-z :._-]{1,64}$/));

/** Which device runs what. */
export const Placement = v.object({
  /** Projections and feed-forward parts of a prompt. */
  linear: DeviceChoice,
  /** INT8 scores of `shadow`, where a request does not ask for another pilot. */
  pilot: DeviceChoice,
  /** Projections and feed-forward parts of each generated token. */
  decode: DeviceChoice,
  /** No part is chosen for a GPU; a part that is pinned to one stays there. */
  avoidGpu: v.boolean(),
  /** Prefers an NPU that is a little slower, and fewer threads. */
  saveBattery: v.boolean(),
});
export type Placement = v.InferOutput<typeof Placement>;

/** Parts that can be placed on a device. */
export const PlacedPart = v.picklist(['linear', 'pilot', 'decode']);
export type PlacedPart = v.InferOutput<typeof PlacedPart>;

/** Where a part of the loaded model runs, and why, in words. */
export const PartPlace = v.object({
  part: PlacedPart,
  /** `cpu` or a device's id. */ device: v.string(),
  reason: v.string(),
  /** The reason with its values apart. */
  phrase: v.optional(Phrase),
});
export type PartPlace = v.InferOutput<typeof PartPlace>;

export const ChatRole = v.picklist(['system', 'user', 'assistant']);
export type ChatRole = v.InferOutput<typeof ChatRole>;

export const ChatTurn = v.object({ role: ChatRole, content: v.string() });
export type ChatTurn = v.InferOutput<typeof ChatTurn>;

/** Where the INT8 scores of `shadow` come from: our kernel, a device through ONNX Runtime, or a simulated device. */
export const PilotName = v.pipe(v.string(), v.regex(/^(native|simulated|ort:[0-9A-Za-z :._-]{1,64})$/));

/** A pilot whose launches are planned. */
export const ReplayPilot = v.pipe(
  PilotName,
  v.check((pilot) => pilot !== 'native'),
);

/**
 * INT8 scales of the pilot: a head's own, the nearest of nine buckets (the paper), the smallest bucket that covers nearly all of
 * the head's range, or one pair for all heads.
 */
export const ScaleRule = v.picklist(['exact', 'buckets', 'covering', 'single']);
export type ScaleRule = v.InferOutput<typeof ScaleRule>;

/** How the mean ratio is spread over heads: equally, by lost attention mass, or by importance (the paper). */
export const RatioRule = v.picklist(['uniform', 'lost-mass', 'importance']);
export type RatioRule = v.InferOutput<typeof RatioRule>;

export const AttentionOptions = v.object({
  mode: AttentionMode,
  /** Mean share of the visible keys that a row keeps, 0 < ratio <= 1; means nothing to the dense modes. */
  ratio: v.pipe(v.number(), v.gtValue(0), v.maxValue(1)),
  /** From here on `shadow` only; absent fields take the engine's defaults (attention/rules.ts). */
  pilot: v.optional(PilotName),
  scale: v.optional(ScaleRule),
  /** Ratio of neighbouring bucket scales. */
  sigma: v.optional(v.pipe(v.number(), v.gtValue(0), v.ltValue(1))),
  ratios: v.optional(RatioRule),
  /** Whether keys that are not kept still count, by their estimated mass and mean value. */
  tail: v.optional(v.boolean()),
  /** Whether the query heads of a KV head share the union of their key sets. */
  sharing: v.optional(v.boolean()),
  /** Fewest keys of a row. */
  minKeys: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** Nats below a row's best score beyond which no key is kept; 0 keeps any. */
  reach: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1000))),
  /** Exact top-k instead of whole histogram bins. */
  exactSelection: v.optional(v.boolean()),
  /** With a pilot device: whether its launches overlap with the CPU's work, and whether heads share launches. */
  pipeline: v.optional(v.boolean()),
  fuse: v.optional(v.boolean()),
});
export type AttentionOptions = v.InferOutput<typeof AttentionOptions>;

export const SamplingOptions = v.object({
  /** 0 (or below 1e-6) is greedy. */
  temperature: v.pipe(v.number(), v.minValue(0), v.maxValue(10)),
  /** Keep the k likeliest tokens; 0 is off. */
  topK: count,
  /** Nucleus mass, 0 to 1; 0 keeps only the likeliest token, 1 is off. */
  topP: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  /** Drop tokens less likely than minP times the likeliest; 0 is off. */
  minP: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  /** Divides positive and multiplies negative logits of recent tokens; 1 (and 0) is off. */
  repetitionPenalty: v.pipe(v.number(), v.minValue(0), v.maxValue(10)),
  /** How many last tokens the penalty looks at. */
  repetitionWindow: count,
  /** Same seed, same prompt, same settings: same text. */
  seed: v.optional(v.pipe(v.number(), v.safeInteger())),
  /** Texts that end the answer; never part of it. */
  stop: v.array(v.pipe(v.string(), v.minLength(1))),
  /** Cap on generated tokens; absent: until the context is full. */
  maxTokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});
export type SamplingOptions = v.InferOutput<typeof SamplingOptions>;

const turns = v.pipe(v.array(ChatTurn), v.minLength(1));

/** Chat turns (rendered by the model's template), the same with an answer that is begun already, or raw text. */
export const Prompt = v.variant('kind', [
  v.object({ kind: v.literal('chat'), turns }),
  /** `text` is the beginning of the answer to `turns`; what is generated goes on from there and does not repeat it. */
  v.object({ kind: v.literal('continue'), turns, text: v.string() }),
  v.object({ kind: v.literal('raw'), text: v.string() }),
]);
export type Prompt = v.InferOutput<typeof Prompt>;

/** A prompt, or plain text without anything around it. */
export const Countable = v.variant('kind', [
  ...Prompt.options,
  v.object({ kind: v.literal('text'), text: v.string() }),
]);
export type Countable = v.InferOutput<typeof Countable>;

/**
 * Energy of the whole machine or its processor, by a counter of the machine, or estimated from the rate at which the battery
 * emptied.
 */
export const Energy = v.object({
  joules: v.pipe(v.number(), v.minValue(0)),
  sensor: v.picklist(['counter', 'battery']),
});
export type Energy = v.InferOutput<typeof Energy>;

export const FinishReason = v.picklist(['stop', 'length', 'cancelled']);
export type FinishReason = v.InferOutput<typeof FinishReason>;

/**
 * How the prompt was attended. Options that mean nothing to the mode are absent, and in answers of earlier versions those
 * that did not exist then; `ratio` is 1 where all keys count.
 */
export const UsedAttention = v.object({
  ...AttentionOptions.entries,
  /** Where the pilot's scores came from: "CPU", "simulated" or a device; null where there is no pilot. */
  pilotDevice: v.nullable(v.string()),
  /** Why the device that was asked for was left during the prompt; `pilot` is what took its place. */
  pilotProblem: v.optional(v.string()),
});
export type UsedAttention = v.InferOutput<typeof UsedAttention>;

/**
 * Measured work of an answer: what a device did of a part, summed over its threads. `linear` to `dense` belong to the prompt
 * (`pilot`, `topk`, `sparse`: the stages of attention that drops keys; `dense`: attention to all keys), `decode` is all of
 * the generated tokens' passes. A launch is one call of a graph or kernel.
 */
export const Work = v.object({
  part: v.picklist(['linear', 'pilot', 'topk', 'sparse', 'dense', 'decode']),
  /** "CPU" for this program's own code on the processor, "simulated", or a device's id. */
  device: v.string(),
  launches: count,
  ms: v.pipe(v.number(), v.minValue(0)),
});
export type Work = v.InferOutput<typeof Work>;

/** A device that works at a request, and at what. */
export const DeviceUse = v.object({ device: v.string(), part: PlacedPart });
export type DeviceUse = v.InferOutput<typeof DeviceUse>;

/** A device that failed in an answer; the part went on on the processor. */
export const DeviceProblem = v.object({
  device: v.string(),
  part: PlacedPart,
  reason: Reason,
  /** A thread still hangs in its driver: the engine process should be started anew. */
  hung: v.optional(v.boolean()),
});
export type DeviceProblem = v.InferOutput<typeof DeviceProblem>;

const Speed = v.object({ seconds: v.number(), tokensPerSecond: v.number() });

export const GenerateResult = v.object({
  text: v.string(),
  tokenIds: v.array(count),
  promptTokens: count,
  /** How many of promptTokens were found in the KV cache and not computed again. */
  cachedTokens: count,
  completionTokens: count,
  finishReason: FinishReason,
  prefill: Speed,
  decode: Speed,
  /** Milliseconds from the request to the first token, and to the end. */
  firstTokenMs: v.number(),
  totalMs: v.optional(v.number()),
  /** What the machine used meanwhile, where it has a sensor; absent where it has none. */
  energy: v.optional(Energy),
  attention: UsedAttention,
  /** Where the linear parts ran, e.g. "CPU". */
  device: v.string(),
  /** Absent in answers of earlier versions. */
  work: v.optional(v.array(Work)),
  deviceProblems: v.optional(v.array(DeviceProblem)),
  model: v.string(),
  weights: WeightFlavour,
});
export type GenerateResult = v.InferOutput<typeof GenerateResult>;

/**
 * How near predictions are to those of full attention, after each token of full attention's own answer to the same prompt:
 * the share of them with the same likeliest token, and the mean Kullback-Leibler divergence from full attention's, in nats.
 */
export const Agreement = v.object({
  tokens: count,
  top1: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  kl: v.pipe(v.number(), v.minValue(0)),
});
export type Agreement = v.InferOutput<typeof Agreement>;

/** An answer that was made to be measured. */
export const Trial = v.object({
  result: GenerateResult,
  /** Most memory that the engine's process had meanwhile; what it once used stays with it, also from answers before. */
  peakBytes: count,
});
export type Trial = v.InferOutput<typeof Trial>;

/** A prompt and how it is run, for trials. */
const trialled = {
  prompt: Prompt,
  /** Only so many of the prompt's first tokens count. */
  cutTo: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  attention: AttentionOptions,
  /** Everything on the processor, whatever the model is placed on. */
  onProcessor: v.optional(v.boolean()),
};

/** Figures of an answer without its text. */
export const AnswerFigures = v.omit(GenerateResult, ['text', 'tokenIds']);
export type AnswerFigures = v.InferOutput<typeof AnswerFigures>;

/** What the engine says of itself. */
export const EngineUsage = v.object({
  /** Milliseconds that each thread has been at work since the model was loaded: the engine thread, then its workers. */
  threadsMs: v.array(v.pipe(v.number(), v.minValue(0))),
  memory: v.object({
    weightsBytes: count,
    /** Keys and values: in use by the conversation, and set aside for a full context. */
    kvUsedBytes: count,
    kvBytes: count,
    /** Activations, attention's working memory, records. */
    scratchBytes: count,
  }),
});
export type EngineUsage = v.InferOutput<typeof EngineUsage>;

/** What was measured of the last answer. */
export const TracedAnswer = v.object({ trace: Trace, figures: AnswerFigures });
export type TracedAnswer = v.InferOutput<typeof TracedAnswer>;

/** A prompt that was read again with other plans, for their sake. */
const ReplayedRun = v.object({
  trace: v.omit(Trace, ['request', 'plannedShare', 'keptShare', 'importance']),
  figures: AnswerFigures,
  /** Milliseconds that attention of all layers and passes takes by the costs that plans reckon with. */
  predictedMs: v.pipe(v.number(), v.minValue(0)),
});

/**
 * The last prompt read again twice, nothing cached: launches planned, fused and beside the processor's stages; and heads one
 * after the other, as they are numbered.
 */
export const Replay = v.object({ planned: ReplayedRun, unplanned: ReplayedRun });
export type Replay = v.InferOutput<typeof Replay>;

/** Where a model lies: in the app's models folder, in another program's folder, or elsewhere (only its import is ours). */
export const ModelOrigin = v.picklist(['folder', 'huggingface', 'lm-studio', 'llama.cpp', 'ollama', 'elsewhere']);
export type ModelOrigin = v.InferOutput<typeof ModelOrigin>;

/** Memory of a loaded model in bytes, once its context is full. */
export const MemoryEstimate = v.object({
  weights: WeightFlavour,
  contextSize: count,
  weightsBytes: count,
  /** Keys and values with their copies; in proportion to the context. */
  kvBytes: count,
  /** Activations, attention's working memory, threads. */
  scratchBytes: count,
});
export type MemoryEstimate = v.InferOutput<typeof MemoryEstimate>;

/** What a model's files were checked against: checksums, or, where nobody made any, the rules of their format alone. */
export const Checked = v.picklist(['checksum', 'format']);
export type Checked = v.InferOutput<typeof Checked>;

export const ModelInfo = v.object({
  id: v.string(),
  name: v.string(),
  architecture: v.string(),
  /** Flavours that are imported and ready. */
  weights: v.array(WeightFlavour),
  /** Bytes that removing it frees: bundles, plus its file where that lies in the models folder. */
  bytes: count,
  contextTrained: count,
  origin: ModelOrigin,
  /** Its .gguf file or folder of safetensors, where that is on this machine. */
  sourcePath: v.optional(v.string()),
  /** Size of what lies at `sourcePath`. */
  sourceBytes: v.optional(count),
  /** Why this file cannot be used, where that is so. */
  problem: v.optional(ErrorInfo),
});
export type ModelInfo = v.InferOutput<typeof ModelInfo>;

/**
 * Forms of a model's graphs that devices take: the pilot's u8 scores; linear parts as the CPU runs them, with 16 or 8 bit
 * activations and 8 or 4 bit weights (`rows`: each row normalised first), or in half precision.
 */
export const GraphFlavour = v.picklist(['pilot-u8', 'cpu', 'w8a16', 'w4a16', 'w8a8', 'w8a8-rows', 'fp16']);
export type GraphFlavour = v.InferOutput<typeof GraphFlavour>;

/** What a pilot graph and a small linear graph gave on a device, against the same graphs on the processor. */
export const SelfTest = v.object({
  passed: v.boolean(),
  /** Of the whole test, opening and compiling included. */
  seconds: v.number(),
  /** Least time of one run. */
  pilotMs: v.optional(v.number()),
  linearMs: v.optional(v.number()),
  /** Greatest difference of the pilot's output bytes, in steps of 256. */
  worstError: v.optional(v.number()),
  /** What the test's process grew by, in bytes; a device's own memory is not in it. */
  memoryBytes: v.optional(count),
  /** Why it did not pass. */
  problem: v.optional(v.string()),
});
export type SelfTest = v.InferOutput<typeof SelfTest>;

export const DeviceInfo = v.object({
  id: v.string(),
  name: v.string(),
  type: v.picklist(['CPU', 'GPU', 'NPU']),
  executionProvider: v.string(),
  epVersion: v.optional(v.string()),
  vendor: v.string(),
  driver: v.optional(v.string()),
  /** What it may use: memory of its own, or a limit in that of the machine; absent where it tells none. */
  memory: v.optional(v.object({ bytes: count, own: v.boolean() })),
  /** Best first; empty where nothing of a model can run. */
  flavours: v.array(GraphFlavour),
  /** Stands for a machine that is not here: graphs compile for it, nothing runs. */
  virtual: v.boolean(),
  usable: v.boolean(),
  /** Why not, where it is not usable. */
  reason: v.optional(v.string()),
  /** What the user can do about the reason. */
  remedy: v.optional(v.string()),
  /** These with their values apart, where they are texts of ours. */
  phrases: v.optional(v.object({ name: v.optional(Phrase), reason: v.optional(Phrase), remedy: v.optional(Phrase) })),
  /** The last one of this device, execution provider and driver. */
  selfTest: v.optional(SelfTest),
});
export type DeviceInfo = v.InferOutput<typeof DeviceInfo>;

/** A long job's state: importing, measuring a model or this machine, loading, prefill. `total` 0 means not known yet. */
export const Progress = v.object({
  stage: v.picklist(['import', 'calibrate', 'profile', 'self-test', 'compile', 'load', 'prefill', 'verify']),
  done: count,
  total: count,
  /** Estimated from the work done so far, where the job can tell. */
  secondsLeft: v.optional(count),
  note: v.optional(v.string()),
});
export type Progress = v.InferOutput<typeof Progress>;

export const LoadedModel = v.object({
  id: v.string(),
  name: v.string(),
  /** Number of weights, e.g. 135e6. */
  parameters: count,
  weights: WeightFlavour,
  /** Tokens that fit, prompt and answer together. */
  contextSize: count,
  device: v.string(),
  threads: count,
  /** Whether the full calibration has been done. */
  calibrated: v.boolean(),
  /** Where its parts run; absent where no placement was asked for. */
  places: v.optional(v.array(PartPlace)),
  /** Devices that failed when the model was placed on them. */
  deviceProblems: v.optional(v.array(DeviceProblem)),
  /** Whether a device might do a part faster, which nobody has measured yet ('measure-devices'). */
  unmeasured: v.optional(v.boolean()),
});
export type LoadedModel = v.InferOutput<typeof LoadedModel>;

/** A prompt about documents whose reading is kept on disk, for the next prompt that begins with the same text. */
export const KeptPrompt = v.object({
  /** SHA-256 of each: what is kept goes when one of them goes. */
  documents: v.pipe(v.array(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))), v.minLength(1), v.maxLength(50)),
  /** Of all prompts of the same job together; this one alone may be less. */
  tokens: count,
  /** Bytes that all kept prompts may take. */
  bytes: count,
});
export type KeptPrompt = v.InferOutput<typeof KeptPrompt>;

export const EngineCommand = v.variant('type', [
  v.object({
    type: v.literal('load'),
    requestId,
    /** An imported model's id, or the path of a .gguf, which is imported first. */
    model: v.string(),
    weights: WeightFlavour,
    contextSize: v.optional(count),
    threads: v.optional(count),
    /** Absent: everything on the processor. */
    placement: v.optional(Placement),
    /** Devices that are not to be used any more, and why; kept until their driver changes. */
    exclude: v.optional(v.array(v.object({ device: v.string(), reason: Reason }))),
  }),
  v.object({
    type: v.literal('generate'),
    requestId,
    prompt: Prompt,
    sampling: SamplingOptions,
    attention: AttentionOptions,
    /** A request beside the conversation: the trace stays that of the answer before. */
    aside: v.optional(v.boolean()),
    keep: v.optional(KeptPrompt),
  }),
  /** Answers with nothing cached and always the likeliest token, to be measured. The trace stays that of the answer before. */
  v.object({
    type: v.literal('trial'),
    requestId,
    ...trialled,
    maxTokens: v.pipe(v.number(), v.integer(), v.minValue(1)),
  }),
  /** Right after a trial of the same: how near it is to full attention, whose answer was `answer`. */
  v.object({ type: v.literal('agreement'), requestId, ...trialled, answer: v.array(count) }),
  /** Imports a model, an id of the list or a path, without loading it. */
  v.object({ type: v.literal('import-model'), requestId, model: v.string(), weights: WeightFlavour }),
  /** Checks a model's files against their checksums, and `sha256` where a catalogue knows that of its own file. */
  v.object({ type: v.literal('verify-model'), requestId, model: v.string(), sha256: v.optional(v.string()) }),
  /** Removes a model; unloads it first where it is loaded. */
  v.object({ type: v.literal('remove-model'), requestId, model: v.string() }),
  /** Gives the loaded model's memory back. */
  v.object({ type: v.literal('unload'), requestId }),
  /** How much memory a model would take. */
  v.object({
    type: v.literal('estimate'),
    requestId,
    model: v.string(),
    weights: WeightFlavour,
    contextSize: v.optional(count),
  }),
  /** Calibrates in full; any later request stops it, and it goes on the next time. */
  v.object({ type: v.literal('calibrate'), requestId, model: v.string(), weights: WeightFlavour }),
  /** Compiles the loaded model for devices and measures them, where that is not done; any later request stops it. */
  v.object({ type: v.literal('measure-devices'), requestId }),
  v.object({ type: v.literal('cancel'), requestId, /** The request to stop. */ target: requestId }),
  /** Tokens of each item for the loaded model; answered beside other requests. */
  v.object({ type: v.literal('count-tokens'), requestId, items: v.array(Countable) }),
  v.object({ type: v.literal('models'), requestId }),
  /** What was measured of the last answer. */
  v.object({ type: v.literal('trace'), requestId }),
  v.object({ type: v.literal('kept-tokens'), requestId, selection: HeadSelection }),
  /** Reads the last prompt again, with plans and without. The trace stays that of its answer. */
  v.object({ type: v.literal('replay'), requestId, pilot: ReplayPilot }),
  v.object({ type: v.literal('what-if'), requestId, request: WhatIfRequest }),
  /** What the loaded model takes of the machine now; works beside a request. */
  v.object({ type: v.literal('usage'), requestId }),
  /** `libraryFolder`: where the user's own execution provider libraries are looked for from now on. */
  v.object({ type: v.literal('devices'), requestId, libraryFolder: v.optional(v.string()) }),
  /** Tests a device, or all, in processes of their own; works beside other requests. Answered by `devices`. */
  v.object({ type: v.literal('self-test'), requestId, device: v.optional(v.string()) }),
]);
export type EngineCommand = v.InferOutput<typeof EngineCommand>;

const stamp = { requestId, seq: count };
export const EngineReport = v.variant('type', [
  v.object({ type: v.literal('progress'), ...stamp, progress: Progress }),
  /** Text that is new since the last one; never ends inside a character, never holds part of a stop text. */
  v.object({ type: v.literal('delta'), ...stamp, text: v.string(), completionTokens: count }),
  v.object({ type: v.literal('loaded'), ...stamp, model: LoadedModel }),
  v.object({ type: v.literal('finished'), ...stamp, result: GenerateResult }),
  v.object({ type: v.literal('tried'), ...stamp, trial: Trial }),
  /** Absent: it is full attention itself that was asked about. */
  v.object({ type: v.literal('agreement'), ...stamp, agreement: v.optional(Agreement) }),
  v.object({ type: v.literal('counted'), ...stamp, counts: v.array(count) }),
  v.object({ type: v.literal('models'), ...stamp, models: v.array(ModelInfo) }),
  v.object({ type: v.literal('devices'), ...stamp, devices: v.array(DeviceInfo) }),
  /** Absent: nothing has been answered since the model was loaded, or an answer is being made. */
  v.object({ type: v.literal('trace'), ...stamp, traced: v.optional(TracedAnswer) }),
  /** Absent: as `trace`, or that attention chooses no keys. */
  v.object({ type: v.literal('replayed'), ...stamp, replay: v.optional(Replay) }),
  v.object({ type: v.literal('kept-tokens'), ...stamp, kept: v.optional(KeptTokens) }),
  /** Absent: as `trace`, or that attention chooses no keys, or this machine's costs are not measured. */
  v.object({ type: v.literal('what-if'), ...stamp, whatIf: v.optional(WhatIf) }),
  /** Absent: no model is loaded. */
  v.object({ type: v.literal('usage'), ...stamp, usage: v.optional(EngineUsage) }),
  v.object({ type: v.literal('calibrated'), ...stamp }),
  v.object({ type: v.literal('imported'), ...stamp, modelId: v.string() }),
  v.object({ type: v.literal('verified'), ...stamp, checked: Checked }),
  v.object({ type: v.literal('removed'), ...stamp }),
  v.object({ type: v.literal('unloaded'), ...stamp }),
  v.object({ type: v.literal('estimated'), ...stamp, memory: MemoryEstimate }),
  /** Where the parts of the model would be placed if it were loaded again, and whether that is a change. */
  v.object({ type: v.literal('measured'), ...stamp, places: v.array(PartPlace), changed: v.boolean() }),
  /** Devices that work for the request from now on, in place of those told before: who is to blame if the process ends. */
  v.object({ type: v.literal('using'), ...stamp, uses: v.array(DeviceUse) }),
  v.object({ type: v.literal('failed'), ...stamp, error: ErrorInfo }),
]);
export type EngineReport = v.InferOutput<typeof EngineReport>;
