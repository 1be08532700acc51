/** Entry of the sampler thread: reads the machine's sensors at the pace that main asks for, and tells it. */
import { parentPort } from 'node:worker_threads';
import { LinuxMachine } from './linux-machine.ts';
import type { MachineReader } from './machine.ts';
import type { SamplerCommand, SamplerReport } from './sampler.ts';
import { WindowsMachine } from './windows-machine.ts';

const reader: MachineReader = process.platform === 'win32' ? new WindowsMachine() : new LinuxMachine();
let timer: NodeJS.Timeout | undefined;
let command: SamplerCommand | undefined;

async function sample(): Promise<void> {
  if (command === undefined) return;
  const readings = await reader.read(command.everyMs, command.pids);
  parentPort?.postMessage({ at: Date.now(), readings } satisfies SamplerReport);
}

parentPort?.on('message', (next: SamplerCommand) => {
  const paceIsNew = command?.everyMs !== next.everyMs;
  command = next;
  if (!paceIsNew) return;
  clearInterval(timer);
  timer = setInterval(() => void sample(), next.everyMs);
  void sample();
});
