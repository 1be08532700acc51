/** A quiet word in the top bar when the app is idle and the loaded model could be measured better. */
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';

export function CalibrationOffer() {
  const commands = useCommands();
  const offered = useAppState(({ calibration }) => calibration.state === 'possible' && calibration.offered);
  if (!offered) return null;
  return (
    <button
      type="button"
      className="button"
      title={strings.settings.calibration.help}
      onClick={() => void commands.startCalibration()}
    >
      {strings.settings.calibration.label}
    </button>
  );
}
