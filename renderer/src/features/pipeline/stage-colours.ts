/** The colour of each stage, the same everywhere. */
import type { Stage } from '../../../../contract/trace.ts';

export const STAGE_TOKENS = {
  linear: 'stage-linear',
  codes: 'stage-pilot',
  launch: 'stage-pilot',
  pilot: 'stage-pilot',
  topk: 'stage-topk',
  sparse: 'stage-sparse',
  dense: 'stage-dense',
  decode: 'stage-decode',
} as const satisfies Record<Stage, string>;

/** What prepares the stage whose colour it has is drawn lighter. */
export function isPreparation(stage: Stage): boolean {
  return stage === 'codes' || stage === 'launch';
}
