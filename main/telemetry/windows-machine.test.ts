/**
 * Windows in another language: typeperf that does not know the English names, and CIM in its place. The programs are stand-ins
 * that print what those of Windows would: the messages are Windows' own in German and Chinese, the rows those of
 * windows-readings.test.ts as CIM's classes have them.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CIM_SCRIPT, CimReader, cimValues } from './windows-cim.ts';
import { WindowsMachine } from './windows-machine.ts';
import { accelerators, temperature, traffic, watts } from './windows-readings.ts';

const GPU = 'luid_0x00000000_0x000124A5_phys_0';
const NPU = 'luid_0x00000000_0x000128A6_phys_0';
const ROWS = {
  'GPU Engine': [
    { Name: `pid_12_${NPU}_eng_0_engtype_Neural`, UtilizationPercentage: 62 },
    { Name: `pid_88_${GPU}_eng_0_engtype_3D`, UtilizationPercentage: 30 },
  ],
  'GPU Adapter Memory': [{ Name: NPU, DedicatedUsage: 0, SharedUsage: 3_000_000 }],
  'GPU Process Memory': [{ Name: `pid_12_${NPU}`, DedicatedUsage: 0, SharedUsage: 2_000_000 }],
  'Energy Meter': [{ Name: 'RAPL_Package0_PKG', Power: 19_835, Energy: 2_200_000_000_000_000 }],
  'Thermal Zone Information': [{ Name: '\\_TZ.CPUZ', Temperature: 333 }],
  PhysicalDisk: [
    { Name: '0 C:', DiskReadBytesPersec: 4096, DiskWriteBytesPersec: 0 },
    { Name: '_Total', DiskReadBytesPersec: 4096, DiskWriteBytesPersec: 0 },
  ],
  'Network Interface': [{ Name: 'Intel[R] Wi-Fi 7 BE201', BytesReceivedPersec: 1500, BytesSentPersec: 0 }],
};

describe("CIM's rows", () => {
  test('give what the counters of the same names give', () => {
    const values = cimValues(JSON.stringify(ROWS)) ?? new Map();
    expect(accelerators(values, [12])).toEqual([
      { id: GPU, kind: 'gpu', name: 'GPU 1', busy: 0.3, appBusy: 0, memoryBytes: null, appMemoryBytes: null },
      { id: NPU, kind: 'npu', name: 'NPU 1', busy: 0.62, appBusy: 0.62, memoryBytes: 3e6, appMemoryBytes: 2e6 },
    ]);
    expect(watts(values)).toEqual({ watts: 19.835, sensor: 'counter' });
    expect(temperature(values)).toBeCloseTo(59.85, 5);
    expect(traffic(values)).toEqual({ disk: { read: 4096, written: 0 }, network: { received: 1500, sent: 0 } });
  });

  test('that are missing or forbidden are no reading, never 0', () => {
    const values = cimValues('{"GPU Engine":[],"Energy Meter":[null],"PhysicalDisk":[{"Name":"_Total"}]}') ?? new Map();
    expect(values.size).toBe(0);
    expect(cimValues('Get-CimInstance : Zugriff verweigert')).toBeUndefined();
    expect(cimValues('[1, 2]')).toBeUndefined();
  });

  test('are asked for by a script without a word that Windows translates', () => {
    expect(CIM_SCRIPT).not.toMatch(/Get-Counter|typeperf/);
    expect(CIM_SCRIPT.match(/'/g)?.length).toBe(4);
  });
});

describe.runIf(process.platform !== 'win32')('the programs', () => {
  let folder: string;
  const { PATH } = process.env;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'windows-'));
    process.env.PATH = `${folder}:${PATH}`;
  });
  afterEach(() => {
    process.env.PATH = PATH;
    rmSync(folder, { recursive: true, force: true });
  });

  function program(name: string, script: string): void {
    const file = path.join(folder, name);
    writeFileSync(file, `#!${process.execPath}\n${script}\n`);
    chmodSync(file, 0o755);
  }
  const answering = `
    process.stdin.on('data', () => console.log(${JSON.stringify(JSON.stringify(ROWS))}));
    process.stdin.on('end', () => require('node:fs').writeFileSync(${JSON.stringify('ENDED')}, ''));`;

  test.each([
    ['German', 'Fehler: Keine gültigen Leistungsindikatoren.'],
    ['Chinese', '错误: 没有有效的计数器。'],
  ])('a %s typeperf that knows no counter: CIM while somebody looks, not at rest', async (_, message) => {
    program('typeperf', `console.log(${JSON.stringify(`\r\n${message}\r\n`)}); process.exitCode = -1;`);
    const ended = path.join(folder, 'ended');
    program('powershell', answering.replace('"ENDED"', JSON.stringify(ended)));
    const machine = new WindowsMachine();
    await expect
      .poll(async () => (await machine.read(250, [12])).power.watts, { timeout: 20_000, interval: 50 })
      .toBe(19.835);
    expect(existsSync(ended)).toBe(false);
    await machine.read(1000, [12], true);
    await expect.poll(() => existsSync(ended), { timeout: 20_000 }).toBe(true);
  });

  test('a typeperf that knows them is asked again, and no PowerShell is started', async () => {
    const header = ['(PDH-CSV 4.0)', String.raw`\\PC\PhysicalDisk(_Total)\Disk Read Bytes/sec`];
    const lines = [header, ['11/30/2026 21:00:00.000', '512.000000']]
      .map((line) => `"${line.join('","')}"`)
      .join('\r\n');
    program('typeperf', `console.log(${JSON.stringify(`\r\n${lines}`)});`);
    program('powershell', `require('node:fs').writeFileSync(${JSON.stringify(path.join(folder, 'started'))}, '');`);
    const machine = new WindowsMachine();
    await expect.poll(async () => (await machine.read(250, [])).disk.read, { timeout: 20_000, interval: 50 }).toBe(512);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(existsSync(path.join(folder, 'started'))).toBe(false);
  });

  test('without either program nothing is reported, and nothing is thrown', async () => {
    process.env.PATH = folder;
    const machine = new WindowsMachine();
    await new Promise((resolve) => setTimeout(resolve, 200));
    const reader = new CimReader(() => undefined);
    for (let i = 0; i < 3; i++) reader.ask();
    expect(await machine.read(250, [])).toMatchObject({ accelerators: [], power: { watts: null }, temperature: null });
  });
});
