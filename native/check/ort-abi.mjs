/**
 * Proves src/ort/abi.h against ONNX Runtime's own header: slot numbers, types, enum values.
 *
 *   node native/check/ort-abi.mjs [FOLDER_WITH_HEADERS]
 *
 * For whoever changes abi.h. Without a folder it fetches the headers, see ort-headers.mjs.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostToolchain, run } from '../toolchain.mjs';
import { ortHeaders } from './ort-headers.mjs';

const here = dirname(fileURLToPath(import.meta.url));

try {
  const folder = process.argv[2] ?? (await ortHeaders());
  const { command } = await hostToolchain((line) => console.error(line));
  const [program = '', ...leading] = command;
  const flags = ['-std=c++20', '-fsyntax-only', '-Wno-ignored-attributes', '-isystem', folder];
  const { ok, output } = await run(program, [...leading, ...flags, join(here, 'ort_abi.cc')]);
  if (!ok) throw new Error(output);
  console.log('abi.h agrees with the header');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
