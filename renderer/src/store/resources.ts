/** The samples that the window has: of the last ten minutes, oldest first. */
import { type Glance, HISTORY_MS, type Sample } from '../../../contract/resources.ts';

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

/** The same object where nothing of it has changed, so that nothing is drawn anew. */
export function takeGlance(before: Glance | null, glance: Glance): Glance {
  return JSON.stringify(before) === JSON.stringify(glance) && before !== null ? before : glance;
}

/** Whether an answer is being made. */
export function isAnswering(glance: Glance | null): boolean {
  return glance !== null && (glance.tokensPerSecond.prefill !== null || glance.tokensPerSecond.decode !== null);
}
