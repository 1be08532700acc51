/** The trace of the last answer, put together from what its threads wrote down. Engine thread, between requests. */
import type { GenerateResult, TracedAnswer } from '../../../contract/engine.ts';
import type { Trace, TraceLane } from '../../../contract/trace.ts';
import { keepCount } from '../attention/keep-count.ts';
import { type AttentionRule, NEVER, ratioOf, ruleFor } from '../attention/rules.ts';
import type { LoadedModel } from '../session/loaded-model.ts';
import { ENGINE_LANE, LINEAR_LANE, PILOT_LANE } from './trace-log.ts';

/** undefined where no request has been answered since the last one began. */
export function tracedAnswer(model: LoadedModel): TracedAnswer | undefined {
  const { answered, shared, traceLog } = model;
  if (answered === undefined) return undefined;
  const { request, ids, attention, result } = answered;
  const { text: _, tokenIds: __, ...figures } = result;
  const trace = {
    request,
    layers: shared.shape.nLayer,
    heads: shared.shape.nHead,
    lanes: lanesOf(model, result),
    ...traceLog.read(),
    ...sharesOf(model, ruleFor(attention, NEVER), ids.length),
    ...importanceOf(model),
  };
  return { trace, figures };
}

function importanceOf({ attentionCalibration }: LoadedModel): Pick<Trace, 'importance'> {
  const found = attentionCalibration?.importance;
  if (found === undefined) return {};
  const { head, layer } = found;
  return { importance: Float32Array.from(head.flatMap((heads, l) => heads.map((value) => value * (layer[l] ?? 0)))) };
}

/** Who worked at the prompt of the last request. */
export function lanesOf(model: LoadedModel, { work }: Pick<GenerateResult, 'work'>): TraceLane[] {
  const busyMs = (lane: number) => model.traceLog.busyMs(lane);
  const lanes: TraceLane[] = [{ lane: ENGINE_LANE, kind: 'engine', name: '', busyMs: busyMs(ENGINE_LANE) }];
  for (let worker = 1; worker < model.threads; worker++) {
    const lane = ENGINE_LANE + worker;
    lanes.push({ lane, kind: 'worker', name: String(worker), busyMs: busyMs(lane) });
  }
  for (const [lane, kind] of [[LINEAR_LANE, 'linear'] as const, [PILOT_LANE, 'pilot'] as const]) {
    const device = work?.find((one) => one.part === kind && one.device !== 'CPU')?.device;
    if (busyMs(lane) > 0) lanes.push({ lane, kind, name: device ?? '', busyMs: busyMs(lane) });
  }
  return lanes;
}

/** Of each head, over the prompt's rows that chose keys: planned and kept keys by visible ones. */
function sharesOf(model: LoadedModel, rule: AttentionRule, tokens: number): Pick<Trace, 'plannedShare' | 'keptShare'> {
  const { nLayer, nHead } = model.shared.shape;
  const ratios = new Float32Array(model.shared.headRatios);
  const plannedShare = new Float32Array(nLayer * nHead).fill(Number.NaN);
  const keptShare = plannedShare.slice();
  for (let layer = 0; layer < nLayer; layer++) {
    const rows = model.keptCounts.chose(layer, tokens);
    if (rows.length === 0) continue;
    const visible = rows.reduce((sum, position) => sum + position + 1, 0);
    for (let index = layer * nHead; index < (layer + 1) * nHead; index++) {
      const ratio = ratioOf(rule, ratios, index);
      const planned = rows.reduce((sum, position) => sum + keepCount(ratio, position + 1, rule.minKeys), 0);
      plannedShare[index] = planned / visible;
      keptShare[index] = model.keptCounts.keptOf(index) / visible;
    }
  }
  return { plannedShare, keptShare };
}
