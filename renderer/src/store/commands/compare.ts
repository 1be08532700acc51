/** Comparisons: planning, running, keeping. */
import type { ComparePlan, CompareSource, CurvePlan, Variant } from '../../../../contract/compare.ts';
import { strings } from '../../strings.ts';
import type { CompareForm } from '../compare.ts';
import type { Talk } from './talk.ts';

export function createCompareCommands({ store, api, notify, guarded }: Talk) {
  return {
    async readComparisons(): Promise<void> {
      await guarded(async () =>
        store.dispatch({ type: 'comparisons', comparisons: await api.ask('compare.list', undefined) }),
      );
    },

    async readComparison(comparisonId: string): Promise<void> {
      await guarded(async () =>
        store.dispatch({ type: 'comparison-read', comparison: await api.ask('compare.get', { comparisonId }) }),
      );
    },

    setCompareForm(form: CompareForm): void {
      store.dispatch({ type: 'compare-form', form });
    },

    /** Undefined where it could not be made; the reason was told. */
    async planComparison(source: CompareSource, maxTokens: number): Promise<ComparePlan | undefined> {
      return guarded(() => api.ask('compare.plan', { source, maxTokens }));
    },

    /** Whether it was begun; if not, the reason was told. */
    async startComparison(source: CompareSource, maxTokens: number, variants: Variant[]): Promise<boolean> {
      return (await guarded(() => api.ask('compare.start', { source, maxTokens, variants }))) !== undefined;
    },

    async planCurve(): Promise<CurvePlan | undefined> {
      return guarded(() => api.ask('compare.plan-curve', undefined));
    },

    async startCurve(): Promise<boolean> {
      return (await guarded(() => api.ask('compare.start-curve', undefined))) !== undefined;
    },

    async stopComparison(comparisonId: string): Promise<void> {
      await guarded(() => api.ask('compare.stop', { comparisonId }));
    },

    async removeComparison(comparisonId: string): Promise<void> {
      await guarded(() => api.ask('compare.remove', { comparisonId }));
    },

    async exportComparison(comparisonId: string, format: 'html' | 'png' | 'json'): Promise<void> {
      await guarded(async () => {
        const name = await api.ask('compare.export', { comparisonId, format });
        if (name !== null) notify({ text: strings.chats.exported(name) });
      });
    },
  };
}
