/** The settings screen. Every change counts at once; there is nothing to save. */
import { useEffect } from 'react';
import { useAppState, useCommands, usePlatform } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Choice } from '../../ui/choice.tsx';
import { EngineBanner, EngineChip } from '../engine/engine-status.tsx';
import { AnswerSettings } from './answer-settings.tsx';
import { AttentionSettings } from './attention-settings.tsx';
import { DeviceSettings } from './device-settings.tsx';
import { ModelSettings } from './model-settings.tsx';
import { Row, Section } from './parts.tsx';
import './settings.css';

const words = strings.settings;

export function SettingsView() {
  const commands = useCommands();
  const settings = useAppState((state) => state.settings);
  const engineState = useAppState((state) => state.engine.state);
  // The engine reports models and devices, so a change of its state may change them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => void commands.readMachine(), [commands, engineState]);
  return (
    <main className="settings">
      <header className="topbar">
        <h1 className="topbar-title">{words.title}</h1>
        <EngineChip />
      </header>
      <EngineBanner />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <div className="settings-scroll" tabIndex={0}>
        <div className="settings-content">
          {settings === null ? (
            <p className="row-note">{words.loading}</p>
          ) : (
            <>
              <Section title={words.appearance.title}>
                <Row label={words.appearance.theme}>
                  <Choice
                    label={words.appearance.theme}
                    value={settings.theme}
                    options={(['system', 'light', 'dark'] as const).map((value) => ({
                      value,
                      label: words.appearance.themes[value],
                    }))}
                    onChange={(theme) => void commands.changeSettings({ theme })}
                  />
                </Row>
              </Section>
              <AttentionSettings settings={settings} />
              <ModelSettings settings={settings} />
              <AnswerSettings settings={settings} />
              <DeviceSettings settings={settings} />
            </>
          )}
          <About />
        </div>
      </div>
    </main>
  );
}

function About() {
  const { os, arch, versions } = usePlatform();
  return (
    <Section title={words.about.title}>
      <p className="row-note">
        {words.about.versions(versions.app, versions.electron, versions.chrome)} · {words.about.platform(os, arch)}
      </p>
    </Section>
  );
}
