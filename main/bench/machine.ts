/** What a benchmark ran on: every report carries it, since no figure means anything without. */
import { cpus, totalmem } from 'node:os';
import type { NativeAddon } from '../../native/js/index.ts';

export interface Machine {
  cpu: string;
  cores: number;
  memoryGiB: number;
  /** Instruction set of our kernels. */
  isa: string;
  /** ONNX Runtime's version. */
  ort: string;
  node: string;
  platform: string;
  /** ISO 8601, day only. */
  date: string;
  roof: Roof;
}

/** What one core of this machine can do at best, measured by the bench itself. */
export interface Roof {
  /** Billions of float32 operations (two for a fused multiply-add) a second. */
  fp32Gflops: number;
  /** Billions of INT8 operations (two for a multiply-add) a second. */
  int8Gops: number;
  /** GB/s of a copy between buffers far larger than the caches, bytes read plus bytes written. */
  copyGBs: number;
}

/** Measures the roof (under a second) and reads the rest. */
export function describeMachine(native: NativeAddon): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    isa: native.activeIsa(),
    ort: native.devices()[0]?.epMetadata.version ?? 'unknown',
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    date: new Date().toISOString().slice(0, 10),
    roof: native.measureRoof(),
  };
}

export function machineLine({ cpu, cores, isa, ort, node, platform, date, roof }: Machine): string {
  return (
    `${cpu}, ${cores} cores, ${platform}, ${isa}; ONNX Runtime ${ort}, Node ${node}; ${date}; roof of one core: ` +
    `${roof.fp32Gflops.toFixed(0)} GFLOP/s fp32, ${roof.int8Gops.toFixed(0)} GOP/s INT8, copy ${roof.copyGBs.toFixed(1)} GB/s`
  );
}
