/** Devices of an answer in words. Answers outlive devices, so the words come from the id alone: PROVIDER:TYPE:NUMBER. */
import { strings } from '../../strings.ts';

const words = strings.figures;

/** "NPU" or "GPU" for a device's id, "CPU" for the program's own code, and names for what stands in for a device. */
export function deviceWords(device: string): string {
  if (device === 'simulated') return words.simulatedDevice;
  const [provider, type] = device.split(':');
  if (provider === 'CPUExecutionProvider') return words.processorDevice;
  return type ?? device;
}
