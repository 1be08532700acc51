/** The devices screen: what this computer can compute on, how each was tested, and how NPU support is installed. */
import { strings } from '../../strings.ts';
import { Page } from '../frame/page.tsx';
import { Section } from '../settings/parts.tsx';
import { DeviceCard } from './device-card.tsx';
import { NpuSupport } from './npu-support.tsx';
import { TestRow } from './test-row.tsx';
import { useDevices } from './use-devices.ts';
import './devices.css';

export function DevicesView() {
  const words = strings.devices;
  const devices = useDevices();
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
