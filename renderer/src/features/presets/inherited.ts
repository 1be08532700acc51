/** What holds for a chat where it has no choice of its own, and where that comes from. */
import type { Preset, SamplingChoice } from '../../../../contract/presets.ts';
import { DEFAULT_SAMPLING } from '../../../../contract/sampling.ts';
import type { Settings } from '../../../../contract/settings.ts';

export interface Inherited<T> {
  readonly value: T;
  readonly from: 'preset' | 'settings' | 'default';
}

export function inheritedSampling<K extends keyof SamplingChoice>(
  name: K,
  preset: Preset | undefined,
  settings: Settings,
): Inherited<SamplingChoice[K]> {
  const chosen = preset?.sampling?.[name];
  if (chosen !== undefined) return { value: chosen, from: 'preset' };
  if (name === 'temperature') return { value: settings.temperature as SamplingChoice[K], from: 'settings' };
  const defaults: SamplingChoice = DEFAULT_SAMPLING;
  return { value: defaults[name], from: 'default' };
}

export function inheritedPrompt(preset: Preset | undefined, settings: Settings): Inherited<string> {
  const chosen = preset?.systemPrompt;
  return chosen === undefined ? { value: settings.systemPrompt, from: 'settings' } : { value: chosen, from: 'preset' };
}
