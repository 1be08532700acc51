/** How much of what was read of documents is kept on disk, and a way to be rid of it. */
import { useEffect, useState } from 'react';
import type { Settings } from '../../../../contract/settings.ts';
import { formatBytes } from '../../format.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Row, Section } from './parts.tsx';

/** Room that is offered, in GB. */
const GIGABYTES = [0, 1, 2, 5, 10, 20];

export function DocumentSettings({ settings }: { settings: Settings }) {
  const words = strings.settings.documents;
  const commands = useCommands();
  const [bytes, setBytes] = useState<number>();
  useEffect(() => void commands.keptReading().then(setBytes), [commands]);
  const { keptReadingGigabytes: chosen } = settings;
  const clear = async () => {
    await commands.clearKeptReading();
    setBytes(await commands.keptReading());
  };
  return (
    <Section title={words.title}>
      <Row label={words.keep} help={words.keepHelp}>
        <select
          className="select"
          aria-label={words.keep}
          value={chosen}
          onChange={({ target: { value } }) => void commands.changeSettings({ keptReadingGigabytes: Number(value) })}
        >
          {[...new Set([...GIGABYTES, chosen])].map((gigabytes) => (
            <option key={gigabytes} value={gigabytes}>
              {gigabytes === 0 ? words.nothing : words.upTo(gigabytes)}
            </option>
          ))}
        </select>
      </Row>
      {bytes !== undefined && bytes > 0 && (
        <Row label={words.taken(formatBytes(bytes))} help={words.clearHelp}>
          <button type="button" className="button" onClick={() => void clear()}>
            {words.clear}
          </button>
        </Row>
      )}
    </Section>
  );
}
