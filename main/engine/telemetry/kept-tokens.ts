/** How often heads kept each token of the last prompt. Engine thread, between requests. */
import type { HeadSelection, KeptTokens } from '../../../contract/trace.ts';
import type { LoadedModel } from '../session/loaded-model.ts';
import { TextStream } from '../session/text-stream.ts';

/** undefined where no request has been answered since the last one began. Layers and heads that are not there are left out. */
export function keptTokensOf(model: LoadedModel, { layer, head }: HeadSelection): KeptTokens | undefined {
  const { answered, keptCounts, shared, tokenizer } = model;
  if (answered === undefined) return undefined;
  const { nLayer, nHead } = shared.shape;
  const { ids } = answered;
  const chosen = (count: number, asked: number | null) =>
    Array.from({ length: count }, (_, i) => i).filter((i) => asked === null || i === asked);
  const heads = chosen(nHead, head);
  const kept = new Float64Array(ids.length);
  const seen = new Float64Array(ids.length);
  let rows = 0;
  for (const each of chosen(nLayer, layer)) {
    const hits = keptCounts.readHits(each, heads, ids.length);
    rows = Math.max(rows, hits.rows);
    for (let i = 0; i < ids.length; i++) {
      kept[i] = (kept[i] ?? 0) + (hits.kept[i] ?? 0);
      seen[i] = (seen[i] ?? 0) + (hits.seen[i] ?? 0);
    }
  }
  const share = Float32Array.from(kept, (count, i) => count / (seen[i] ?? 0));
  const stream = new TextStream(tokenizer, []);
  return { request: answered.request, tokens: ids.map((id) => stream.push(id).text), share, rows };
}
