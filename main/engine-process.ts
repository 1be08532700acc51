/**
 * Main's side of the engine process: starts it, starts it again after a crash, and carries commands and reports.
 * Knows nothing of Electron: `spawn` is handed in, so that the same code is tested over a plain child process.
 */
import * as v from 'valibot';
import type {
  Agreement,
  Checked,
  Countable,
  LoadedModel,
  MemoryEstimate,
  ModelInfo,
  PartPlace,
  Progress,
  Replay,
} from '../contract/engine.ts';
import {
  type DeviceInfo,
  type DeviceUse,
  EngineCommand,
  EngineReport,
  type EngineUsage,
  type GenerateResult,
  type TracedAnswer,
  type Trial,
} from '../contract/engine.ts';
import { AppError } from '../contract/errors.ts';
import type { HeadSelection, KeptTokens } from '../contract/trace.ts';
import type { WhatIf, WhatIfRequest } from '../contract/what-if.ts';
import { DeviceCrash, exitError } from './engine-exit.ts';

export interface EngineHandle {
  post(command: EngineCommand): void;
  /** Ends the process; `exited` is called as for any other end. */
  kill(): void;
}

/** What a spawned process tells. `exited` comes once, last, with code or signal as engine-exit.ts reads them. */
export interface EngineListener {
  reported(message: unknown): void;
  wrote(errorOutput: string): void;
  exited(code: number): void;
}

export type SpawnEngine = (listener: EngineListener) => EngineHandle;

export type EngineState =
  | { state: 'up' }
  /** Started again by itself unless `final`. `uses`: devices that worked for a request when it ended. */
  | { state: 'down'; error: AppError; final: boolean; uses: readonly DeviceUse[] };

export interface GenerateListener {
  progress(progress: Progress): void;
  /** `completionTokens` counts all tokens of the answer so far. */
  delta(text: string, completionTokens: number): void;
}

/** A request that can be cancelled. `done` rejects with AppError. */
export interface EngineWork<T> {
  done: Promise<T>;
  cancel(): void;
}

/** A cancelled one resolves with what there is, finishReason 'cancelled'. */
export type Generation = EngineWork<GenerateResult>;

export interface DeviceTest {
  /** Rejects with AppError, kind 'cancelled' where it was stopped. */
  done: Promise<DeviceInfo[]>;
  cancel(): void;
}

export interface ModelImport {
  /** The model's id. Rejects with AppError, kind 'cancelled' where it was cancelled; nothing half-made stays then. */
  done: Promise<string>;
  cancel(): void;
}

export interface ModelCheck {
  /** What could be checked. Rejects with AppError: what is damaged, or kind 'cancelled'. */
  done: Promise<Checked>;
  cancel(): void;
}

export interface Calibration {
  /** Rejects with AppError, kind 'cancelled' where it was stopped or gave way to another request. */
  done: Promise<void>;
  cancel(): void;
}

/** Waits before start 1, 2, 3 after a crash; the next crash in a row is final. */
const BACK_OFF_MS = [250, 1000, 4000];
/** How much of the process's error output is kept for the log. */
const LAST_WORDS = 4000;

type CommandBody<C extends EngineCommand['type']> = Omit<Extract<EngineCommand, { type: C }>, 'type' | 'requestId'>;

interface Request {
  nextSeq: number;
  uses: readonly DeviceUse[];
  progress?: (progress: Progress) => void;
  delta?: (text: string, completionTokens: number) => void;
  resolve: (report: EngineReport) => void;
  reject: (error: AppError) => void;
}

export interface EngineProcessOptions {
  spawn: SpawnEngine;
  log: (line: string) => void;
  changed: (state: EngineState) => void;
  backOffMs?: readonly number[];
  platform?: NodeJS.Platform;
}

export class EngineProcess {
  readonly #options: EngineProcessOptions;
  readonly #backOff: readonly number[];
  readonly #requests = new Map<string, Request>();
  #handle: EngineHandle | undefined;
  #restart: NodeJS.Timeout | undefined;
  #lastWords = '';
  #crashesInARow = 0;
  #count = 0;
  #stopped: (() => void) | undefined;
  #renewing = false;

  constructor(options: EngineProcessOptions) {
    this.#options = options;
    this.#backOff = options.backOffMs ?? BACK_OFF_MS;
  }

  /** Starts the process; also the way back after a final failure. Does nothing while one runs. */
  start(): void {
    if (this.#restart) clearTimeout(this.#restart);
    this.#restart = undefined;
    this.#stopped = undefined;
    if (this.#handle) return;
    this.#lastWords = '';
    let handle: EngineHandle | undefined;
    const mine = () => handle !== undefined && handle === this.#handle;
    handle = this.#options.spawn({
      reported: (message) => mine() && this.#reported(message),
      wrote: (text) => this.#wrote(text),
      exited: (code) => mine() && this.#exited(code),
    });
    this.#handle = handle;
    this.#options.changed({ state: 'up' });
  }

  /** Forgets earlier crashes and starts: for a person who asks again after a final failure. */
  startAfresh(): void {
    this.#crashesInARow = 0;
    this.start();
  }

  /** Ends the process for good and resolves when it is gone. */
  stop(): Promise<void> {
    if (this.#restart) clearTimeout(this.#restart);
    this.#restart = undefined;
    const handle = this.#handle;
    if (!handle) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stopped = resolve;
      handle.kill();
    });
  }

  /** Ends a process that does not answer any more; it is started again as after a crash. */
  abandon(): void {
    this.#options.log('engine does not answer; ending it');
    this.#handle?.kill();
  }

  /** Ends the process and starts it anew at once, which is no crash: for one with a thread that hangs in a driver. */
  renew(): void {
    this.#options.log('the engine is started anew');
    this.#renewing = true;
    this.#handle?.kill();
  }

  async models(): Promise<ModelInfo[]> {
    return expectReport('models', await this.#request('models', {}).done).models;
  }

  /** Tokens of each item for the loaded model; works beside other requests. */
  async countTokens(items: Countable[]): Promise<number[]> {
    return expectReport('counted', await this.#request('count-tokens', { items }).done).counts;
  }

  async devices(body: CommandBody<'devices'>): Promise<DeviceInfo[]> {
    return expectReport('devices', await this.#request('devices', body).done).devices;
  }

  selfTest(body: CommandBody<'self-test'>, progress: (progress: Progress) => void): DeviceTest {
    const { requestId, done } = this.#request('self-test', body, { progress });
    return {
      done: done.then((report) => expectReport('devices', report).devices),
      cancel: () => this.#cancel(requestId),
    };
  }

  /** Imports first where `model` is a file without a bundle. */
  async load(body: CommandBody<'load'>, progress: (progress: Progress) => void): Promise<LoadedModel> {
    const report = expectReport('loaded', await this.#request('load', body, { progress }).done);
    this.#crashesInARow = 0;
    return report.model;
  }

  importModel(body: CommandBody<'import-model'>, progress: (progress: Progress) => void): ModelImport {
    const { requestId, done } = this.#request('import-model', body, { progress });
    return {
      done: done.then((report) => expectReport('imported', report).modelId),
      cancel: () => this.#cancel(requestId),
    };
  }

  verifyModel(body: CommandBody<'verify-model'>, progress: (progress: Progress) => void): ModelCheck {
    const { requestId, done } = this.#request('verify-model', body, { progress });
    return {
      done: done.then((report) => expectReport('verified', report).checked),
      cancel: () => this.#cancel(requestId),
    };
  }

  async removeModel(model: string): Promise<void> {
    expectReport('removed', await this.#request('remove-model', { model }).done);
  }

  /** Gives the loaded model's memory back. */
  async unload(): Promise<void> {
    expectReport('unloaded', await this.#request('unload', {}).done);
  }

  async estimate(body: CommandBody<'estimate'>): Promise<MemoryEstimate> {
    return expectReport('estimated', await this.#request('estimate', body).done).memory;
  }

  generate(body: CommandBody<'generate'>, listener: GenerateListener): Generation {
    const { requestId, done } = this.#request('generate', body, {
      progress: (progress) => listener.progress(progress),
      delta: (text, completionTokens) => listener.delta(text, completionTokens),
    });
    return {
      done: done.then((report) => {
        this.#crashesInARow = 0;
        return expectReport('finished', report).result;
      }),
      cancel: () => this.#cancel(requestId),
    };
  }

  /** An answer that is made to be measured. */
  trial(body: CommandBody<'trial'>, listener: GenerateListener): EngineWork<Trial> {
    const { requestId, done } = this.#request('trial', body, {
      progress: (progress) => listener.progress(progress),
      delta: (text, completionTokens) => listener.delta(text, completionTokens),
    });
    return { done: done.then((report) => expectReport('tried', report).trial), cancel: () => this.#cancel(requestId) };
  }

  /** How near an attention is to full attention; undefined where it is that itself. */
  agreement(body: CommandBody<'agreement'>): EngineWork<Agreement | undefined> {
    const { requestId, done } = this.#request('agreement', body);
    return {
      done: done.then((report) => expectReport('agreement', report).agreement),
      cancel: () => this.#cancel(requestId),
    };
  }

  /** What was measured of the last answer; undefined where there is none, or one is being made. */
  async trace(): Promise<TracedAnswer | undefined> {
    return expectReport('trace', await this.#request('trace', {}).done).traced;
  }

  /** What the attention of the last prompt would take with other costs; undefined as `trace`, or where they are not known. */
  async whatIf(request: WhatIfRequest): Promise<WhatIf | undefined> {
    return expectReport('what-if', await this.#request('what-if', { request }).done).whatIf;
  }

  /** The last prompt read again, with plans and without; undefined as `trace`, or where that attention chooses no keys. */
  replay(body: CommandBody<'replay'>, progress: (progress: Progress) => void): EngineWork<Replay | undefined> {
    const { requestId, done } = this.#request('replay', body, { progress });
    return {
      done: done.then((report) => expectReport('replayed', report).replay),
      cancel: () => this.#cancel(requestId),
    };
  }

  /** What the loaded model takes of the machine now; undefined where none is loaded. */
  async usage(): Promise<EngineUsage | undefined> {
    return expectReport('usage', await this.#request('usage', {}).done).usage;
  }

  /** How often heads kept each token of the last prompt; undefined as `trace`. */
  async keptTokens(selection: HeadSelection): Promise<KeptTokens | undefined> {
    return expectReport('kept-tokens', await this.#request('kept-tokens', { selection }).done).kept;
  }

  /** Devices are compiled for and measured for the loaded model: where its parts would be if it were loaded again. */
  async measureDevices(): Promise<{ places: PartPlace[]; changed: boolean }> {
    const { places, changed } = expectReport('measured', await this.#request('measure-devices', {}).done);
    return { places, changed };
  }

  /** The full calibration of a model that is imported. */
  calibrate(body: CommandBody<'calibrate'>, progress: (progress: Progress) => void): Calibration {
    const { requestId, done } = this.#request('calibrate', body, { progress });
    return {
      done: done.then((report) => void expectReport('calibrated', report)),
      cancel: () => this.#cancel(requestId),
    };
  }

  #cancel(requestId: string): void {
    if (!this.#requests.has(requestId)) return;
    this.#handle?.post({ type: 'cancel', requestId: this.#newId(), target: requestId });
  }

  #request<C extends Exclude<EngineCommand['type'], 'cancel'>>(
    type: C,
    body: CommandBody<C>,
    on: Pick<Request, 'progress' | 'delta'> = {},
  ): { requestId: string; done: Promise<EngineReport> } {
    const requestId = this.#newId();
    const done = new Promise<EngineReport>((resolve, reject) => {
      const handle = this.#handle;
      if (!handle) {
        reject(new AppError('engine-crashed', 'The engine is not running.', { action: 'Ask again in a moment.' }));
        return;
      }
      this.#requests.set(requestId, { nextSeq: 0, uses: [], ...on, resolve, reject });
      // Parsing is the compiler's word for it that type and body belong together.
      handle.post(v.parse(EngineCommand, { type, requestId, ...body }));
    });
    return { requestId, done };
  }

  #newId(): string {
    this.#count += 1;
    return `r${this.#count}`;
  }

  #reported(message: unknown): void {
    const parsed = v.safeParse(EngineReport, message);
    if (!parsed.success) {
      this.#malformed(message, v.summarize(parsed.issues));
      return;
    }
    const report = parsed.output;
    const request = this.#requests.get(report.requestId);
    if (!request) return; // a cancel command, or a request that has ended
    if (report.seq !== request.nextSeq) {
      this.#options.log(`report ${report.type} of ${report.requestId}: seq ${report.seq}, expected ${request.nextSeq}`);
      if (report.seq < request.nextSeq) return; // told twice
    }
    request.nextSeq = report.seq + 1;
    if (report.type === 'progress') request.progress?.(report.progress);
    else if (report.type === 'using') request.uses = report.uses;
    else if (report.type === 'delta') request.delta?.(report.text, report.completionTokens);
    else {
      this.#requests.delete(report.requestId);
      if (report.type === 'failed') request.reject(AppError.fromInfo(report.error));
      else request.resolve(report);
    }
  }

  /** The request would wait for ever; its text so far is kept by who asked. */
  #malformed(message: unknown, why: string): void {
    this.#options.log(`malformed report from the engine: ${why}`);
    const id =
      typeof message === 'object' && message !== null && 'requestId' in message ? message.requestId : undefined;
    const request = typeof id === 'string' ? this.#requests.get(id) : undefined;
    if (typeof id !== 'string' || !request) return;
    this.#requests.delete(id);
    const action = 'Ask again; restart the app if it happens again.';
    request.reject(new AppError('internal', 'The engine sent a report that makes no sense.', { action, detail: why }));
  }

  #wrote(text: string): void {
    this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS);
  }

  #exited(code: number): void {
    this.#handle = undefined;
    const open = [...this.#requests.values()];
    this.#requests.clear();
    if (this.#stopped) {
      for (const request of open) request.reject(new AppError('cancelled', 'The engine was stopped.'));
      this.#stopped();
      return;
    }
    if (this.#renewing) {
      this.#renewing = false;
      for (const request of open) request.reject(new AppError('cancelled', 'The engine is started anew.'));
      this.start();
      return;
    }
    const error = exitError(code, this.#options.platform ?? process.platform, this.#lastWords.trim());
    const uses = open.flatMap((request) => request.uses);
    for (const request of open) request.reject(uses.length > 0 ? new DeviceCrash(error, uses) : error);
    this.#crashesInARow += 1;
    const wait = this.#backOff[this.#crashesInARow - 1];
    this.#options.log(`engine ended: ${error.message} ${error.detail ?? ''}`);
    if (wait !== undefined) this.#restart = setTimeout(() => this.start(), wait);
    this.#options.changed({ state: 'down', error, final: wait === undefined, uses });
  }
}

function expectReport<T extends EngineReport['type']>(
  type: T,
  report: EngineReport,
): Extract<EngineReport, { type: T }> {
  if (isReport(type, report)) return report;
  throw new AppError('internal', 'The engine answered another question than was asked.', {
    detail: `expected ${type}, got ${report.type}`,
  });
}

function isReport<T extends EngineReport['type']>(
  type: T,
  report: EngineReport,
): report is Extract<EngineReport, { type: T }> {
  return report.type === type;
}
