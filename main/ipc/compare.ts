import type { CompareChannel } from '../../contract/compare.ts';
import type { ComparisonFiles } from '../compare/comparison-files.ts';
import type { ComparisonService } from '../compare/comparison-service.ts';
import type { Storage } from '../storage/storage.ts';
import type { Handlers } from './router.ts';

/** One prompt in several ways, and prompts of several lengths. */
export function compareHandlers(
  comparisons: ComparisonService,
  files: ComparisonFiles,
  storage: Storage,
): Handlers<CompareChannel> {
  return {
    'compare.plan': ({ source, maxTokens }) => comparisons.plan(source, maxTokens),
    'compare.start': ({ source, maxTokens, variants }) => comparisons.start(source, maxTokens, variants),
    'compare.plan-curve': () => comparisons.planCurve(),
    'compare.start-curve': () => comparisons.startCurve(),
    'compare.stop': ({ comparisonId }) => comparisons.stop(comparisonId),
    'compare.list': () => storage.comparisons.list(),
    'compare.get': ({ comparisonId }) => storage.comparisons.get(comparisonId),
    'compare.remove': ({ comparisonId }) => comparisons.remove(comparisonId),
    'compare.export': ({ comparisonId, format }) => files.export(storage.comparisons.get(comparisonId), format),
  };
}
