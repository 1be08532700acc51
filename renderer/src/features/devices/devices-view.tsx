/** The devices screen: what this computer can compute on, how each was tested, and how NPU support is installed. */
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Page } from '../settings/page.tsx';
import { Row, Section } from '../settings/parts.tsx';
import { DeviceCard } from './device-card.tsx';
import { NpuSupport } from './npu-support.tsx';
import './devices.css';

export function DevicesView() {
  const words = strings.devices;
  const devices = useAppState((state) => state.devices);
  return (
    <Page title={words.title}>
      <Section title={words.found} help={words.help}>
        {devices === null && <p className="row-note">{words.loading}</p>}
        {devices?.length === 0 && <p className="row-note">{words.none}</p>}
        {devices !== null && devices.length > 0 && (
          <ul data-testid="devices">
            {devices.map((device) => (
              <DeviceCard key={device.id} device={device} />
            ))}
          </ul>
        )}
        <TestRow />
      </Section>
      <NpuSupport />
    </Page>
  );
}

/** Tests everything at once, and shows how far a test is. */
function TestRow() {
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
