/** Tests all devices at once, and shows how far a test is. */
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Row } from '../settings/parts.tsx';

export function TestRow() {
  const words = strings.devices;
  const commands = useCommands();
  const test = useAppState((state) => state.deviceTest);
  if (test.state === 'idle') {
    return (
      <Row label={words.testLabel} help={words.testHelp}>
        <button
          type="button"
          className="button"
          data-testid="test-devices"
          onClick={() => void commands.testDevices(null)}
        >
          {words.testAll}
        </button>
      </Row>
    );
  }
  const { done, total, note } = test.progress ?? { done: 0, total: 0 };
  return (
    <Row label={words.testLabel} help={<span role="status">{words.testing(done + 1, total, note)}</span>}>
      {/* Of one device alone nothing can be told before it is done. */}
      <ProgressBar done={done} total={total > 1 ? total : 0} label={words.testRunning} />
      <button type="button" className="button" onClick={() => void commands.stopDeviceTest()}>
        {words.stop}
      </button>
    </Row>
  );
}
