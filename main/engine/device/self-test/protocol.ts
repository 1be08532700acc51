/**
 * What the process that tries libraries and tests devices is asked, and what it leaves. It answers in a file, a JSON value per
 * line: libraries of execution providers write what they like to the standard output, and what was written before a crash stays.
 */
import * as v from 'valibot';
import { SelfTest } from '../../../../contract/engine.ts';

export const TestRequest = v.object({
  /** File for the answer. */
  report: v.string(),
  /** Registered first. */
  library: v.optional(v.object({ name: v.string(), path: v.string() })),
  /** The device that is tested then; absent: the library is only tried. */
  device: v.optional(v.string()),
});
export type TestRequest = v.InferOutput<typeof TestRequest>;

export const TestReport = v.variant('type', [
  /** What is being done from here on, for who reads how far it came. */
  v.object({ type: v.literal('doing'), what: v.string() }),
  v.object({ type: v.literal('registered') }),
  /** The library or the device refused, in its own words. */
  v.object({ type: v.literal('refused'), detail: v.string() }),
  v.object({ type: v.literal('tested'), result: SelfTest }),
]);
export type TestReport = v.InferOutput<typeof TestReport>;
