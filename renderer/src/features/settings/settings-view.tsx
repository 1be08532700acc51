/** The settings screen. Every change counts at once; there is nothing to save. */
import { useAppState, useCommands, usePlatform } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Choice } from '../../ui/choice.tsx';
import { AnswerSettings } from './answer-settings.tsx';
import { AttentionSettings } from './attention-settings.tsx';
import { DeviceSettings } from './device-settings.tsx';
import { ModelSettings } from './model-settings.tsx';
import { Page } from './page.tsx';
import { Row, Section } from './parts.tsx';

const words = strings.settings;

export function SettingsView() {
  const commands = useCommands();
  const settings = useAppState((state) => state.settings);
  return (
    <Page title={words.title}>
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
    </Page>
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
