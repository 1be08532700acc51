/** `bench pipeline`: what each part of the plan is worth, on the paper's phone (simulated) and on this machine. */
import { loadNative } from '../../native/js/load.ts';
import { describeMachine } from '../bench/machine.ts';
import { type HeadSetting, type PipelineRow, pipelineFigures, pipelineRows, planningTime } from '../bench/pipeline.ts';
import { type Report, reportText, spreadText } from '../bench/report.ts';
import { PAPER_PHONE } from '../engine/attention/planner/costs.ts';
import { NEVER, ruleFor } from '../engine/attention/rules.ts';
import { headBuckets } from '../engine/calibration/head-buckets.ts';
import { headRatios } from '../engine/calibration/head-ratios.ts';
import { costTable } from '../engine/calibration/profile.ts';
import type { Engine } from '../engine/engine.ts';
import { readAttentionCalibration } from '../engine/model/attention-calibration-file.ts';
import { EXIT } from './exit.ts';
import type { Interrupt } from './interrupt.ts';
import type { OptionValues } from './options.ts';
import { note, print, printJson } from './output.ts';
import { currentProfile } from './profile.ts';
import { modelReference, withEngine } from './session.ts';

/** The paper's: its launches are for 2048 keys, its ratio is 20 %. */
const DEFAULT_KEYS = [2048];
const RATIO = 0.2;
/** What the paper plans for at most. */
const MOST_HEADS = 32;

/** Prints a table and figures, or with --json one object {command, machine, rows, figures}. Returns the exit code. */
export function benchPipeline(values: OptionValues, { signal }: Interrupt): Promise<number> {
  return withEngine(async (engine) => {
    const layers = (await headSettings(engine, values, signal)).slice(0, values.layers);
    const tables = [PAPER_PHONE, costTable(await currentProfile(signal))];
    const { minKeys } = ruleFor({ mode: 'shadow', ratio: RATIO }, NEVER);
    const rows = tables.flatMap((table) =>
      (values.n ?? DEFAULT_KEYS).flatMap((keys) => pipelineRows({ table, keys, minKeys, ratio: RATIO, layers })),
    );
    const figures = {
      ...pipelineFigures(rows),
      planning_ms_32_heads: planningTime(PAPER_PHONE, MOST_HEADS, true),
      planning_ms_32_heads_not_fused: planningTime(PAPER_PHONE, MOST_HEADS, false),
    };
    const machine = describeMachine(loadNative());
    const report: Report = { command: `shadownpu ${process.argv.slice(2).join(' ')}`, machine, rows, figures };
    if (values.json) printJson(report);
    else print(reportText(report, rows.map(cells)));
    return EXIT.ok;
  });
}

function cells(row: PipelineRow): Record<string, string> {
  return {
    device: row.simulated ? `${row.device} (simulated)` : row.device,
    keys: String(row.keys),
    plan: row.name,
    'ms a layer': spreadText(row.ms),
    'times as long as the whole method': spreadText(row.vsPlan),
  };
}

/**
 * Ratio and bucket of every head of the model, by the lost mass and the greatest scales that its calibration found; without
 * a calibration all heads alike. Throws AppError 'model-missing'.
 */
async function headSettings(engine: Engine, values: OptionValues, signal: AbortSignal): Promise<HeadSetting[][]> {
  const bundle = await engine.import(
    { model: await modelReference(engine, values.model), weights: values.weights ?? 'fast' },
    { signal },
  );
  bundle.close();
  const { nLayer, nHead } = bundle.manifest.config;
  const calibration = readAttentionCalibration(bundle.dir, bundle.manifest);
  const ratios = calibration && headRatios(calibration, 'lost-mass', RATIO);
  if (calibration === undefined || ratios === undefined) {
    note('The model has no calibration: all heads keep the same share and are of one bucket.');
    return Array.from({ length: nLayer }, () => Array.from({ length: nHead }, () => ({ ratio: RATIO, bucket: 0 })));
  }
  return headBuckets(calibration).map((heads, layer) =>
    heads.map((bucket, head) => ({ ratio: ratios[layer * nHead + head] ?? RATIO, bucket })),
  );
}
