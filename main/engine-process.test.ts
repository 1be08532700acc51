import { afterEach, describe, expect, it } from 'vitest';
import type { EngineReport } from '../contract/engine.ts';
import type { AppError } from '../contract/errors.ts';
import { model, type Script, scripted } from './chat/testing/spawn-scripted.ts';
import { exitError } from './engine-exit.ts';
import { type EngineListener, EngineProcess, type EngineState } from './engine-process.ts';

const BODY = {
  sampling: { temperature: 0, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1, repetitionWindow: 0, stop: [] },
  attention: { mode: 'full' as const, ratio: 1 },
};

let engine: EngineProcess | undefined;
afterEach(() => engine?.stop());

function start(script: Script = {}, backOffMs: number[] = [1, 1, 1]) {
  const process = scripted(() => script);
  const states: EngineState[] = [];
  const log: string[] = [];
  const waiting: { wanted: (state: EngineState) => boolean; resolve: () => void }[] = [];
  engine = new EngineProcess({
    spawn: process.spawn,
    backOffMs,
    platform: 'linux',
    log: (line) => log.push(line),
    changed: (state) => {
      states.push(state);
      for (const { wanted, resolve } of waiting) if (wanted(state)) resolve();
    },
  });
  engine.start();
  const until = (wanted: (state: EngineState) => boolean) =>
    states.some(wanted) ? Promise.resolve() : new Promise<void>((resolve) => waiting.push({ wanted, resolve }));
  return { engine, states, log, until, pids: process.pids };
}

function ask(target: EngineProcess, content: string) {
  const deltas: string[] = [];
  let first: () => void;
  const began = new Promise<void>((resolve) => {
    first = resolve;
  });
  const generation = target.generate(
    { prompt: { kind: 'chat', turns: [{ role: 'user', content }] }, ...BODY },
    {
      progress: () => undefined,
      delta: (text) => {
        deltas.push(text);
        first();
      },
    },
  );
  return { ...generation, deltas, began };
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('it was not refused');
    },
    (error: AppError) => error,
  );

const alive = (pid: number | undefined) => {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('an engine process', () => {
  it('answers, and tells text and progress in order', async () => {
    const { engine } = start({ models: [model('m')] });
    expect(await engine.models()).toEqual([model('m')]);
    expect(await engine.devices({})).toEqual([]);
    const progress: number[] = [];
    expect(await engine.load({ model: 'm', weights: 'fast' }, (p) => progress.push(p.done))).toMatchObject({ id: 'm' });
    expect(progress).toEqual([0, 50, 100]);
    const { done, deltas } = ask(engine, 'say a|b|c');
    expect((await done).text).toBe('abc');
    expect(deltas).toEqual(['a', 'b', 'c']);
  });

  it('cancels what it is told to, and only that', async () => {
    const { engine } = start();
    const first = ask(engine, 'say half\nwait 60000');
    await first.began;
    first.cancel();
    expect(await first.done).toMatchObject({ finishReason: 'cancelled', text: 'half' });
    first.cancel();
    expect((await ask(engine, 'say next').done).text).toBe('next');
  });

  it('is started again after a crash; open requests fail in words', async () => {
    const { engine, states, until, pids } = start();
    const crashed = await refusal(ask(engine, 'say half\nsignal SIGKILL').done);
    expect(crashed).toMatchObject({ kind: 'engine-crashed' });
    expect(crashed.message).toContain('memory');
    expect(crashed.action).toBeTruthy();
    await until((state) => states.length === 3 && state.state === 'up');
    expect(states.map((state) => state.state)).toEqual(['up', 'down', 'up']);
    expect(states[1]).toMatchObject({ final: false });
    expect((await ask(engine, 'say again').done).text).toBe('again');
    expect(pids).toHaveLength(2);
  });

  it('is given up after three restarts in a row without a success, until someone asks again', async () => {
    const { engine, states, until, pids } = start();
    for (let crash = 1; crash <= 4; crash += 1) {
      await until(() => states.filter((state) => state.state === 'up').length === crash);
      await refusal(ask(engine, 'die 7').done);
    }
    expect(states.at(-1)).toMatchObject({ state: 'down', final: true });
    expect(pids).toHaveLength(4);
    expect((await refusal(engine.models())).kind).toBe('engine-crashed');
    engine.startAfresh();
    expect((await ask(engine, 'say back').done).text).toBe('back');
    expect((await refusal(ask(engine, 'die 77').done)).message).toContain('exit code 77');
    expect(states.at(-1)).toMatchObject({ state: 'down', final: false });
  });

  it('counts crashes anew after an answer', async () => {
    const { engine, states, until } = start();
    for (let crash = 1; crash <= 5; crash += 1) {
      await until(() => states.filter((state) => state.state === 'up').length === crash);
      await ask(engine, 'say fine').done;
      await refusal(ask(engine, 'die 1').done);
      expect(states.at(-1)).toMatchObject({ state: 'down', final: false });
    }
  });

  it('is gone when stop resolves, and is not started again', async () => {
    const { engine, states, pids } = start();
    await engine.models();
    expect(alive(pids[0])).toBe(true);
    await engine.stop();
    expect(alive(pids[0])).toBe(false);
    expect(states).toEqual([{ state: 'up' }]);
  });

  it('that hangs is ended and started again', async () => {
    const { engine, until, states } = start();
    const hanging = ask(engine, 'say x\nhang');
    await hanging.began;
    hanging.cancel();
    engine.abandon();
    expect((await refusal(hanging.done)).kind).toBe('engine-crashed');
    await until(() => states.length === 3);
    expect((await ask(engine, 'say y').done).text).toBe('y');
  });

  it('that sends nonsense fails that request only', async () => {
    const { engine, log } = start();
    expect((await refusal(ask(engine, 'garble').done)).kind).toBe('internal');
    expect(log.join()).toContain('malformed report');
    expect((await ask(engine, 'say fine').done).text).toBe('fine');
  });
});

describe('report order', () => {
  /** A process of which the test itself is the other end. */
  function byHand() {
    let listener: EngineListener | undefined;
    const log: string[] = [];
    const ids: string[] = [];
    const target = new EngineProcess({
      spawn: (told) => {
        listener = told;
        return { post: (command) => ids.push(command.requestId), kill: () => told.exited(0) };
      },
      log: (line) => log.push(line),
      changed: () => undefined,
    });
    target.start();
    const tell = (report: Omit<Extract<EngineReport, { type: 'delta' }>, 'type' | 'requestId'>) =>
      listener?.reported({ type: 'delta', requestId: ids[0], ...report });
    return { target, tell, log };
  }

  it('logs a lost report and drops one that is told twice', async () => {
    const { target, tell, log } = byHand();
    const { deltas, done } = ask(target, 'anything');
    tell({ seq: 0, text: 'a', completionTokens: 1 });
    tell({ seq: 0, text: 'a', completionTokens: 1 });
    tell({ seq: 2, text: 'c', completionTokens: 3 });
    expect(deltas).toEqual(['a', 'c']);
    expect(log).toHaveLength(2);
    expect(log[1]).toContain('seq 2, expected 1');
    const refused = refusal(done);
    await target.stop();
    expect((await refused).kind).toBe('cancelled');
  });
});

describe('exit codes in words', () => {
  it.each([
    [9, 'linux', 'memory'],
    [137, 'linux', 'memory'],
    [139, 'linux', 'not its own'],
    [132, 'darwin', 'processor'],
    [-1073741819, 'win32', 'not its own'],
    [0xc0000135, 'win32', 'library'],
    [0, 'linux', 'without saying why'],
    [77, 'win32', 'exit code 77'],
  ] as const)('%i on %s', (code, platform, word) => {
    const error = exitError(code, platform, 'last words');
    expect(error.kind).toBe('engine-crashed');
    expect(error.message).toContain(word);
    expect(error.action).toMatch(/\.$/);
    expect(error.detail).toContain('last words');
  });
});
