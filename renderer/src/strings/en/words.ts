/** What several areas say. */
import { createDeviceWords } from '../device-words.ts';

export const deviceWords = createDeviceWords({
  simulated: 'simulated device',
  processor: 'CPU as ONNX Runtime device',
});

/** With a full stop, unless it has an end already. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
