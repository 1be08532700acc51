/** What the machine does, and what the last prompt's layers did. */
import type { TracedAnswer } from '../../../../contract/engine.ts';
import type { HeadSelection, KeptTokens, LayerPlan, PlanRequest } from '../../../../contract/trace.ts';
import type { Talk } from './talk.ts';

export function createResourceCommands({ store, api, guarded }: Talk) {
  return {
    /** Reads what main has kept; new samples come as events. */
    async readSamples(): Promise<void> {
      await guarded(async () => {
        store.dispatch({ type: 'samples', samples: await api.ask('resources.history', undefined) });
      });
    },

    /** Samples come more often while they are shown large. */
    async watchResources(closely: boolean): Promise<void> {
      await guarded(() => api.ask('resources.watch', { closely }));
    },

    /** undefined where there is nothing to show. */
    readTrace(): Promise<TracedAnswer | undefined> {
      return guarded(() => api.ask('pipeline.trace', undefined));
    },

    readLayerPlan(request: PlanRequest): Promise<LayerPlan | undefined> {
      return guarded(() => api.ask('pipeline.plan', request));
    },

    readKeptTokens(selection: HeadSelection): Promise<KeptTokens | undefined> {
      return guarded(() => api.ask('pipeline.kept-tokens', selection));
    },
  };
}
