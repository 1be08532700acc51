/**
 * `npm run build:native [-- --all | TARGETS] [--force]`: builds the native addon for this machine, for the targets named or for
 * all of them, and loads each in Node.js where this machine or an emulator can.
 */
import { parseArgs } from 'node:util';
import { buildNative, hostTarget, ZIG_TARGETS } from '../native/build.mjs';
import { emulatorOf } from './emulators/emulators.mjs';
import { runJob } from './emulators/job.mjs';
import { reasonOf } from './setup/errors.mjs';

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean' }, force: { type: 'boolean' } },
  allowPositionals: true,
});
const targets = values.all ? Object.keys(ZIG_TARGETS) : positionals.length > 0 ? positionals : [hostTarget()];
const log = (/** @type {string} */ line) => console.error(line);

for (const target of targets) {
  try {
    const started = Date.now();
    const { compiled, total } = await buildNative({ target, force: values.force === true, onLog: log });
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(`${target}: built, ${compiled} of ${total} files compiled, ${seconds} s; ${await loaded(target)}`);
  } catch (error) {
    console.log(`${target}: FAILED: ${reasonOf(error)}`);
    process.exitCode = 1;
  }
}

/** How loading it went, as the end of a sentence. Throws where it can be tried and fails. @param {string} target */
async function loaded(target) {
  const emulator = await emulatorOf(target, log);
  if (typeof emulator === 'string') return `not loaded: ${emulator}`;
  const { node, isas, ort } = await runJob(emulator, target);
  return `loaded by Node ${node} with ONNX Runtime ${ort} (${emulator.name}; ${isas.join(', ')})`;
}
