/**
 * What someone may send along with a report of a fault. It is made of a closed vocabulary: names that the app or the
 * hardware gave, numbers, and places in the app's code. Free text has no way in, so neither have chats, file names or
 * the names of people.
 */
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CrashReport } from '../../contract/app.ts';
import { channels } from '../../contract/channels.ts';
import type { DeviceInfo } from '../../contract/engine.ts';
import { ErrorKind } from '../../contract/errors.ts';
import type { EngineStatus } from '../../contract/model-status.ts';
import type { Settings } from '../../contract/settings.ts';
import { framesOf } from './crash-reports.ts';

const LOG_LINES = 200;

export interface DiagnosticsInput {
  readonly versions: Readonly<Record<'app' | 'electron' | 'chrome' | 'node', string>>;
  readonly machine: {
    readonly os: string;
    readonly release: string;
    readonly arch: string;
    readonly processor: string;
    readonly threads: number;
    readonly memoryBytes: number;
    readonly freeBytes: number;
  };
  readonly engine: EngineStatus;
  /** Undefined where the engine does not tell. */
  readonly devices: readonly DeviceInfo[] | undefined;
  readonly settings: Settings;
  readonly crashes: readonly CrashReport[];
  readonly logLines: readonly string[];
}

/** Versions of what runs here, and the machine. `appVersion` is the app's. */
export function machineFacts(appVersion: string): Pick<DiagnosticsInput, 'versions' | 'machine'> {
  const cpus = os.cpus();
  const { electron = '', chrome = '', node } = process.versions;
  return {
    versions: { app: appVersion, electron, chrome, node },
    machine: {
      os: process.platform,
      release: os.release(),
      arch: process.arch,
      processor: cpus[0]?.model.trim() ?? 'unknown processor',
      threads: cpus.length,
      memoryBytes: os.totalmem(),
      freeBytes: os.freemem(),
    },
  };
}

/** The last lines of the log, the older file included. Empty where there is none. */
export function lastLogLines(folder: string): string[] {
  return ['main.old.log', 'main.log']
    .flatMap((name) => {
      try {
        return readFileSync(path.join(folder, name), 'utf8').split('\n');
      } catch {
        return [];
      }
    })
    .filter((line) => line !== '')
    .slice(-LOG_LINES);
}

export function diagnosticsText(input: DiagnosticsInput): string {
  const { versions, machine, engine, devices, settings, crashes, logLines } = input;
  return [
    `ShadowNPU ${versions.app}`,
    `Electron ${versions.electron}, Chromium ${versions.chrome}, Node ${versions.node}`,
    `${machine.os} ${machine.release} ${machine.arch}`,
    `${machine.processor}, ${machine.threads} threads, ${megabytes(machine.memoryBytes)} of memory, ${megabytes(machine.freeBytes)} free`,
    '',
    'Engine',
    engineLine(engine),
    '',
    'Devices',
    ...(devices?.map(deviceLine) ?? ['not told']),
    '',
    'Settings',
    ...settingLines(settings),
    '',
    'Crashes',
    ...(crashes.length === 0 ? ['none'] : crashes.flatMap(crashLines)),
    '',
    'Log',
    ...scrubLog(logLines),
    '',
  ].join('\n');
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

function engineLine(engine: EngineStatus): string {
  switch (engine.state) {
    case 'ready': {
      const { weights, contextSize, device, threads, calibrated, places } = engine.model;
      const placed = places?.map((place) => `${place.part} on ${place.device}`) ?? [];
      return [
        'ready',
        `${weights} weights`,
        `context ${contextSize}`,
        device,
        `${threads} threads`,
        ...(calibrated ? ['calibrated'] : []),
        ...placed,
      ].join(', ');
    }
    case 'failed':
      return `failed: ${engine.error.kind}${engine.final ? ', not started again' : ''}`;
    case 'loading':
      return `loading${engine.progress === undefined ? '' : `: ${engine.progress.stage}`}`;
    default:
      return engine.state;
  }
}

function deviceLine({ id, name, type, executionProvider, epVersion, driver, usable, virtual, selfTest }: DeviceInfo) {
  return [
    id,
    name,
    `${type} by ${executionProvider} ${epVersion ?? ''}`.trim(),
    ...(driver === undefined ? [] : [`driver ${driver}`]),
    usable ? 'usable' : 'not usable',
    ...(virtual ? ['virtual'] : []),
    ...(selfTest === undefined ? [] : [selfTest.passed ? 'self-test passed' : 'self-test failed']),
  ].join(', ');
}

/** Fields that hold words of the user's own are told as set or not. New settings stay out until they are named here. */
function settingLines(settings: Settings): string[] {
  const { attention, placement } = settings;
  const told: Record<string, string | number | boolean> = {
    theme: settings.theme,
    language: settings.language,
    attention: `${attention.mode} ${attention.ratio}`,
    weights: settings.weights,
    temperature: settings.temperature,
    atLimit: settings.atLimit,
    autoTitle: settings.autoTitle,
    startWith: settings.startWith,
    closeToTray: settings.closeToTray,
    linear: placement.linear,
    pilot: placement.pilot,
    decode: placement.decode,
    avoidGpu: placement.avoidGpu,
    saveBattery: placement.saveBattery,
    systemPrompt: settings.systemPrompt === '' ? 'not set' : 'set',
    modelId: settings.modelId === undefined ? 'not set' : 'set',
    libraryFolder: settings.libraryFolder === undefined ? 'not set' : 'set',
  };
  return Object.entries(told).map(([key, value]) => `${key}: ${value}`);
}

function crashLines({ time, process, reason, frames, app }: CrashReport): string[] {
  return [
    `${new Date(time).toISOString()} ${process} of ${app}: ${reason}`,
    ...frames.slice(0, 8).map((frame) => `  ${frame}`),
  ];
}

const WITHHELD = '(words left out)';
const KINDS: readonly string[] = ErrorKind.options;

/** What each kind of line becomes: fixed words of the app, error kinds, codes. */
const SHAPES: readonly [pattern: RegExp, told: (match: RegExpExecArray) => string | undefined][] = [
  [/^(start: app [\d.]{1,20}, Electron [\d.]{1,20}, [a-z0-9]{1,10} [a-z0-9]{1,10}|end)$/, ([line]) => line],
  [/^page ended: ([a-z-]{1,40}), exit code (-?\d{1,12})$/, ([line]) => line],
  [/^engine ended: .*?exit code (-?\d{1,12})/, ([, code]) => `engine ended: exit code ${code}`],
  [/^(engine does not answer; ending it|the engine is started anew)$/, ([line]) => line],
  [/^(\d{1,9}) (answers were cut off|chats that were deleted long ago)/, ([, count, what]) => `${count} ${what}`],
  [/^answer \S+ failed: ([a-z-]+):/, ([, kind]) => known(kind, 'answer failed')],
  [/^(model not loaded|devices not measured|calibration failed): ([a-z-]+):/, ([, what, kind]) => known(kind, what)],
  [
    /^([a-z]+\.[a-z-]+): ([a-z-]+):/,
    ([, channel, kind]) => (channel && channel in channels ? known(kind, channel) : undefined),
  ],
  [/^(uncaught|unhandled): /, ([, what]) => what],
];

function known(kind: string | undefined, what: string | undefined): string | undefined {
  return kind !== undefined && KINDS.includes(kind) ? `${what}: ${kind}` : undefined;
}

/** The log with everything left out that the app itself did not word. Lines left out in a row are told as one. */
export function scrubLog(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (const line of lines) {
    const told = scrubLine(line);
    if (told !== WITHHELD || kept.at(-1) !== WITHHELD) kept.push(told);
  }
  return kept;
}

function scrubLine(line: string): string {
  const [frame] = framesOf(line);
  if (frame !== undefined) return `  ${frame}`;
  const dated = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (.*)$/.exec(line);
  if (!dated) return WITHHELD;
  const [, time, rest = ''] = dated;
  for (const [pattern, told] of SHAPES) {
    const match = pattern.exec(rest);
    const words = match && told(match);
    if (words) return `${time} ${words}`;
  }
  return `${time} ${WITHHELD}`;
}
