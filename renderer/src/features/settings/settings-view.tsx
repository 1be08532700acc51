/** The settings screen. Every change counts at once; there is nothing to save. */
import { LanguageChoice } from '../../../../contract/language.ts';
import { useAppState, useCommands, usePlatform } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Choice } from '../../ui/choice.tsx';
import { AnswerSettings } from './answer-settings.tsx';
import { AttentionSettings } from './attention-settings.tsx';
import { DeviceSettings } from './device-settings.tsx';
import { ModelSettings } from './model-settings.tsx';
import { Page } from './page.tsx';
import { Row, Section } from './parts.tsx';

export function SettingsView() {
  const words = strings.settings;
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
            <Row label={words.appearance.language}>
              <LanguageSelect language={settings.language} />
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

function LanguageSelect({ language }: { language: LanguageChoice }) {
  const commands = useCommands();
  const words = strings.settings.appearance;
  return (
    <select
      id="language"
      className="select"
      aria-label={words.language}
      value={language}
      onChange={({ target }) => {
        const chosen = LanguageChoice.options.find((known) => known === target.value);
        if (chosen !== undefined) void commands.changeSettings({ language: chosen });
      }}
    >
      <option value="system">{words.systemLanguage}</option>
      <option value="en" lang="en">
        English
      </option>
      <option value="zh-CN" lang="zh-CN">
        简体中文
      </option>
    </select>
  );
}

function About() {
  const words = strings.settings;
  const { os, arch, versions } = usePlatform();
  return (
    <Section title={words.about.title}>
      <p className="row-note">
        {words.about.versions(versions.app, versions.electron, versions.chrome)} · {words.about.platform(os, arch)}
      </p>
    </Section>
  );
}
