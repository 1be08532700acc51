/** Whether a model's memory is there: its estimate against what programs can have now, never against what is built in. */
import { readFile } from 'node:fs/promises';
import { freemem } from 'node:os';
import type { DeviceInfo, MemoryEstimate } from '../../contract/engine.ts';
import type { FitLevel, ModelFit } from '../../contract/models.ts';
import { linearForm } from '../engine/device/placement-forms.ts';
import { FLAVOUR_FORMS, type WeightKind } from '../engine/graph/device-flavours.ts';
import { WEIGHT_BYTES } from './catalog-estimate.ts';

/** Up to this share of the free memory a model fits with room to spare; up to all of it, only just. */
const COMFORTABLE = 0.8;
/** Bytes of a weight as a device keeps it, scales included. */
const DEVICE_WEIGHT_BYTES: Readonly<Record<WeightKind, number>> = { int4: 0.54, int8: 1.04, float16: 2 };
const WORST_FIRST: readonly FitLevel[] = ['no', 'tight', 'fits'];

/** What a model may take of. */
export interface FreeMemory {
  /** What programs can have now, and what the loaded model would give back. */
  readonly availableBytes: number;
  readonly devices: readonly DeviceInfo[];
}

export function fitOf(memory: MemoryEstimate, { availableBytes, devices }: FreeMemory): ModelFit {
  const needed = memory.weightsBytes + memory.kvBytes + memory.scratchBytes;
  return {
    level: levelOf(needed, availableBytes),
    memory,
    availableBytes,
    devices: devices.flatMap((device) => {
      const neededBytes = bytesOn(device, memory);
      if (neededBytes === undefined) return [];
      const { id, name, memory: limit } = device;
      // What is computed on the processor stays there: attention, the tokens of the answer, and the weights for them.
      const levels = [
        levelOf(limit?.own === true ? needed : needed + neededBytes, availableBytes),
        ...(limit === undefined ? [] : [levelOf(neededBytes, limit.bytes)]),
      ];
      return [{ id, name, level: WORST_FIRST.find((level) => levels.includes(level)) ?? 'fits', neededBytes }];
    }),
  };
}

function levelOf(needed: number, available: number): FitLevel {
  return needed <= COMFORTABLE * available ? 'fits' : needed <= available ? 'tight' : 'no';
}

/** What the linear parts take in the form of this device; undefined where it cannot run them, and for the processor. */
function bytesOn(device: DeviceInfo, { weights, weightsBytes }: MemoryEstimate): number | undefined {
  const form = device.usable && device.type !== 'CPU' ? linearForm(device) : undefined;
  if (form === undefined) return undefined;
  if (form.flavour === 'cpu') return weightsBytes;
  const bytes = DEVICE_WEIGHT_BYTES[FLAVOUR_FORMS[form.flavour].weights];
  return Math.round((weightsBytes / WEIGHT_BYTES[weights]) * bytes);
}

/** Bytes that programs can have without others being swapped out. */
export async function availableMemory(): Promise<number> {
  // On Linux what caches hold counts too; freemem() of older Node leaves that out.
  const told = process.platform === 'linux' ? await readFile('/proc/meminfo', 'utf8').catch(() => '') : '';
  const kilobytes = /^MemAvailable:\s+(\d+) kB$/m.exec(told)?.[1];
  return kilobytes === undefined ? freemem() : Number(kilobytes) * 1024;
}
