/** What happens at start, when nothing is asked for long, and when the last window is closed. */
import type { Settings } from '../../../../contract/settings.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Choice } from '../../ui/choice.tsx';
import { Toggle } from '../../ui/toggle.tsx';
import { Row, Section } from './parts.tsx';

/** Times without use that are offered, in minutes. */
const UNLOAD_MINUTES = [5, 15, 60];

export function StartSettings({ settings }: { settings: Settings }) {
  const words = strings.settings.start;
  const commands = useCommands();
  return (
    <Section title={words.title}>
      <Row label={words.startWith}>
        <Choice
          label={words.startWith}
          value={settings.startWith}
          options={[
            { value: 'last-chat', label: words.lastChat },
            { value: 'new-chat', label: words.newChat },
          ]}
          onChange={(startWith) => void commands.changeSettings({ startWith })}
        />
      </Row>
      <Row label={words.unload} help={words.unloadHelp}>
        <select
          className="select"
          aria-label={words.unload}
          value={settings.unloadAfterMinutes ?? ''}
          onChange={({ target: { value } }) =>
            void commands.changeSettings({ unloadAfterMinutes: value === '' ? undefined : Number(value) })
          }
        >
          <option value="">{words.unloadNever}</option>
          {UNLOAD_MINUTES.map((minutes) => (
            <option key={minutes} value={minutes}>
              {words.unloadAfter(minutes)}
            </option>
          ))}
        </select>
      </Row>
      <Row label={words.closeToTray} help={words.closeToTrayHelp}>
        <Toggle
          label={words.closeToTray}
          checked={settings.closeToTray}
          onChange={(closeToTray) => void commands.changeSettings({ closeToTray })}
        />
      </Row>
    </Section>
  );
}
