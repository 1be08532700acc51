/** The samples that the window has: of the last ten minutes, oldest first. */
import { HISTORY_MS, type Sample } from '../../../contract/resources.ts';

export function addSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const newest = samples.at(-1);
  // The clock was set back: what was before it is of another time.
  if (newest !== undefined && sample.at <= newest.at) return sample.at === newest.at ? samples : [sample];
  const first = samples.findIndex(({ at }) => at >= sample.at - HISTORY_MS);
  return [...(first < 0 ? [] : samples.slice(first)), sample];
}

/** Main's history, and whatever came after it. */
export function mergeSamples(history: readonly Sample[], samples: readonly Sample[]): readonly Sample[] {
  const newest = history.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  return [...history, ...samples.filter(({ at }) => at > newest)];
}

/** Whether an answer is being made. */
export function isAnswering(sample: Sample | undefined): boolean {
  return sample !== undefined && (sample.tokensPerSecond.prefill !== null || sample.tokensPerSecond.decode !== null);
}
