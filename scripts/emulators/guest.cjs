/**
 * Runs inside an emulator: loads the addon and ONNX Runtime, registers libraries, lists devices and runs graphs, as the job
 * in the file argv[2] says (job.mjs), and writes what came of it. Plain CommonJS, since any Node must take it as it is.
 */
const { readFileSync, writeFileSync } = require('node:fs');

/** @type {import('./job.mjs').GuestJob} */
const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
/** @type {Record<string, any>} */
const result = { node: process.version, platform: process.platform, arch: process.arch, libraries: [], runs: [] };
/** Written after every step: a library may end the process. */
const keep = () => writeFileSync(job.result, JSON.stringify(result));

const TYPES = /** @type {Record<string, any>} */ ({ uint8: Uint8Array, float32: Float32Array });

/** @param {import('./job.mjs').GuestTensor} tensor @param {boolean} read */
function tensorOf({ type, dims, file }, read) {
  const array = TYPES[type];
  const count = dims.reduce((product, extent) => product * extent, 1);
  if (!read) return { data: new array(count), dims };
  const bytes = readFileSync(file);
  return { data: new array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)), dims };
}

/** @param {any} native @param {import('./job.mjs').GuestRun} run */
function runGraph(native, { graph, device, metadata = {}, config, epOptions, inputs, outputs }) {
  const isMeant = (/** @type {any} */ { ep, epMetadata }) =>
    ep === device && Object.entries(metadata).every(([key, value]) => epMetadata[key] === value);
  const found = native.devices().find(isMeant);
  if (!found) return { error: `no device of ${device}` };
  try {
    const opening = Date.now();
    const session = native.openSession(graph, { devices: [found.index], config, epOptions });
    const opened = Date.now();
    const given = inputs.map((tensor) => tensorOf(tensor, true));
    const made = outputs.map((tensor) => tensorOf(tensor, false));
    if (outputs.length > 0) session.run(given, made);
    const ran = Date.now();
    session.close();
    for (const [i, { file }] of outputs.entries()) writeFileSync(file, new Uint8Array(made[i]?.data.buffer));
    return { openMs: opened - opening, runMs: ran - opened };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

const native = require(job.addon);
result.isas = native.isas();
result.maxAbs = native.maxAbs(Float32Array.of(1, -3, 2));
keep();
result.ort = native.loadOrt(job.ort).version;
keep();
for (const { name, file } of job.libraries) {
  try {
    native.registerEpLibrary(name, file);
    result.libraries.push({ name });
  } catch (error) {
    result.libraries.push({ name, error: error instanceof Error ? error.message : String(error) });
  }
  keep();
}
result.devices = native.devices();
keep();
for (const run of job.runs) {
  result.runs.push(runGraph(native, run));
  keep();
}
result.done = true;
keep();
