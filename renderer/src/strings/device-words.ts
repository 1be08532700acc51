/** Names of devices in answers. */

/** The engine's word for a pilot that no device computed: it must be told wherever the pilot is. */
export const SIMULATED = 'simulated';

interface Words {
  readonly simulated: string;
  /** The processor, where ONNX Runtime computes on it. */
  readonly processor: string;
}

/**
 * A device of an answer in a language's words. Answers outlive devices, so the words come from the id alone,
 * PROVIDER:TYPE:NUMBER; "CPU" is the program's own code on the processor.
 */
export function createDeviceWords({ simulated, processor }: Words): (device: string) => string {
  return (device) => {
    if (device === SIMULATED) return simulated;
    const [provider, type] = device.split(':');
    if (provider === 'CPUExecutionProvider') return processor;
    return type ?? device;
  };
}
