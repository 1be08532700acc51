/** How the window looks: theme, language, zoom. */
import { useEffect, useState } from 'react';
import { LanguageChoice } from '../../../../contract/language.ts';
import type { Settings } from '../../../../contract/settings.ts';
import { formatPercent } from '../../format.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Choice } from '../../ui/choice.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { MinusIcon, PlusIcon } from '../../ui/icons.tsx';
import { Row, Section } from './parts.tsx';

export function AppearanceSettings({ settings }: { settings: Settings }) {
  const words = strings.settings.appearance;
  const commands = useCommands();
  return (
    <Section title={words.title}>
      <Row label={words.theme}>
        <Choice
          label={words.theme}
          value={settings.theme}
          options={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: words.themes[value] }))}
          onChange={(theme) => void commands.changeSettings({ theme })}
        />
      </Row>
      <Row label={words.language}>
        <LanguageSelect language={settings.language} />
      </Row>
      <Zoom />
    </Section>
  );
}

export function LanguageSelect({ language }: { language: LanguageChoice }) {
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

function Zoom() {
  const words = strings.settings.appearance;
  const commands = useCommands();
  const [percent, setPercent] = useState<number>();

  useEffect(() => {
    const read = () => void commands.zoom('none').then(setPercent);
    read();
    // Whatever zooms, the menu included, also changes how much the window holds.
    window.addEventListener('resize', read);
    return () => window.removeEventListener('resize', read);
  }, [commands]);

  const change = (by: 'in' | 'out' | 'reset') => void commands.zoom(by).then(setPercent);
  return (
    <Row label={words.zoom} help={words.zoomHelp}>
      <IconButton label={strings.actions.zoomOut} size="small" onClick={() => change('out')}>
        <MinusIcon size={16} />
      </IconButton>
      <output className="zoom-now">{percent === undefined ? '' : formatPercent(percent / 100)}</output>
      <IconButton label={strings.actions.zoomIn} size="small" onClick={() => change('in')}>
        <PlusIcon size={16} />
      </IconButton>
      <button type="button" className="button" disabled={percent === 100} onClick={() => change('reset')}>
        {strings.actions.zoomReset}
      </button>
    </Row>
  );
}
