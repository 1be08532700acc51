/** The settings screen. Every change counts at once; there is nothing to save. */
import { useAppState } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { About } from '../about/about.tsx';
import { Page } from '../frame/page.tsx';
import { AnswerSettings } from './answer-settings.tsx';
import { AppearanceSettings } from './appearance-settings.tsx';
import { AttentionSettings } from './attention-settings.tsx';
import { DeviceSettings } from './device-settings.tsx';
import { DocumentSettings } from './document-settings.tsx';
import { ModelSettings } from './model-settings.tsx';
import { StartSettings } from './start-settings.tsx';

export function SettingsView() {
  const words = strings.settings;
  const settings = useAppState((state) => state.settings);
  return (
    <Page title={words.title}>
      {settings === null ? (
        <p className="row-note">{words.loading}</p>
      ) : (
        <>
          <AppearanceSettings settings={settings} />
          <StartSettings settings={settings} />
          <AttentionSettings settings={settings} />
          <ModelSettings settings={settings} />
          <AnswerSettings settings={settings} />
          <DocumentSettings settings={settings} />
          <DeviceSettings settings={settings} />
        </>
      )}
      <About />
    </Page>
  );
}
