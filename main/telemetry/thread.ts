/** Entry of the sampler thread: reads the machine's sensors at the pace that main asks for, and tells it. */
import { parentPort } from 'node:worker_threads';
import { LinuxMachine } from './linux-machine.ts';
import type { MachineReader } from './machine.ts';
import type { SamplerCommand, SamplerReport } from './sampler.ts';
import { WindowsMachine } from './windows-machine.ts';

const reader: MachineReader = process.platform === 'win32' ? new WindowsMachine() : new LinuxMachine();
let timer: NodeJS.Timeout | undefined;
let command: SamplerCommand | undefined;
/** Not told yet, and since when, by performance.now(). */
let untold: SamplerReport[] = [];
let since = 0;

async function sample(): Promise<void> {
  if (command === undefined) return;
  const { everyMs, tellMs, pids } = command;
  const readings = await reader.read(everyMs, pids, tellMs > everyMs);
  if (untold.length === 0) since = performance.now();
  untold.push({ at: Date.now(), readings });
  // The next reading would come too late.
  if (performance.now() - since + everyMs >= tellMs) tell();
}

function tell(): void {
  if (untold.length > 0) parentPort?.postMessage(untold);
  untold = [];
}

parentPort?.on('message', (next: SamplerCommand) => {
  const paceIsNew = command?.everyMs !== next.everyMs || command.tellMs !== next.tellMs;
  command = next;
  if (!paceIsNew) return;
  tell();
  clearInterval(timer);
  timer = setInterval(() => void sample(), next.everyMs);
  void sample();
});
