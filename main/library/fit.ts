/** Whether a model's memory is there: its estimate against what programs can have now, never against what is built in. */
import { readFile } from 'node:fs/promises';
import { freemem } from 'node:os';
import type { MemoryEstimate } from '../../contract/engine.ts';
import type { ModelFit } from '../../contract/models.ts';

/** Up to this share of the free memory a model fits with room to spare; up to all of it, only just. */
const COMFORTABLE = 0.8;

/** `availableBytes`: what programs can have now, and what the loaded model would give back. */
export function fitOf(memory: MemoryEstimate, availableBytes: number): ModelFit {
  const needed = memory.weightsBytes + memory.kvBytes + memory.scratchBytes;
  const level = needed <= COMFORTABLE * availableBytes ? 'fits' : needed <= availableBytes ? 'tight' : 'no';
  return { level, memory, availableBytes };
}

/** Bytes that programs can have without others being swapped out. */
export async function availableMemory(): Promise<number> {
  // On Linux what caches hold counts too; freemem() of older Node leaves that out.
  const told = process.platform === 'linux' ? await readFile('/proc/meminfo', 'utf8').catch(() => '') : '';
  const kilobytes = /^MemAvailable:\s+(\d+) kB$/m.exec(told)?.[1];
  return kilobytes === undefined ? freemem() : Number(kilobytes) * 1024;
}
