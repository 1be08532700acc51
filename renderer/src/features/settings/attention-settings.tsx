/** How the model attends to earlier text, in plain words: the two to choose from, and those they are compared with. */

import type { AttentionMode } from '../../../../contract/engine.ts';
import type { Settings } from '../../../../contract/settings.ts';
import { formatPercent } from '../../format.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Choice } from '../../ui/choice.tsx';
import { Row, Section } from './parts.tsx';
import { Slider } from './slider.tsx';

const USUAL = ['shadow', 'full'] as const;
const COMPARISON = ['sparse', 'block', 'npu-full'] as const;

export function AttentionSettings({ settings: { attention } }: { settings: Settings }) {
  const words = strings.settings.attention;
  const commands = useCommands();
  const { mode, ratio } = attention;
  const comparing = COMPARISON.some((known) => known === mode);
  const choose = (next: AttentionMode) => void commands.changeSettings({ attention: { mode: next, ratio } });
  const optionsOf = (modes: readonly AttentionMode[]) => modes.map((value) => ({ value, label: words.modes[value] }));
  return (
    <Section title={words.title}>
      <Row label={words.mode} {...(comparing ? {} : { help: words.help[mode] })}>
        <Choice label={words.mode} value={mode} options={optionsOf(USUAL)} onChange={choose} />
      </Row>
      <Row label={words.comparison} help={comparing ? words.help[mode] : words.comparisonHelp}>
        <Choice label={words.comparison} value={mode} options={optionsOf(COMPARISON)} onChange={choose} />
      </Row>
      {mode !== 'full' && mode !== 'npu-full' && (
        <Row label={words.ratio} help={mode === 'shadow' ? words.shadowRatioHelp : words.ratioHelp}>
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
