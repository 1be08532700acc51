/** The devices of this machine, and for each whether it can be used or why not. */
import { useAppState } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Section } from './parts.tsx';

const words = strings.settings.devices;

export function DeviceSettings() {
  const devices = useAppState((state) => state.devices);
  return (
    <Section title={words.title} help={words.help}>
      {devices === null && <p className="row-note">{words.loading}</p>}
      {devices?.length === 0 && <p className="row-note">{words.none}</p>}
      {devices !== null && devices.length > 0 && (
        <ul className="entries">
          {devices.map(({ id, name, type, vendor, executionProvider, usable, reason }) => (
            <li key={id} className="entry">
              <span className="badge">{type}</span>
              <div className="entry-words">
                <p className="entry-name">{name}</p>
                <p className="entry-facts">{[vendor, executionProvider].filter((fact) => fact !== '').join(' · ')}</p>
                {!usable && <p className="entry-reason">{reason ?? words.noReason}</p>}
              </div>
              <span className={`badge${usable ? ' is-good' : ''}`}>{usable ? words.usable : words.unusable}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
