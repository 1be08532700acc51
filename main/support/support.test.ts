import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../contract/errors.ts';
import type { Settings } from '../../contract/settings.ts';
import { exitError } from '../engine-exit.ts';
import { createRouter, type Handlers } from '../ipc/router.ts';
import { DEFAULT_SETTINGS } from '../storage/settings.ts';
import { CrashReports, framesOf } from './crash-reports.ts';
import { diagnosticsText, lastLogLines, machineFacts, scrubLog } from './diagnostics.ts';
import { openLog } from './logger.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'support-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SECRET = 'my salary is 4711 in 合同.docx';
const PERSON = 'alice.wonder';
const STACK = [
  `TypeError: cannot read "${SECRET}"`,
  `    at Object.send (/home/${PERSON}/app/dist/main.cjs:120:8)`,
  '    at async new Reader.<anonymous> (app://shadownpu/assets/index-B1aC_d9-.js:3:77)',
  '    at node:internal/process/task_queues:95:5',
  `    at ${SECRET} (/home/${PERSON}/notes.js:1:1)`,
].join('\n');

describe('crash reports', () => {
  it('hold where it happened and no words of the error', () => {
    const reports = new CrashReports(path.join(folder, 'crashes'), '0.1.0');
    const error = Object.assign(new TypeError(SECRET), { stack: STACK });
    reports.addError('main', error);
    expect(reports.list()).toEqual([
      {
        id: expect.any(String),
        time: expect.any(Number),
        process: 'main',
        reason: 'TypeError',
        frames: [
          'Object.send (main.cjs:120:8)',
          'Reader.<anonymous> (index-B1aC_d9-.js:3:77)',
          '(anonymous) (node:internal/process/task_queues:95:5)',
        ],
        app: '0.1.0',
      },
    ]);
  });

  it('are few, newest first, and can be removed', () => {
    const reports = new CrashReports(folder, '0.1.0');
    writeFileSync(path.join(folder, '2000-damaged.json'), '{');
    writeFileSync(path.join(folder, 'window.json'), '{}');
    for (let i = 0; i < 25; i += 1) reports.add({ process: 'engine', reason: `exit code ${i}` });
    const reasons = reports.list().map(({ reason }) => reason);
    expect(reasons).toEqual(Array.from({ length: 20 }, (_, i) => `exit code ${24 - i}`));
    reports.removeAll();
    expect(reports.list()).toEqual([]);
    expect(readdirSync(folder)).toEqual(['window.json']);
  });

  it('take anything that was thrown, and a folder that cannot be made', () => {
    writeFileSync(path.join(folder, 'file'), '');
    const reports = new CrashReports(path.join(folder, 'file', 'crashes'), '0.1.0');
    reports.addError('main', SECRET);
    expect(reports.list()).toEqual([]);
    const others = new CrashReports(folder, '0.1.0');
    others.addError('window', { name: SECRET, stack: SECRET });
    expect(others.list()).toMatchObject([{ reason: 'Error', frames: [] }]);
  });
});

describe('diagnostics', () => {
  it('hold no text, file name or name of a person, wherever one was planted', async () => {
    const logs = path.join(folder, 'logs');
    const log = openLog(logs);
    const thrower = (error: unknown) => createRouter(failing(error), log);
    log('start: app 0.1.0, Electron 22.3.25, linux x64');
    await thrower(new AppError('template-refused', `The template says: ${SECRET}`, { detail: `${SECRET}\n${STACK}` }))(
      'chats.removed',
      true,
      undefined,
    );
    await thrower(Object.assign(new Error(SECRET), { stack: STACK }))('chats.removed', true, undefined);
    log(`engine ended: ${exitError(139, 'linux', `${SECRET}\n/home/${PERSON}/model.gguf`).message} exit code 139`);
    log(`model not loaded: model-invalid: /home/${PERSON}/${SECRET}`);
    log(`page ended: ${SECRET}, exit code 5`);
    log('page ended: oom, exit code 5');
    log(`uncaught: ${STACK}`);
    log(`${SECRET}: internal: x`);
    const settings: Settings = {
      ...DEFAULT_SETTINGS,
      systemPrompt: SECRET,
      modelId: PERSON,
      libraryFolder: `/home/${PERSON}`,
    };
    const text = diagnosticsText({
      ...machineFacts('0.1.0'),
      engine: {
        state: 'failed',
        final: true,
        error: { kind: 'model-missing', message: SECRET, action: PERSON },
      },
      devices: [
        {
          id: 'CPUExecutionProvider:CPU:0',
          name: 'Some CPU',
          type: 'CPU',
          executionProvider: 'CPUExecutionProvider',
          vendor: 'V',
          flavours: [],
          virtual: false,
          usable: false,
          reason: SECRET,
          remedy: `/home/${PERSON}`,
        },
      ],
      settings,
      crashes: [],
      logLines: lastLogLines(logs),
    });
    for (const planted of [SECRET, PERSON, 'salary', '4711', '合同', '.docx', '/home']) {
      expect(text, planted).not.toContain(planted);
    }
    for (const told of [
      'ShadowNPU 0.1.0',
      'failed: model-missing, not started again',
      'CPUExecutionProvider:CPU:0, Some CPU, CPU by CPUExecutionProvider, not usable',
      'systemPrompt: set',
      'start: app 0.1.0, Electron 22.3.25, linux x64',
      'chats.removed: template-refused',
      'chats.removed: internal',
      'engine ended: exit code 139',
      'model not loaded: model-invalid',
      'page ended: oom, exit code 5',
      'Object.send (main.cjs:120:8)',
    ]) {
      expect(text, told).toContain(told);
    }
  });

  it('tell lines that were left out as one', () => {
    expect(scrubLog([SECRET, SECRET, '2026-01-01T00:00:00.000Z end', SECRET])).toEqual([
      '(words left out)',
      '2026-01-01T00:00:00.000Z end',
      '(words left out)',
    ]);
  });

  it('take the newest lines of both logs', () => {
    writeFileSync(path.join(folder, 'main.old.log'), Array.from({ length: 190 }, (_, i) => `old ${i}`).join('\n'));
    writeFileSync(path.join(folder, 'main.log'), Array.from({ length: 20 }, (_, i) => `new ${i}\n`).join(''));
    const lines = lastLogLines(folder);
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([200, 'old 10', 'new 19']);
  });

  it('take no place for a place that is not the app’s own', () => {
    expect(framesOf('    at secret (notes.cjs:1:2)\nat x (main.cjs:1:2) and more\n  at main.cjs:9:1')).toEqual([
      '(anonymous) (main.cjs:9:1)',
    ]);
  });
});

function failing(error: unknown): Handlers {
  return new Proxy({} as Handlers, {
    get: () => () => {
      throw error;
    },
  });
}
