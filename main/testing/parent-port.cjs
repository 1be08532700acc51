/** Loaded before dist/engine.cjs in a plain child process: Electron's parentPort over Node's own channel. */
const parentPort = {
  /** @param {string} _event @param {(event: { data: unknown }) => void} listener */
  on: (_event, listener) => process.on('message', (data) => listener({ data })),
  /** @param {unknown} message */
  postMessage: (message) => process.send?.(message),
};
Object.assign(process, { parentPort });
