/** Which device does which part of the work: chosen by the app, or pinned; and what it should go easy on. */

import type { DeviceInfo, PartPlace, PlacedPart } from '../../../../contract/engine.ts';
import type { Settings } from '../../../../contract/settings.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Toggle } from '../../ui/toggle.tsx';
import { told } from '../../ui/told.ts';
import { useDevices } from '../devices/use-devices.ts';
import { Row, Section } from './parts.tsx';

const PARTS: readonly PlacedPart[] = ['linear', 'pilot', 'decode'];
const NOTHING: readonly PartPlace[] = [];

export function DeviceSettings({ settings }: { settings: Settings }) {
  const words = strings.settings.devices;
  const commands = useCommands();
  const devices = useDevices() ?? [];
  const places = useAppState(({ engine }) => (engine.state === 'ready' ? (engine.model.places ?? NOTHING) : NOTHING));
  const { placement } = settings;
  const change = (changes: Partial<Settings['placement']>) =>
    void commands.changeSettings({ placement: { ...placement, ...changes } });
  const others = devices.filter(({ type, virtual }) => type !== 'CPU' && !virtual);
  return (
    <Section title={words.title} help={words.help}>
      {PARTS.map((part) => (
        <PartRow
          key={part}
          part={part}
          chosen={placement[part]}
          devices={others}
          place={places.find((known) => known.part === part)}
          onChange={(device) => change({ [part]: device })}
        />
      ))}
      {others
        .filter(({ usable }) => !usable)
        .map(({ id, name, reason, phrases }) => (
          <p key={id} className="row-note">
            {words.cannot(told(name, phrases?.name), reason === undefined ? undefined : told(reason, phrases?.reason))}
          </p>
        ))}
      <Row label={words.avoidGpu} help={words.avoidGpuHelp}>
        <Toggle label={words.avoidGpu} checked={placement.avoidGpu} onChange={(avoidGpu) => change({ avoidGpu })} />
      </Row>
      <Row label={words.saveBattery} help={words.saveBatteryHelp}>
        <Toggle
          label={words.saveBattery}
          checked={placement.saveBattery}
          onChange={(saveBattery) => change({ saveBattery })}
        />
      </Row>
    </Section>
  );
}

interface PartRowProps {
  readonly part: PlacedPart;
  readonly chosen: string;
  /** Other than the processor. */
  readonly devices: readonly DeviceInfo[];
  readonly place: PartPlace | undefined;
  readonly onChange: (device: string) => void;
}

function PartRow({ part, chosen, devices, place, onChange }: PartRowProps) {
  const words = strings.settings.devices;
  const { label, help } = words.parts[part];
  const isKnown = ['auto', 'cpu', ...devices.map(({ id }) => id)].includes(chosen);
  const now =
    place &&
    words.now(devices.find(({ id }) => id === place.device)?.name ?? words.processor, told(place.reason, place.phrase));
  return (
    <Row label={label} help={now === undefined ? help : `${help} ${now}`}>
      <select className="select" aria-label={label} value={chosen} onChange={({ target }) => onChange(target.value)}>
        <option value="auto">{words.auto}</option>
        <option value="cpu">{words.processor}</option>
        {devices.map(({ id, name, usable, phrases }) => (
          <option key={id} value={id} disabled={!usable}>
            {usable ? name : words.unusable(told(name, phrases?.name))}
          </option>
        ))}
        {!isKnown && <option value={chosen}>{words.gone(chosen)}</option>}
      </select>
    </Row>
  );
}
