/** The options of the open chat, beside it: preset, instructions, and how words are chosen. */
import { useId } from 'react';
import type { ChatOptions, SamplingChoice } from '../../../../contract/presets.ts';
import type { Settings } from '../../../../contract/settings.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { chatOptions } from '../../store/state.ts';
import { strings } from '../../strings.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { CloseIcon, RetryIcon } from '../../ui/icons.tsx';
import { inheritedPrompt } from './inherited.ts';
import { PresetPicker } from './preset-picker.tsx';
import { SamplingRows } from './sampling-rows.tsx';
import { SavedText } from './saved-text.tsx';
import './options.css';

export function OptionsPanel({ onClose }: { onClose: () => void }) {
  const settings = useAppState((state) => state.settings);
  const chatId = useAppState((state) => state.activeChatId);
  return (
    <aside className="options" aria-label={strings.options.title} data-testid="options-panel">
      <header className="options-head">
        <h2>{strings.options.title}</h2>
        <IconButton label={strings.options.close} size="small" onClick={onClose}>
          <CloseIcon size={16} />
        </IconButton>
      </header>
      {/* By its key: another chat, other fields. */}
      {settings !== null && <Options key={chatId ?? ''} settings={settings} />}
    </aside>
  );
}

function Options({ settings }: { settings: Settings }) {
  const commands = useCommands();
  const options = useAppState(chatOptions);
  const presets = useAppState((state) => state.presets);
  const preset = presets.find(({ id }) => id === options.presetId);
  const promptId = useId();
  const prompt = inheritedPrompt(preset, settings);
  const own = options.systemPrompt !== undefined || Object.keys(options.sampling ?? {}).length > 0;

  function change(part: { [K in keyof ChatOptions]?: ChatOptions[K] | undefined }): void {
    void commands.setChatOptions(withoutUnset({ ...options, ...part }));
  }

  function changeSampling(part: { [K in keyof SamplingChoice]?: SamplingChoice[K] | undefined }): void {
    const sampling = withoutUnset({ ...options.sampling, ...part });
    change({ sampling: Object.keys(sampling).length === 0 ? undefined : sampling });
  }

  return (
    <div className="options-body">
      <p className="options-help">{strings.options.nextAnswer}</p>
      <PresetPicker presets={presets} options={options} onChange={change} />
      <div className="option">
        <div className="option-head">
          <label htmlFor={promptId}>{strings.options.systemPrompt}</label>
          {options.systemPrompt !== undefined && (
            <IconButton
              label={strings.options.reset(strings.options.systemPrompt)}
              size="small"
              onClick={() => change({ systemPrompt: undefined })}
            >
              <RetryIcon size={14} />
            </IconButton>
          )}
        </div>
        <SavedText
          id={promptId}
          rows={4}
          maxLength={100_000}
          placeholder={prompt.value === '' ? strings.options.systemPromptNone : prompt.value}
          saved={options.systemPrompt ?? ''}
          onSave={(systemPrompt) => change({ systemPrompt })}
        />
        <p className="options-help">{strings.options.systemPromptHelp}</p>
      </div>
      <h3>{strings.options.sampling}</h3>
      <SamplingRows chosen={options.sampling ?? {}} preset={preset} settings={settings} onChange={changeSampling} />
      {own && (
        <button
          type="button"
          className="button"
          onClick={() => change({ systemPrompt: undefined, sampling: undefined })}
        >
          {strings.options.resetAll}
        </button>
      )}
    </div>
  );
}

/** The same without what is undefined: an absent choice is no choice. */
function withoutUnset<T extends object>(values: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
