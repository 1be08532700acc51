/** `eval flavours`: what the forms of linear graphs that devices take lose, measured on the processor. */
import { dirname, join } from 'node:path';
import { loadNative } from '../../native/js/load.ts';
import { type DeviceGraphs, prepareDeviceGraphs } from '../engine/device/device-graphs.ts';
import type { Engine } from '../engine/engine.ts';
import { type FlavourRow, flavourFigures, measureFlavours } from '../engine/eval/flavours.ts';
import type { EvalText } from '../engine/eval/texts.ts';
import { LINEAR_FLAVOURS } from '../engine/graph/device-flavours.ts';
import { loadExact } from './eval-linear.ts';
import type { Report } from './eval-report.ts';
import type { OptionValues } from './options.ts';

interface FlavourEval {
  texts: readonly EvalText[];
  tokens: number;
  signal: AbortSignal;
}

/** Measures `--flavour` or all of them on the engine's model. */
export async function evaluateFlavours(
  engine: Engine,
  values: OptionValues,
  report: Report,
  { texts, tokens, signal }: FlavourEval,
): Promise<{ rows: FlavourRow[]; figures: Record<string, number> }> {
  const native = loadNative();
  const { bundle, shared } = engine.model;
  const graphs: DeviceGraphs[] = [];
  for (const flavour of values.flavour === undefined ? LINEAR_FLAVOURS : [values.flavour]) {
    const made = await prepareDeviceGraphs({
      native,
      bundle,
      device: { id: 'CPU', name: 'the processor', executionProvider: 'CPUExecutionProvider' },
      open: { index: 0, epOptions: {} },
      flavour,
      chunk: shared.chunkSize,
      cacheDir: join(dirname(bundle.dir), 'devices'),
      onProgress: (done, total) => report.progress(`${flavour}, writing graphs`, done, total),
      signal,
    });
    graphs.push(made);
  }
  const exact = await loadExact(engine, values.model, signal);
  try {
    const rows = await measureFlavours(exact, engine.model, {
      native,
      texts,
      tokens,
      graphs,
      signal,
      onProgress: report.progress,
      onRow: report.row<FlavourRow>((row) => [
        row.text,
        row.flavour,
        row.perplexity.toFixed(3),
        row.ratio.toFixed(4),
        `KL ${row.kl.toFixed(4)}`,
        `top-1 ${row.top1.toFixed(4)}`,
      ]),
    });
    return { rows, figures: flavourFigures(rows) };
  } finally {
    await exact.close();
  }
}
