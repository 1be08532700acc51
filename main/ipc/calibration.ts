import type { Calibrator } from '../chat/calibrator.ts';
import type { Handlers } from './router.ts';

/** The full calibration of the loaded model. */
export function calibrationHandlers(
  calibrator: Calibrator,
): Handlers<'calibration.status' | 'calibration.start' | 'calibration.stop'> {
  return {
    'calibration.status': () => calibrator.status,
    'calibration.start': () => calibrator.start(),
    'calibration.stop': () => calibrator.stop(),
  };
}
