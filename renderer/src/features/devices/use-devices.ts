/** The devices of this computer, for screens that show them. */
import { useEffect } from 'react';
import type { DeviceInfo } from '../../../../contract/engine.ts';
import { useAppState, useCommands } from '../../store/context.ts';

/** Null until they were read once. They are read again when the engine's state changes, since the engine reports them. */
export function useDevices(): readonly DeviceInfo[] | null {
  const commands = useCommands();
  const engineState = useAppState((state) => state.engine.state);
  const devices = useAppState((state) => state.devices);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => void commands.readDevices(), [commands, engineState]);
  return devices;
}
