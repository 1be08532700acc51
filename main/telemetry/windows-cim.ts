/**
 * Windows' counters by CIM, whose names no language of Windows translates: for machines where typeperf does not know the English
 * ones. Read by a PowerShell that answers each line it is sent with one of its own, and ends with its input.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import * as v from 'valibot';
import type { CounterValues } from './typeperf.ts';

interface CimSet {
  /** As typeperf calls it. */
  set: string;
  /** Asterisks where Windows' versions differ. */
  class: string;
  namespace?: string;
  /** Default: Name. */
  instance?: string;
  /** The one instance that counts, where it is not all. */
  only?: string;
  /** Property of the class by the counter's name. */
  counters: Readonly<Record<string, string>>;
}

const SETS: readonly CimSet[] = [
  {
    set: 'GPU Engine',
    class: 'Win32_PerfFormattedData_GPUPerformanceCounters_GPUEngine',
    counters: { 'Utilization Percentage': 'UtilizationPercentage' },
  },
  ...['GPU Adapter Memory', 'GPU Process Memory'].map((set) => ({
    set,
    class: `Win32_PerfFormattedData_GPUPerformanceCounters_${set.replaceAll(' ', '')}`,
    counters: { 'Dedicated Usage': 'DedicatedUsage', 'Shared Usage': 'SharedUsage' },
  })),
  {
    set: 'Energy Meter',
    class: 'Win32_PerfFormattedData*EnergyMeter*',
    counters: { Power: 'Power', Energy: 'Energy' },
  },
  {
    set: 'Battery Status',
    class: 'BatteryStatus',
    namespace: 'root/wmi',
    instance: 'InstanceName',
    counters: { 'Discharge Rate': 'DischargeRate' },
  },
  {
    set: 'Thermal Zone Information',
    class: 'Win32_PerfFormattedData_Counters_ThermalZoneInformation',
    counters: { Temperature: 'Temperature' },
  },
  {
    set: 'PhysicalDisk',
    class: 'Win32_PerfFormattedData_PerfDisk_PhysicalDisk',
    only: '_Total',
    counters: { 'Disk Read Bytes/sec': 'DiskReadBytesPersec', 'Disk Write Bytes/sec': 'DiskWriteBytesPersec' },
  },
  {
    set: 'Network Interface',
    class: 'Win32_PerfFormattedData_Tcpip_NetworkInterface',
    counters: { 'Bytes Received/sec': 'BytesReceivedPersec', 'Bytes Sent/sec': 'BytesSentPersec' },
  },
];

/** A line of PowerShell's for each line of ours: {set: [{instance and properties}, ...]}. What cannot be read is left out. */
export const CIM_SCRIPT = [
  "$ErrorActionPreference = 'SilentlyContinue'",
  '[Console]::OutputEncoding = New-Object Text.UTF8Encoding $false',
  `$sets = ConvertFrom-Json '${JSON.stringify(SETS.map(request))}'`,
  'foreach ($set in $sets) {',
  '  $class = Get-CimClass -Namespace $set.namespace -ClassName $set.class | Select-Object -First 1',
  '  $set.class = $class.CimClassName',
  '}',
  'while ([Console]::In.ReadLine() -ne $null) {',
  '  $all = @{}',
  '  foreach ($set in $sets) {',
  '    if (-not $set.class) { continue }',
  '    $rows = Get-CimInstance -Namespace $set.namespace -ClassName $set.class | Select-Object $set.properties',
  '    $all[$set.set] = @($rows)',
  '  }',
  '  [Console]::Out.WriteLine((ConvertTo-Json -Compress -Depth 3 $all))',
  '}',
].join('\n');

function request({ set, class: name, namespace = 'root/cimv2', instance = 'Name', counters }: CimSet) {
  return { set, class: name, namespace, properties: [instance, ...Object.values(counters)] };
}

const Answer = v.record(v.string(), v.array(v.nullable(v.record(v.string(), v.unknown()))));

/** Values of an answer, by the paths that typeperf has; undefined where it is none. */
export function cimValues(line: string): CounterValues | undefined {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return undefined;
  }
  const parsed = v.safeParse(Answer, json);
  if (!parsed.success) return undefined;
  const values = new Map<string, number>();
  for (const { set, instance = 'Name', only, counters } of SETS) {
    for (const row of parsed.output[set] ?? []) {
      const name = String(row?.[instance]);
      if (only !== undefined && name !== only) continue;
      for (const [counter, property] of Object.entries(counters)) {
        const value = row?.[property];
        if (typeof value === 'number' && value >= 0) values.set(`\\${set}(${name})\\${counter}`, value);
      }
    }
  }
  return values;
}

/** A program that does not run is tried again this long after. */
export const AGAIN_MS = 60_000;

/** The PowerShell, started when it is first asked. */
export class CimReader {
  private readonly took: (values: CounterValues) => void;
  private child: ChildProcessWithoutNullStreams | undefined;
  private waiting = false;
  /** By performance.now(). */
  private notBefore = 0;
  private rest = '';

  constructor(took: (values: CounterValues) => void) {
    this.took = took;
  }

  /** Asks for values, unless an answer is still to come. */
  ask(): void {
    if (this.waiting || performance.now() < this.notBefore) return;
    const child = this.child ?? this.start();
    this.waiting = true;
    child.stdin.write('\n');
  }

  /** Ends it: it takes memory. */
  rested(): void {
    this.child?.stdin.end();
    this.forget();
  }

  private start(): ChildProcessWithoutNullStreams {
    const encoded = Buffer.from(CIM_SCRIPT, 'utf16le').toString('base64');
    const child = spawn('powershell', ['-NoProfile', '-NonInteractive', '-EncodedCommand', encoded], {
      windowsHide: true,
    });
    this.child = child;
    const ended = () => {
      if (this.child !== child) return;
      this.notBefore = performance.now() + AGAIN_MS;
      this.forget();
    };
    child.once('error', ended);
    child.once('exit', ended);
    // What is written to a program that has ended.
    child.stdin.on('error', () => undefined);
    child.stderr.resume();
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => this.child === child && this.read(text));
    return child;
  }

  private read(text: string): void {
    const lines = (this.rest + text).split(/\r?\n/);
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      const values = cimValues(line);
      if (values === undefined) continue;
      this.waiting = false;
      this.took(values);
    }
  }

  private forget(): void {
    this.child = undefined;
    this.waiting = false;
    this.rest = '';
  }
}
