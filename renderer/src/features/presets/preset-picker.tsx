/** Which preset a chat starts from; its present options can become a new one. */
import { useId, useState } from 'react';
import type { ChatOptions, Preset } from '../../../../contract/presets.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';

interface PresetPickerProps {
  readonly presets: readonly Preset[];
  readonly options: ChatOptions;
  readonly onChange: (part: { [K in keyof ChatOptions]?: ChatOptions[K] | undefined }) => void;
}

export function PresetPicker({ presets, options, onChange }: PresetPickerProps) {
  const commands = useCommands();
  const id = useId();
  const [naming, setNaming] = useState(false);
  const words = strings.options;
  const preset = presets.find((one) => one.id === options.presetId);
  const own = options.systemPrompt !== undefined || options.sampling !== undefined;

  /** What the chat has of its own becomes the preset's. */
  async function save(presetId: string | null, name: string): Promise<void> {
    const systemPrompt = options.systemPrompt ?? preset?.systemPrompt;
    const sampling = { ...preset?.sampling, ...options.sampling };
    const content = {
      name,
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
      ...(Object.keys(sampling).length === 0 ? {} : { sampling }),
    };
    const saved = await commands.savePreset(presetId, content);
    if (saved === undefined) return;
    setNaming(false);
    onChange({ presetId: saved.id, systemPrompt: undefined, sampling: undefined });
  }

  return (
    <div className="option">
      <div className="option-head">
        <label htmlFor={id}>{words.preset}</label>
      </div>
      <select
        id={id}
        className="text-field"
        value={preset?.id ?? ''}
        onChange={({ target: { value } }) => onChange({ presetId: value === '' ? undefined : value })}
      >
        <option value="">{words.noPreset}</option>
        {presets.map((one) => (
          <option key={one.id} value={one.id}>
            {presetName(one)}
          </option>
        ))}
      </select>
      {naming ? (
        <NameForm onSave={(name) => void save(null, name)} onCancel={() => setNaming(false)} />
      ) : (
        <div className="preset-actions">
          {own && (
            <button type="button" className="link-button" onClick={() => setNaming(true)}>
              {words.savePreset}
            </button>
          )}
          {own && preset?.builtIn === false && (
            <button type="button" className="link-button" onClick={() => void save(preset.id, preset.name)}>
              {words.updatePreset}
            </button>
          )}
          {preset?.builtIn === false && (
            <button
              type="button"
              className="link-button"
              onClick={() => {
                onChange({ presetId: undefined });
                void commands.removePreset(preset.id);
              }}
            >
              {words.removePreset}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function NameForm({ onSave, onCancel }: { onSave: (name: string) => void; onCancel: () => void }) {
  const [name, setName] = useState('');
  const words = strings.options;
  return (
    <form
      className="preset-name"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') onSave(name.trim());
      }}
    >
      <input
        className="text-field"
        // biome-ignore lint/a11y/noAutofocus: it appears because a name was asked for
        autoFocus
        dir="auto"
        aria-label={words.presetName}
        placeholder={words.presetName}
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
          event.stopPropagation();
          onCancel();
        }}
      />
      <button type="submit" className="button is-primary" disabled={name.trim() === ''}>
        {words.save}
      </button>
      <button type="button" className="button" onClick={onCancel}>
        {words.cancel}
      </button>
    </form>
  );
}

/** The window has its own words for presets that come with the app. */
function presetName({ id, name, builtIn }: Preset): string {
  const names: Readonly<Record<string, string>> = strings.options.presets;
  return (builtIn ? names[id] : undefined) ?? name;
}
