/** What the machine does, and what the last prompt's layers did. */
import type { TracedAnswer } from '../../../../contract/engine.ts';
import type { HeadSelection, KeptTokens } from '../../../../contract/trace.ts';
import type { CostTableFile, WhatIf, WhatIfRequest } from '../../../../contract/what-if.ts';
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

    readCostTables(): Promise<readonly CostTableFile[] | undefined> {
      return guarded(() => api.ask('pipeline.cost-tables', undefined));
    },

    /** undefined where it cannot be told: nothing was answered, or costs are missing. */
    readWhatIf(request: WhatIfRequest): Promise<WhatIf | undefined> {
      return guarded(() => api.ask('pipeline.what-if', request));
    },

    /** The last prompt, that of `request`, is run again with plans and without. */
    async replayPlans(request: number, pilot: string): Promise<void> {
      await guarded(async () => {
        const result = await api.ask('pipeline.replay', { pilot });
        if (result !== undefined) store.dispatch({ type: 'replayed', request, result });
      });
    },

    async stopReplay(): Promise<void> {
      await guarded(() => api.ask('pipeline.stop-replay', undefined));
    },

    readKeptTokens(selection: HeadSelection): Promise<KeptTokens | undefined> {
      return guarded(() => api.ask('pipeline.kept-tokens', selection));
    },
  };
}
