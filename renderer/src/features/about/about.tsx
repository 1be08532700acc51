/** What this is, and what helps when something went wrong. */
import { useEffect, useState } from 'react';
import type { CrashReport } from '../../../../contract/app.ts';
import { formatDate } from '../../format.ts';
import { useCommands, usePlatform } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Row, Section } from '../settings/parts.tsx';
import './about.css';

export function About() {
  const words = strings.about;
  const { os, arch, versions } = usePlatform();
  const commands = useCommands();
  return (
    <Section title={words.title}>
      <p className="row-note">
        {words.versions(versions.app, versions.electron, versions.chrome)} · {words.platform(os, arch)}
      </p>
      <p className="row-note">{strings.empty.privacy}</p>
      <Row label={strings.actions.shortcuts}>
        <button type="button" className="button" onClick={() => commands.setOverlay('shortcuts')}>
          {words.show}
        </button>
      </Row>
      <Diagnostics />
      <Crashes />
    </Section>
  );
}

function Diagnostics() {
  const words = strings.about;
  const commands = useCommands();
  const [text, setText] = useState<string>();
  return (
    <Row label={words.diagnostics} help={words.diagnosticsHelp}>
      <button type="button" className="button" onClick={() => void commands.diagnostics().then(setText)}>
        {words.look}
      </button>
      <button type="button" className="button" onClick={() => void commands.copyDiagnostics()}>
        {words.copy}
      </button>
      <button type="button" className="button" onClick={() => void commands.openLogs()}>
        {strings.actions.openLogs}
      </button>
      {text !== undefined && (
        <Dialog
          title={words.diagnostics}
          size="wide"
          onClose={() => setText(undefined)}
          footer={
            <button type="button" className="button is-primary" onClick={() => void commands.copyDiagnostics()}>
              {words.copy}
            </button>
          }
        >
          <pre className="about-text" lang="en" dir="ltr">
            {text}
          </pre>
        </Dialog>
      )}
    </Row>
  );
}

function Crashes() {
  const words = strings.about;
  const commands = useCommands();
  const [crashes, setCrashes] = useState<readonly CrashReport[]>([]);
  useEffect(() => void commands.crashes().then(setCrashes), [commands]);

  return (
    <>
      <Row label={words.crashes} help={crashes.length === 0 ? words.noCrashes : words.crashesHelp}>
        {crashes.length > 0 && (
          <button
            type="button"
            className="button is-danger"
            onClick={() => void commands.removeCrashes().then(() => setCrashes([]))}
          >
            {words.removeCrashes}
          </button>
        )}
      </Row>
      {crashes.length > 0 && (
        <ul className="entries">
          {crashes.map(({ id, time, process, reason }) => (
            <li key={id} className="entry">
              <div className="entry-words">
                <p className="entry-name">{words.processes[process]}</p>
                <p className="entry-facts">
                  {formatDate(time)} · <span lang="en">{reason}</span>
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
