/** Entry of the sampler process: reads the machine's sensors at the pace that main asks for, and tells it. */
import * as v from 'valibot';
import { SamplerCommand, type SamplerReport } from '../../contract/resources.ts';
import { LinuxMachine } from './linux-machine.ts';
import type { MachineReader } from './machine.ts';
import { WindowsMachine } from './windows-machine.ts';

/** What Electron's utilityProcess gives its child. */
interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  postMessage(message: SamplerReport): void;
}

function main(port: ParentPort): void {
  const reader: MachineReader = process.platform === 'win32' ? new WindowsMachine() : new LinuxMachine();
  let timer: NodeJS.Timeout | undefined;
  let command: SamplerCommand | undefined;
  const sample = async () => {
    if (command === undefined) return;
    const { everyMs, pids } = command;
    const readings = await reader.read(everyMs, pids);
    port.postMessage({ at: Date.now(), readings });
  };
  port.on('message', ({ data }) => {
    const parsed = v.safeParse(SamplerCommand, data);
    if (!parsed.success) return;
    const paceIsNew = command?.everyMs !== parsed.output.everyMs;
    command = parsed.output;
    if (!paceIsNew) return;
    clearInterval(timer);
    timer = setInterval(() => void sample(), command.everyMs);
    void sample();
  });
}

const { parentPort } = process as unknown as { parentPort?: ParentPort };
if (parentPort) main(parentPort);
