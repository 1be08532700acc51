/** Names of pilots that devices compute: `ort:` and the device's id, type or execution provider. */
const DEVICE = 'ort:';

export function devicePilot(device: string): string {
  return `${DEVICE}${device}`;
}

/** The device of a pilot's name; a name without one as it is. */
export function deviceOfPilot(pilot: string): string {
  return pilot.startsWith(DEVICE) ? pilot.slice(DEVICE.length) : pilot;
}
