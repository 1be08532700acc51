/** The devices of this machine and their self-test. */
import * as v from 'valibot';
import { DeviceInfo, Progress } from './engine.ts';
import { nothing } from './fields.ts';

/** Where the self-test of devices stands. */
export const DeviceTestStatus = v.variant('state', [
  v.object({ state: v.literal('idle') }),
  v.object({ state: v.literal('running'), progress: v.optional(Progress) }),
]);
export type DeviceTestStatus = v.InferOutput<typeof DeviceTestStatus>;

export const deviceChannels = {
  'engine.devices': { request: nothing, response: v.array(DeviceInfo) },
  /** Tests a device, or all (null); answers with the results once it is done. */
  'devices.test': { request: v.object({ device: v.nullable(v.string()) }), response: v.array(DeviceInfo) },
  'devices.stop': { request: nothing, response: nothing },
  /** Lets the user choose `libraryFolder`; answers with the devices that there are then. */
  'devices.choose-folder': { request: nothing, response: v.array(DeviceInfo) },
  'devices.forget-folder': { request: nothing, response: v.array(DeviceInfo) },
} as const;

export const deviceEvents = [v.object({ type: v.literal('device-test'), status: DeviceTestStatus })] as const;
