import type { PlanReplay } from '../compare/plan-replay.ts';
import type { EngineProcess } from '../engine-process.ts';
import { COST_TABLES } from '../telemetry/cost-tables.ts';
import type { ResourceMonitor } from '../telemetry/monitor.ts';
import type { Handlers } from './router.ts';

/** What the machine is doing, and what the last prompt's layers did. */
export function resourceHandlers(
  monitor: ResourceMonitor,
  engine: EngineProcess,
  replay: PlanReplay,
): Handlers<
  | 'resources.history'
  | 'resources.watch'
  | 'pipeline.trace'
  | 'pipeline.kept-tokens'
  | 'pipeline.cost-tables'
  | 'pipeline.what-if'
  | 'pipeline.replay'
  | 'pipeline.stop-replay'
> {
  return {
    'resources.history': () => monitor.history(),
    'resources.watch': ({ closely }) => monitor.watch(closely),
    'pipeline.trace': () => engine.trace(),
    'pipeline.cost-tables': () => [...COST_TABLES],
    'pipeline.what-if': (request) => engine.whatIf(request),
    'pipeline.replay': ({ pilot }) => replay.run(pilot),
    'pipeline.stop-replay': () => replay.stop(),
    'pipeline.kept-tokens': (selection) => engine.keptTokens(selection),
  };
}
