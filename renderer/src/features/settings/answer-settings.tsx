/** What every answer obeys: the instructions, and how much it may vary. */
import { useEffect, useId, useRef, useState } from 'react';
import { AtLimit } from '../../../../contract/presets.ts';
import type { Settings } from '../../../../contract/settings.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Choice } from '../../ui/choice.tsx';
import { Toggle } from '../../ui/toggle.tsx';
import { Row, Section } from './parts.tsx';
import { Slider } from './slider.tsx';

const SAVE_MS = 600;

export function AnswerSettings({ settings }: { settings: Settings }) {
  const words = strings.settings.answers;
  const commands = useCommands();
  return (
    <Section title={words.title}>
      <SystemPrompt saved={settings.systemPrompt} />
      <Row label={words.temperature} help={words.temperatureHelp}>
        <Slider
          label={words.temperature}
          value={settings.temperature}
          min={0}
          max={2}
          step={0.1}
          format={(value) => value.toFixed(1)}
          onChange={(temperature) => void commands.changeSettings({ temperature })}
        />
      </Row>
      <Row label={words.atLimit} help={words.atLimitHelp[settings.atLimit]}>
        <Choice
          label={words.atLimit}
          value={settings.atLimit}
          options={AtLimit.options.map((value) => ({ value, label: words.atLimitNames[value] }))}
          onChange={(atLimit) => void commands.changeSettings({ atLimit })}
        />
      </Row>
      <Row label={words.autoTitle} help={words.autoTitleHelp}>
        <Toggle
          label={words.autoTitle}
          checked={settings.autoTitle}
          onChange={(autoTitle) => void commands.changeSettings({ autoTitle })}
        />
      </Row>
    </Section>
  );
}

/** Saved a moment after the last key, and at once when left. */
function SystemPrompt({ saved }: { saved: string }) {
  const words = strings.settings.answers;
  const commands = useCommands();
  const [text, setText] = useState(saved);
  const latest = useRef(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const id = useId();
  latest.current = text;

  function save(): void {
    clearTimeout(timer.current);
    timer.current = undefined;
    void commands.changeSettings({ systemPrompt: latest.current });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the screen is left, with what was written last
  useEffect(() => () => (timer.current === undefined ? undefined : save()), []);

  return (
    <div className="row is-wide">
      <div className="row-words">
        <label className="row-label" htmlFor={id}>
          {words.systemPrompt}
        </label>
        <p className="row-help">{words.systemPromptHelp}</p>
      </div>
      <textarea
        id={id}
        className="text-area"
        rows={3}
        placeholder={words.systemPromptPlaceholder}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          clearTimeout(timer.current);
          timer.current = setTimeout(save, SAVE_MS);
        }}
        onBlur={() => {
          if (timer.current !== undefined) save();
        }}
      />
    </div>
  );
}
