/** Names of devices in answers, and what joins texts that come from elsewhere. */

/** The engine's word for a pilot that no device computed: it must be told wherever the pilot is. */
export const SIMULATED = 'simulated';

/**
 * A device of an answer in words. Answers outlive devices, so the words come from the id alone, PROVIDER:TYPE:NUMBER; "CPU" is
 * the program's own code on the processor.
 */
export function deviceWords(device: string): string {
  if (device === SIMULATED) return 'simulated device';
  const [provider, type] = device.split(':');
  if (provider === 'CPUExecutionProvider') return 'CPU as ONNX Runtime device';
  return type ?? device;
}

/** With a full stop, unless it has an end already. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
