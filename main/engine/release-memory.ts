/** Gives memory that is no longer used back to the operating system. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { NativeAddon } from '../../native/js/index.ts';

/**
 * Call after large buffers were let go of: they live until JavaScript's collector runs, which an idle process never does, and
 * what native code has freed stays with its allocator. Takes tens of milliseconds.
 */
export function releaseMemory(native: NativeAddon): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') {
    // What only a finalizer lets go of is free after the second time.
    collect();
    collect();
  }
  native.trimMemory();
}
