/** `models`: lists, imports and removes them. */
import type { ModelInfo } from '../../contract/engine.ts';
import type { Engine } from '../engine/engine.ts';
import { EXIT } from './exit.ts';
import type { Interrupt } from './interrupt.ts';
import type { OptionValues } from './options.ts';
import { ProgressLine, print, printJson } from './output.ts';
import { usage } from './parse.ts';
import { withEngine } from './session.ts';

export function models(args: readonly string[], values: OptionValues, interrupt: Interrupt): Promise<number> {
  const [action = 'list', target] = args;
  if (action === 'list' && target === undefined) return withEngine((engine) => list(engine, values));
  if (action === 'import' && target !== undefined) {
    return withEngine((engine) => importModel(engine, target, values, interrupt.signal));
  }
  if (action === 'remove' && target !== undefined) {
    return withEngine(async (engine) => {
      await engine.library.remove(target);
      if (values.json) printJson({ removed: target });
      else print(`Removed ${target}.\n`);
      return EXIT.ok;
    });
  }
  throw usage(
    `"models ${args.join(' ')}" is not a command.`,
    'Use: models list, models import FILE, models remove ID.',
  );
}

async function list(engine: Engine, values: OptionValues): Promise<number> {
  const all = await engine.models();
  if (values.json) printJson({ models: all });
  else if (all.length === 0) print('No models.\n');
  else for (const model of all) print(`${lineOf(model)}\n`);
  return EXIT.ok;
}

async function importModel(engine: Engine, file: string, values: OptionValues, signal: AbortSignal): Promise<number> {
  const progress = new ProgressLine();
  try {
    const bundle = await engine.import(
      { model: file, weights: values.weights ?? 'fast' },
      { onProgress: progress.show, signal },
    );
    bundle.close();
    progress.clear();
    const model = (await engine.models()).find(({ id }) => id === bundle.manifest.id);
    if (values.json) printJson({ model, notes: bundle.manifest.notes });
    else print([`Imported ${model ? lineOf(model) : bundle.manifest.id}`, ...bundle.manifest.notes, ''].join('\n'));
    return EXIT.ok;
  } finally {
    progress.clear();
  }
}

function lineOf({ id, name, weights, bytes, contextTrained, problem }: ModelInfo): string {
  const size = `${(bytes / 1e6).toFixed(0)} MB`;
  if (problem) return `${id}\t${size}\tcannot be used: ${problem.message}`;
  const state = weights.length > 0 ? `imported: ${weights.join(', ')}` : 'not imported yet';
  return `${id}\t${name}\t${size}\tcontext ${contextTrained}\t${state}`;
}
