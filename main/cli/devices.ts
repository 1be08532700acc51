/** `devices`: what this machine can compute on, why what it cannot, and their self-tests. */
import type { DeviceInfo, SelfTest } from '../../contract/engine.ts';
import { EXIT } from './exit.ts';
import type { Interrupt } from './interrupt.ts';
import type { OptionValues } from './options.ts';
import { ProgressLine, print, printJson } from './output.ts';
import { withEngine } from './session.ts';

export function devices(values: OptionValues, { signal }: Interrupt): Promise<number> {
  return withEngine(async (engine) => {
    const progress = new ProgressLine();
    try {
      const all = values['self-test']
        ? await engine.selfTest(values.device, { onProgress: progress.show, signal })
        : engine.devices();
      progress.clear();
      if (values.json) printJson({ devices: all.map((device) => ({ ...device, phrases: undefined })) });
      else print(all.map(describe).join('\n'));
      return EXIT.ok;
    } finally {
      progress.clear();
    }
  }, values);
}

/** A device as some lines: what it is, then indented what is known of it. */
function describe(device: DeviceInfo): string {
  const { id, name, type, executionProvider, epVersion, driver, flavours, usable, reason, remedy, selfTest } = device;
  const details = [
    `${executionProvider}${epVersion === undefined ? '' : ` ${epVersion}`}${driver === undefined ? '' : `, driver ${driver}`}`,
    `id ${id}`,
    ...(flavours.length === 0 ? [] : [`takes ${flavours.join(', ')}`]),
    ...(selfTest === undefined ? [] : [`self-test ${describeTest(selfTest)}`]),
    ...(usable ? ['can be used'] : [`cannot be used: ${reason ?? ''}`]),
    ...(remedy === undefined ? [] : [`what to do: ${remedy}`]),
  ];
  return [`${type}  ${name}`, ...details.map((line) => `     ${line}`), ''].join('\n');
}

function describeTest({ passed, seconds, pilotMs, linearMs, worstError, memoryBytes, problem }: SelfTest): string {
  const figures = [
    ...(pilotMs === undefined ? [] : [`pilot ${pilotMs.toFixed(2)} ms`]),
    ...(linearMs === undefined ? [] : [`linear ${linearMs.toFixed(2)} ms`]),
    ...(worstError === undefined ? [] : [`worst error ${worstError.toFixed(2)} of 255`]),
    ...(memoryBytes === undefined ? [] : [`${(memoryBytes / 1e6).toFixed(0)} MB`]),
  ];
  return [`${passed ? 'passed' : 'failed'} in ${seconds.toFixed(1)} s`, ...figures, ...(problem ? [problem] : [])].join(
    '; ',
  );
}
