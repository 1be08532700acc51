/** How a process ends in which a thread hangs in a device's driver. */
import type { NativeAddon } from '../../../native/js/index.ts';

let armed = false;

/**
 * Node waits for all threads before it ends a process, for ever where one hangs in native code. From now on this process ends
 * without them, with the exit code that it has then.
 */
export function endWithoutThreads(native: NativeAddon): void {
  if (armed) return;
  armed = true;
  process.on('exit', (code) => native.endProcess(code));
}
