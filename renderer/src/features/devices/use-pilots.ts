/** What can compute the scores of shadow attention on this computer. */
import { devicePilot } from '../../../../contract/pilot-name.ts';
import { SIMULATED } from '../../strings/device-words.ts';
import { useDevices } from './use-devices.ts';

/** Names of pilots: a simulated device, and the devices that are there. */
export function useDevicePilots(): string[] {
  const devices = useDevices() ?? [];
  const usable = devices.filter(
    ({ type, usable: works, virtual, flavours }) =>
      type !== 'CPU' && works && !virtual && flavours.includes('pilot-u8'),
  );
  return [SIMULATED, ...usable.map(({ id }) => devicePilot(id))];
}

/** The processor through ONNX Runtime, as if it were a device; undefined until devices are known. */
export function useProcessorPilot(): string | undefined {
  const processor = useDevices()?.find(({ type }) => type === 'CPU');
  return processor && devicePilot(processor.id);
}
