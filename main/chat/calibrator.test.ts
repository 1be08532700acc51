import { afterEach, describe, expect, it } from 'vitest';
import type { LoadedModel } from '../../contract/engine.ts';
import type { CalibrationStatus } from '../../contract/model-status.ts';
import { EngineProcess } from '../engine-process.ts';
import { Calibrator } from './calibrator.ts';
import { type Script, scripted } from './testing/spawn-scripted.ts';

const LOADED: LoadedModel = {
  id: 'm',
  name: 'm',
  weights: 'fast',
  contextSize: 8,
  device: 'CPU',
  threads: 1,
  parameters: 1e8,
  calibrated: false,
};

let engine: EngineProcess | undefined;
afterEach(() => engine?.stop());

function app({ script = {}, onMains = true }: { script?: Script; onMains?: boolean } = {}) {
  const told: CalibrationStatus[] = [];
  const waiting: { wanted: (status: CalibrationStatus) => boolean; resolve: () => void }[] = [];
  engine = new EngineProcess({ spawn: scripted(() => script).spawn, log: () => undefined, changed: () => undefined });
  const power = { onMains, asked: 0 };
  const calibrator = new Calibrator({
    engine,
    onMains: () => {
      power.asked++;
      return power.onMains;
    },
    emit: (event) => {
      if (event.type !== 'calibration') return;
      told.push(event.status);
      for (const { wanted, resolve } of waiting) if (wanted(event.status)) resolve();
    },
    log: () => undefined,
    idleMs: 20,
  });
  const until = (wanted: (status: CalibrationStatus) => boolean) =>
    wanted(calibrator.status) ? Promise.resolve() : new Promise<void>((resolve) => waiting.push({ wanted, resolve }));
  engine.start();
  return { calibrator, told, until, power };
}

const offered = (status: CalibrationStatus) => status.state === 'possible' && status.offered;
const at = (state: CalibrationStatus['state']) => (status: CalibrationStatus) => status.state === state;

describe('the offer', () => {
  it('comes when the app has been idle with a model that is not calibrated', async () => {
    const { calibrator, told, until } = app();
    expect(calibrator.status).toEqual({ state: 'unavailable' });
    calibrator.engineChanged({ state: 'ready', model: LOADED });
    expect(calibrator.status).toEqual({ state: 'possible', offered: false });
    await until(offered);
    calibrator.used();
    expect(told.map((status) => status.state === 'possible' && status.offered)).toEqual([false, true, false]);
  });

  it('does not come on battery, for a calibrated model, or without one', async () => {
    const { calibrator, power } = app({ onMains: false });
    calibrator.engineChanged({ state: 'ready', model: { ...LOADED, calibrated: true } });
    expect(calibrator.status).toEqual({ state: 'unavailable' });
    calibrator.engineChanged({ state: 'ready', model: LOADED });
    while (power.asked < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(calibrator.status).toEqual({ state: 'possible', offered: false });
    calibrator.engineChanged({ state: 'loading', modelName: 'm' });
    expect(calibrator.status).toEqual({ state: 'unavailable' });
  });
});

describe('a calibration', () => {
  it('runs to its end and is not offered again', async () => {
    const { calibrator, told, until } = app();
    calibrator.engineChanged({ state: 'ready', model: LOADED });
    calibrator.start();
    await until(at('unavailable'));
    expect(told.slice(1)).toEqual([
      { state: 'running' },
      { state: 'running', progress: { stage: 'calibrate', done: 1, total: 4, secondsLeft: 90 } },
      { state: 'unavailable' },
    ]);
    // The keeper still tells of the model as it was loaded.
    calibrator.engineChanged({ state: 'ready', model: LOADED });
    expect(calibrator.status).toEqual({ state: 'unavailable' });
  });

  it('can be stopped and is offered again later', async () => {
    const { calibrator, until } = app({ script: { calibrationMs: 60_000 } });
    calibrator.engineChanged({ state: 'ready', model: LOADED });
    calibrator.start();
    await until((status) => status.state === 'running' && status.progress !== undefined);
    calibrator.stop();
    await until(at('possible'));
    await until(offered);
  });

  it('that fails says why', async () => {
    const error = { kind: 'disk-full', message: 'No space is left.', action: 'Free some.' } as const;
    const { calibrator, until } = app({ script: { calibrationError: error } });
    calibrator.engineChanged({ state: 'ready', model: LOADED });
    calibrator.start();
    await until(at('running'));
    await until(at('possible'));
    expect(calibrator.status).toEqual({ state: 'possible', offered: false, error });
  });

  it('does not start without a model', () => {
    const { calibrator, told } = app();
    calibrator.start();
    expect(told).toEqual([]);
  });
});
