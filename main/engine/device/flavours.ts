/** Which forms of a model's graphs an execution provider takes on a type of device, best first. */
import type { DeviceInfo, GraphFlavour } from '../../../contract/engine.ts';

const CPU: readonly GraphFlavour[] = ['cpu', 'pilot-u8', 'w8a16', 'w4a16', 'w8a8', 'w8a8-rows', 'fp16'];
/** What a provider that is not known here is tried with: forms that most NPU compilers take. */
const UNKNOWN: readonly GraphFlavour[] = ['pilot-u8', 'w8a16'];

const TAKEN: Readonly<Record<string, Partial<Record<DeviceInfo['type'], readonly GraphFlavour[]>>>> = {
  CPUExecutionProvider: { CPU },
  // It has no product of 8 bit integers with a float result.
  QNNExecutionProvider: {
    NPU: ['pilot-u8', 'w8a16', 'fp16', 'w4a16'],
    GPU: ['fp16'],
    // A simulator of the NPU.
    CPU: ['pilot-u8', 'w8a16', 'fp16', 'w4a16'],
  },
  // 16 bit activations with 8 bit weights compile to code of the size of w8a8: whether all 16 bits count is not known.
  OpenVINOExecutionProvider: {
    NPU: ['pilot-u8', 'w8a8-rows', 'fp16', 'w8a8', 'w4a16'],
    GPU: ['pilot-u8', 'fp16'],
    CPU: ['pilot-u8', 'w8a8-rows', 'w8a8'],
  },
  VitisAIExecutionProvider: { NPU: ['pilot-u8', 'w8a16', 'w8a8'] },
  DmlExecutionProvider: { GPU: ['pilot-u8', 'fp16'], NPU: ['pilot-u8', 'fp16'] },
  // Its MatMul has no 8 bit form.
  WebGpuExecutionProvider: { GPU: ['fp16'] },
};

export function flavoursOf(executionProvider: string, type: DeviceInfo['type']): GraphFlavour[] {
  const known = TAKEN[executionProvider];
  return [...(known === undefined ? UNKNOWN : (known[type] ?? []))];
}
