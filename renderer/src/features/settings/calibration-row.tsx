/** The full calibration of the loaded model: what it is for, start, progress, stop. */
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { ErrorText } from '../../ui/error-text.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Row } from './parts.tsx';

export function CalibrationRow() {
  const words = strings.settings.calibration;
  const commands = useCommands();
  const calibration = useAppState((state) => state.calibration);
  if (calibration.state === 'unavailable') return null;
  if (calibration.state === 'possible') {
    return (
      <>
        <Row label={words.label} help={words.help}>
          <button type="button" className="button" onClick={() => void commands.startCalibration()}>
            {words.start}
          </button>
        </Row>
        {calibration.error !== undefined && <ErrorText error={calibration.error} />}
      </>
    );
  }
  const { done, total, secondsLeft } = calibration.progress ?? { done: 0, total: 0 };
  return (
    <Row label={words.label} help={secondsLeft === undefined ? words.running : words.left(secondsLeft)}>
      <ProgressBar done={done} total={total} label={words.running} />
      <button type="button" className="button" onClick={() => void commands.stopCalibration()}>
        {words.stop}
      </button>
    </Row>
  );
}
