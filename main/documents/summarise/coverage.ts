/** How much of a document a summary is made of. */
import type { SummaryCoverage, SummaryPlan, SummarySection } from '../../../contract/summaries.ts';

export function coverageOf(plan: SummaryPlan, sections: readonly SummarySection[]): SummaryCoverage {
  return {
    tokensRead: sections.reduce((sum, { state, tokens }) => sum + (state === 'done' ? tokens : 0), 0),
    tokensTotal: plan.documentTokens,
    pagesWithoutText: plan.pagesWithoutText,
    failedSections: sections.flatMap(({ state }, index) => (state === 'failed' ? [index] : [])),
  };
}
