/**
 * Entry of the app's engine process: turns commands from main into calls of the engine and its answers into reports.
 * Main is the only speaker; it ends this process by closing the port or killing it.
 */
import { homedir } from 'node:os';
import * as v from 'valibot';
import { type DeviceUse, EngineCommand, type EngineReport } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import { phrase } from '../../contract/phrase.ts';
import { Engine } from './engine.ts';
import { foreignFolders } from './model/found-models.ts';
import type { GenerationHooks } from './session/generation.ts';

/** What Electron's utilityProcess gives its child; typed here since the engine imports nothing of Electron. */
interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  postMessage(message: EngineReport): void;
}

const OPTIONS_FLAG = '--options=';
const EngineOptions = v.object({
  modelsDir: v.string(),
  /** Whether models of other programs are looked for. */
  foreignModels: v.exactOptional(v.boolean()),
  bundlesDir: v.string(),
  profilesDir: v.string(),
  selfTestsDir: v.string(),
  prefixesDir: v.exactOptional(v.string()),
  libraryFolder: v.exactOptional(v.string()),
});

/** A report without the stamp that `Reporter` puts on it. */
type Bare = EngineReport extends infer R ? (R extends EngineReport ? Omit<R, 'requestId' | 'seq'> : never) : never;

/** Deltas closer together than this are sent as one. */
const DELTA_INTERVAL_MS = 30;
const PROGRESS_INTERVAL_MS = 50;

class Server {
  private readonly port: ParentPort;
  private readonly engine: Engine;
  private readonly running = new Map<string, AbortController>();

  constructor(port: ParentPort, engine: Engine) {
    this.port = port;
    this.engine = engine;
  }

  receive(data: unknown): void {
    const parsed = v.safeParse(EngineCommand, data);
    if (!parsed.success) {
      this.reporter(requestIdOf(data))(
        failure(new AppError('usage', phrase`Malformed engine command: ${v.summarize(parsed.issues)}`)),
      );
      return;
    }
    const command = parsed.output;
    if (command.type === 'cancel') {
      this.running.get(command.target)?.abort();
      return;
    }
    void this.answer(command);
  }

  private async answer(command: Exclude<EngineCommand, { type: 'cancel' }>): Promise<void> {
    const report = this.reporter(command.requestId);
    const abort = new AbortController();
    this.running.set(command.requestId, abort);
    try {
      report(await this.execute(command, report, abort.signal));
    } catch (error) {
      report(failure(AppError.from(error)));
    } finally {
      this.running.delete(command.requestId);
    }
  }

  private async execute(
    command: Exclude<EngineCommand, { type: 'cancel' }>,
    report: (bare: Bare) => void,
    signal: AbortSignal,
  ): Promise<Bare> {
    const onUse = (uses: readonly DeviceUse[]) => report({ type: 'using', uses: [...uses] });
    switch (command.type) {
      case 'models':
        return { type: 'models', models: await this.engine.models() };
      case 'count-tokens':
        return { type: 'counted', counts: await this.engine.countTokens(command.items) };
      case 'devices':
        this.engine.setLibraryFolder(command.libraryFolder);
        return { type: 'devices', devices: this.engine.devices() };
      case 'self-test': {
        const onProgress = paced(PROGRESS_INTERVAL_MS, report);
        const devices = await this.engine.selfTest(command.device, {
          onProgress: (progress) => onProgress({ type: 'progress', progress }, true),
          signal,
        });
        return { type: 'devices', devices };
      }
      case 'load': {
        const { model, weights, contextSize, threads, placement, exclude } = command;
        const onProgress = paced(PROGRESS_INTERVAL_MS, report);
        const loaded = await this.engine.load(
          {
            model,
            weights,
            ...(contextSize === undefined ? {} : { contextSize }),
            ...(threads === undefined ? {} : { threads }),
            ...(placement === undefined ? {} : { placement }),
            ...(exclude === undefined ? {} : { exclude }),
          },
          {
            onUse,
            onProgress: (progress) => onProgress({ type: 'progress', progress }, progress.done === progress.total),
            signal,
          },
        );
        return { type: 'loaded', model: loaded };
      }
      case 'trace': {
        const traced = this.engine.trace();
        return traced === undefined ? { type: 'trace' } : { type: 'trace', traced };
      }
      case 'what-if': {
        const whatIf = this.engine.whatIf(command.request);
        return whatIf === undefined ? { type: 'what-if' } : { type: 'what-if', whatIf };
      }
      case 'usage': {
        const usage = this.engine.usage();
        return usage === undefined ? { type: 'usage' } : { type: 'usage', usage };
      }
      case 'kept-tokens': {
        const kept = this.engine.keptTokens(command.selection);
        return kept === undefined ? { type: 'kept-tokens' } : { type: 'kept-tokens', kept };
      }
      case 'import-model': {
        const { model, weights } = command;
        const onProgress = paced(PROGRESS_INTERVAL_MS, report);
        const bundle = await this.engine.import(
          { model, weights },
          {
            onProgress: (progress) => onProgress({ type: 'progress', progress }, progress.done === progress.total),
            signal,
          },
        );
        bundle.close();
        return { type: 'imported', modelId: bundle.manifest.id };
      }
      case 'verify-model': {
        const { model: id, sha256 } = command;
        const onProgress = paced(PROGRESS_INTERVAL_MS, report);
        const checked = await this.engine.library.verify(
          { id, ...(sha256 === undefined ? {} : { sha256 }) },
          { onProgress: (progress) => onProgress({ type: 'progress', progress }, false), signal },
        );
        return { type: 'verified', checked };
      }
      case 'remove-model':
        await this.engine.remove(command.model);
        return { type: 'removed' };
      case 'unload':
        await this.engine.unload();
        return { type: 'unloaded' };
      case 'estimate': {
        const { model, weights, contextSize } = command;
        const memory = await this.engine.estimate({
          model,
          weights,
          ...(contextSize === undefined ? {} : { contextSize }),
        });
        return { type: 'estimated', memory };
      }
      case 'calibrate': {
        const { model, weights } = command;
        const onProgress = paced(PROGRESS_INTERVAL_MS, report);
        await this.engine.calibrate(
          { model, weights },
          {
            onProgress: (progress) => onProgress({ type: 'progress', progress }, progress.done === progress.total),
            signal,
          },
        );
        return { type: 'calibrated' };
      }
      case 'measure-devices': {
        const onProgress = paced(PROGRESS_INTERVAL_MS, report);
        const measured = await this.engine.measureDevices({
          onProgress: (progress) => onProgress({ type: 'progress', progress }, progress.done === progress.total),
          onUse,
          signal,
        });
        return { type: 'measured', ...measured };
      }
      case 'generate': {
        const { prompt, sampling, attention, aside, keep } = command;
        const { hooks, flush } = answering(report, onUse, signal);
        const result = await this.engine.generate({ prompt, sampling, attention, aside, keep }, hooks).finally(flush);
        return { type: 'finished', result };
      }
      case 'trial': {
        const { hooks, flush } = answering(report, onUse, signal);
        return { type: 'tried', trial: await this.engine.trial(command, hooks).finally(flush) };
      }
      case 'replay': {
        const { hooks } = answering(report, onUse, signal);
        const replay = await this.engine.replay(command.pilot, hooks);
        return replay === undefined ? { type: 'replayed' } : { type: 'replayed', replay };
      }
      case 'agreement': {
        const agreement = await this.engine.agreement(command, { signal });
        return agreement === undefined ? { type: 'agreement' } : { type: 'agreement', agreement };
      }
    }
  }

  private reporter(requestId: string): (bare: Bare) => void {
    let seq = 0;
    return (bare) => this.port.postMessage({ ...bare, requestId, seq: seq++ } as EngineReport);
  }
}

/** Reports an answer while it is made. `flush` sends the text that was held back. */
function answering(
  report: (bare: Bare) => void,
  onUse: (uses: readonly DeviceUse[]) => void,
  signal: AbortSignal,
): { hooks: GenerationHooks; flush: () => void } {
  const onProgress = paced(PROGRESS_INTERVAL_MS, report);
  let text = '';
  let tokens = 0;
  let sentAt = 0;
  const flush = () => {
    if (text !== '') report({ type: 'delta', text, completionTokens: tokens });
    text = '';
    sentAt = performance.now();
  };
  const hooks: GenerationHooks = {
    onPrefill: (done, total) =>
      onProgress({ type: 'progress', progress: { stage: 'prefill', done, total } }, done === total),
    onDelta: (delta, completionTokens) => {
      text += delta;
      tokens = completionTokens;
      if (performance.now() - sentAt >= DELTA_INTERVAL_MS) flush();
    },
    onUse: (uses) => uses.length > 0 && onUse(uses),
    signal,
  };
  return { hooks, flush };
}

/** Passes on at most one report per interval; `always` ones are never held back. */
function paced(intervalMs: number, report: (bare: Bare) => void): (bare: Bare, always: boolean) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (bare, always) => {
    const now = performance.now();
    if (!always && now - last < intervalMs) return;
    last = now;
    report(bare);
  };
}

function failure(error: AppError): Bare {
  return { type: 'failed', error: error.toInfo() };
}

function requestIdOf(data: unknown): string {
  const id = typeof data === 'object' && data !== null && 'requestId' in data ? data.requestId : undefined;
  return typeof id === 'string' && id !== '' ? id.slice(0, 64) : 'unknown';
}

function main(): void {
  const port = (process as unknown as { parentPort?: ParentPort }).parentPort;
  const flag = process.argv.find((argument) => argument.startsWith(OPTIONS_FLAG));
  if (port === undefined || flag === undefined) {
    throw new AppError('usage', 'The engine process is started by the app. On the command line use "npm run cli".');
  }
  const { foreignModels, ...folders } = v.parse(EngineOptions, JSON.parse(flag.slice(OPTIONS_FLAG.length)));
  const options = foreignModels
    ? { ...folders, foreign: foreignFolders(process.env, homedir(), process.platform) }
    : folders;
  const server = new Server(port, new Engine(options));
  port.on('message', (event) => server.receive(event.data));
}

main();
