/** What the machine, the app and the engine are doing. A reading that is null is "not reported by this driver", never 0. */
import * as v from 'valibot';
import { Energy, EngineUsage } from './engine.ts';
import { nothing, time } from './fields.ts';

const amount = v.pipe(v.number(), v.minValue(0));
/** Share of the time at work, 0 to 1. */
const busy = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const reading = <T extends v.GenericSchema>(schema: T) => v.nullable(schema);

/** A GPU or NPU. */
export const Accelerator = v.object({
  /** Stays the same while the app runs. */
  id: v.string(),
  kind: v.picklist(['gpu', 'npu']),
  name: v.string(),
  /** By everybody; `appBusy` and `appMemoryBytes` by this app's processes. */
  busy: reading(busy),
  appBusy: reading(busy),
  memoryBytes: reading(amount),
  appMemoryBytes: reading(amount),
});
export type Accelerator = v.InferOutput<typeof Accelerator>;

export const PowerSensor = Energy.entries.sensor;

/** What the sampler reads of the machine. */
export const MachineReadings = v.object({
  /** Busy share of each core; null for one that is offline. */
  cores: v.array(reading(busy)),
  memory: v.object({
    totalBytes: amount,
    availableBytes: amount,
    swapTotalBytes: reading(amount),
    swapUsedBytes: reading(amount),
  }),
  accelerators: v.array(Accelerator),
  power: v.object({
    watts: reading(amount),
    /** Energy since the sampler began, for differences. */
    joules: reading(amount),
    sensor: reading(PowerSensor),
  }),
  /** Of the processor, in degrees Celsius. */
  temperature: reading(v.number()),
  /** Bytes a second. */
  disk: v.object({ read: reading(amount), written: reading(amount) }),
  network: v.object({ received: reading(amount), sent: reading(amount) }),
});
export type MachineReadings = v.InferOutput<typeof MachineReadings>;

/** A process of the app. */
export const AppProcess = v.object({
  kind: v.picklist(['app', 'engine']),
  /** Cores that it keeps busy. */
  cores: amount,
  memoryBytes: amount,
});
export type AppProcess = v.InferOutput<typeof AppProcess>;

/** Everything at one moment. */
export const Sample = v.object({
  at: time,
  ...MachineReadings.entries,
  processes: v.array(AppProcess),
  engine: v.nullable(
    v.object({
      /** Busy share of each thread of the engine. */
      threads: v.array(busy),
      memory: EngineUsage.entries.memory,
    }),
  ),
  /** What the engine is doing: tokens a second of the running answer. */
  tokensPerSecond: v.object({ prefill: reading(amount), decode: reading(amount) }),
});
export type Sample = v.InferOutput<typeof Sample>;

/** The most telling figures of a moment, for the line beside a chat. Means and rounded: a change is worth showing. */
export const Glance = v.object({
  /** Busy share of all cores. */
  processor: reading(busy),
  /** Of the engine's process; null where it is not there. */
  engineBytes: reading(amount),
  accelerators: v.array(v.object({ id: v.string(), name: v.string(), busy: reading(busy) })),
  watts: reading(amount),
  tokensPerSecond: Sample.entries.tokensPerSecond,
});
export type Glance = v.InferOutput<typeof Glance>;

/** How long samples are kept. */
export const HISTORY_MS = 600_000;

/** A wish to watch closely holds this long. */
export const WATCH_MS = 15_000;

export const resourceChannels = {
  /** Samples of the last ten minutes, a second apart, oldest first. */
  'resources.history': { request: nothing, response: v.array(Sample) },
  /**
   * Whether a window shows the figures large: then samples come four times a second, else none. Asked again within WATCH_MS
   * for as long as that is so, since a window may end without a word.
   */
  'resources.watch': { request: v.object({ closely: v.boolean() }), response: nothing },
} as const;

export const resourceEvents = [
  v.object({ type: v.literal('sample'), sample: Sample }),
  v.object({ type: v.literal('glance'), glance: Glance }),
] as const;
