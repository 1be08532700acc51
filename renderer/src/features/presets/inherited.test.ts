import { expect, it } from 'vitest';
import type { Preset } from '../../../../contract/presets.ts';
import { FakeMain } from '../../testing/fake-main.ts';
import { inheritedPrompt, inheritedSampling } from './inherited.ts';

const settings = { ...new FakeMain().settings, temperature: 0.7, systemPrompt: 'Be kind.' };
const preset: Preset = { id: 'p', name: 'P', builtIn: false, systemPrompt: '', sampling: { temperature: 0, topK: 5 } };

it('takes the preset before the settings, and both before the defaults', () => {
  expect(inheritedSampling('temperature', preset, settings)).toEqual({ value: 0, from: 'preset' });
  expect(inheritedSampling('temperature', undefined, settings)).toEqual({ value: 0.7, from: 'settings' });
  expect(inheritedSampling('topK', preset, settings)).toEqual({ value: 5, from: 'preset' });
  expect(inheritedSampling('topK', undefined, settings)).toEqual({ value: 40, from: 'default' });
  expect(inheritedSampling('seed', preset, settings)).toEqual({ value: undefined, from: 'default' });
});

it('takes an empty prompt of a preset as its word', () => {
  expect(inheritedPrompt(preset, settings)).toEqual({ value: '', from: 'preset' });
  expect(inheritedPrompt(undefined, settings)).toEqual({ value: 'Be kind.', from: 'settings' });
});
