/** How words are chosen: each value with its range, where it comes from, and the way back. */
import { type ReactNode, useId, useState } from 'react';
import type { Preset, SamplingChoice } from '../../../../contract/presets.ts';
import { LONGEST_STOP_TEXT, MOST_STOP_TEXTS, SAMPLING_RANGES } from '../../../../contract/sampling.ts';
import type { Settings } from '../../../../contract/settings.ts';
import { strings } from '../../strings.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { RetryIcon } from '../../ui/icons.tsx';
import { Slider } from '../settings/slider.tsx';
import { inheritedSampling } from './inherited.ts';
import { SavedText } from './saved-text.tsx';

type NumberName = keyof typeof SAMPLING_RANGES;

/** Those that one moves by feeling; the others are counts, which are typed. */
const SLIDERS: readonly NumberName[] = ['temperature', 'topP', 'minP', 'repetitionPenalty'];
const ORDER: readonly NumberName[] = [
  'temperature',
  'topP',
  'topK',
  'minP',
  'repetitionPenalty',
  'repetitionWindow',
  'maxTokens',
  'seed',
];

interface SamplingRowsProps {
  readonly chosen: SamplingChoice;
  readonly preset: Preset | undefined;
  readonly settings: Settings;
  readonly onChange: (part: { [K in keyof SamplingChoice]?: SamplingChoice[K] | undefined }) => void;
}

export function SamplingRows({ chosen, preset, settings, onChange }: SamplingRowsProps) {
  return (
    <>
      {ORDER.map((name) => {
        const { value, from } = inheritedSampling(name, preset, settings);
        return (
          <Option
            key={name}
            name={name}
            own={chosen[name] !== undefined}
            from={from}
            onReset={() => onChange({ [name]: undefined })}
          >
            {(id) => (
              <NumberField
                id={id}
                name={name}
                own={chosen[name]}
                inherited={value}
                onChange={(next) => onChange({ [name]: next })}
              />
            )}
          </Option>
        );
      })}
      <Option
        name="stop"
        own={chosen.stop !== undefined}
        from={inheritedSampling('stop', preset, settings).from}
        onReset={() => onChange({ stop: undefined })}
      >
        {(id) => (
          <SavedText
            id={id}
            rows={2}
            saved={(chosen.stop ?? []).join('\n')}
            onSave={(text) => onChange({ stop: stopTexts(text) })}
          />
        )}
      </Option>
    </>
  );
}

interface OptionProps {
  readonly name: keyof SamplingChoice;
  readonly own: boolean;
  readonly from: 'preset' | 'settings' | 'default';
  readonly onReset: () => void;
  readonly children: (id: string) => ReactNode;
}

function Option({ name, own, from, onReset, children }: OptionProps) {
  const id = useId();
  const words = strings.options;
  return (
    <div className="option" title={words.help[name]} data-option={name}>
      <div className="option-head">
        <label htmlFor={id}>{words.names[name]}</label>
        {own ? (
          <IconButton label={words.reset(words.names[name])} size="small" onClick={onReset}>
            <RetryIcon size={14} />
          </IconButton>
        ) : (
          <span className="option-from">{words.inherited[from]}</span>
        )}
      </div>
      {children(id)}
    </div>
  );
}

interface NumberFieldProps {
  readonly id: string;
  readonly name: NumberName;
  readonly own: number | undefined;
  readonly inherited: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}

function NumberField({ id, name, own, inherited, onChange }: NumberFieldProps) {
  const { min, max, step } = SAMPLING_RANGES[name];
  const value = own ?? inherited;
  if (SLIDERS.includes(name) && value !== undefined) {
    return (
      <Slider
        id={id}
        label={strings.options.names[name]}
        min={min}
        max={max}
        step={step}
        value={value}
        format={(shown) => shown.toFixed(2)}
        onChange={onChange}
      />
    );
  }
  return (
    <CountField key={own ?? 'none'} id={id} range={{ min, max }} own={own} inherited={inherited} onChange={onChange} />
  );
}

interface CountFieldProps extends Omit<NumberFieldProps, 'name'> {
  readonly range: { readonly min: number; readonly max: number };
}

/** A whole number, typed. It counts when the field is left; empty is no choice, beyond the range is its end. */
function CountField({ id, range: { min, max }, own, inherited, onChange }: CountFieldProps) {
  const [text, setText] = useState(own === undefined ? '' : String(own));

  function take(): void {
    const typed = text.trim() === '' ? undefined : Math.round(Number(text));
    const value = typed === undefined || Number.isNaN(typed) ? undefined : Math.min(max, Math.max(min, typed));
    setText(value === undefined ? '' : String(value));
    if (value !== own) onChange(value);
  }

  return (
    <input
      id={id}
      className="text-field"
      type="number"
      inputMode="numeric"
      min={min}
      max={max}
      step={1}
      placeholder={inherited === undefined ? strings.options.random : String(inherited)}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take();
      }}
    />
  );
}

/** Texts one per line, as many and as long as are allowed. */
function stopTexts(text: string): string[] | undefined {
  const lines = text.split('\n').filter((line) => line !== '');
  const stop = lines.slice(0, MOST_STOP_TEXTS).map((line) => line.slice(0, LONGEST_STOP_TEXT));
  return stop.length === 0 ? undefined : stop;
}
