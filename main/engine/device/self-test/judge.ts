/** What a self-test's process has left, as the result that is kept. */
import type { DeviceInfo, SelfTest } from '../../../../contract/engine.ts';
import type { TestOutcome } from '../test-process.ts';

/** What a finding about a device holds for: with another execution provider or driver it is void. */
export function stateOf({ epVersion, driver }: Pick<DeviceInfo, 'epVersion' | 'driver'>): string {
  return [epVersion ?? '', driver ?? ''].join(' | ');
}

/** @param seconds of the whole test, for one that did not come to its end */
export function judgeTest({ reports, end, lastWords }: TestOutcome, seconds: number): SelfTest {
  for (const report of reports) {
    if (report.type === 'tested') return report.result;
    if (report.type === 'refused') return { passed: false, seconds, problem: report.detail };
  }
  const problem =
    end === 'hung'
      ? `It did not answer within ${Math.round(seconds)} s (${lastWords}).`
      : `Its driver or library crashed (${lastWords}).`;
  return { passed: false, seconds, problem };
}
