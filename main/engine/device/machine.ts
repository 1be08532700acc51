/** What of this machine decides whether a device can be used: processor, real architecture, remote session. */
import { cpus } from 'node:os';

export interface Machine {
  platform: string;
  /** Of this program. */
  arch: string;
  /** Of the processor: another one where the program is emulated. */
  processorArch: string;
  intelProcessor: boolean;
  /** Whether somebody uses it over a remote desktop, which can hide GPUs and NPUs from programs. */
  remoteDesktop: boolean;
}

/** @param environment of the process; Windows tells there of emulation and of remote sessions */
export function machineOf(
  platform: string = process.platform,
  arch: string = process.arch,
  environment: NodeJS.ProcessEnv = process.env,
  processor: string = cpus()[0]?.model ?? '',
): Machine {
  const windows = platform === 'win32';
  const emulated = windows && arch === 'x64' && /ARMv8|ARM64/i.test(environment.PROCESSOR_IDENTIFIER ?? '');
  return {
    platform,
    arch,
    processorArch: emulated || environment.PROCESSOR_ARCHITEW6432 === 'ARM64' ? 'arm64' : arch,
    intelProcessor: /intel/i.test(processor),
    remoteDesktop: windows && /^RDP/i.test(environment.SESSIONNAME ?? ''),
  };
}
