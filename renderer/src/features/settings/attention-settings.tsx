/** Full or shadow attention, in plain words. */
import type { Settings } from '../../../../contract/chat.ts';
import { formatPercent } from '../../format.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Choice } from '../../ui/choice.tsx';
import { Row, Section } from './parts.tsx';
import { Slider } from './slider.tsx';

const words = strings.settings.attention;

export function AttentionSettings({ settings: { attention } }: { settings: Settings }) {
  const commands = useCommands();
  const { mode, ratio } = attention;
  return (
    <Section title={words.title}>
      <Row label={words.mode} help={mode === 'full' ? words.fullHelp : words.shadowHelp}>
        <Choice
          label={words.mode}
          value={mode}
          options={[
            { value: 'shadow', label: words.shadow },
            { value: 'full', label: words.full },
          ]}
          onChange={(next) => void commands.changeSettings({ attention: { mode: next, ratio } })}
        />
      </Row>
      {mode === 'shadow' && (
        <Row label={words.ratio} help={words.ratioHelp}>
          <Slider
            label={words.ratio}
            value={Math.round(ratio * 100)}
            min={5}
            max={100}
            step={5}
            format={(percent) => formatPercent(percent / 100)}
            onChange={(percent) => void commands.changeSettings({ attention: { mode, ratio: percent / 100 } })}
          />
        </Row>
      )}
    </Section>
  );
}
