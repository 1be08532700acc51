/** The attention that the options of a command ask for. All commands that run a prompt take the same ones. */
import type { AttentionMode, AttentionOptions } from '../../contract/engine.ts';
import { defaultRatio } from '../engine/attention/rules.ts';
import type { OptionName, OptionValues } from './options.ts';
import { usage } from './parse.ts';

/** Options that mean nothing to the other modes. `--ratio` is left out: it says how much a mode that drops keys keeps. */
const MODES_OF: Partial<Record<OptionName, readonly AttentionMode[]>> = {
  'min-keys': ['sparse', 'shadow'],
  pilot: ['shadow'],
  reach: ['shadow'],
  sigma: ['shadow'],
  scale: ['shadow'],
  ratios: ['shadow'],
  'no-tail': ['shadow'],
  sharing: ['shadow'],
  'exact-selection': ['shadow'],
  'no-pipeline': ['shadow'],
  'no-buckets': ['shadow'],
  'uniform-ratio': ['shadow'],
  'no-fuse': ['shadow'],
};

/** Throws AppError 'usage' where options contradict each other or mean nothing to the mode. */
export function attentionOf(values: OptionValues): AttentionOptions {
  const mode = values.attention ?? 'shadow';
  for (const [name, modes] of Object.entries(MODES_OF)) {
    if (values[name as OptionName] === undefined || modes.includes(mode)) continue;
    throw usage(`--${name} means nothing to ${mode} attention.`, `It goes with --attention ${modes.join(' or ')}.`);
  }
  const scale = values['no-buckets'] ? agreed('no-buckets', 'single', 'scale', values.scale) : values.scale;
  const ratios = values['uniform-ratio'] ? agreed('uniform-ratio', 'uniform', 'ratios', values.ratios) : values.ratios;
  const minKeys = values['min-keys'];
  return {
    mode,
    ratio: values.ratio ?? defaultRatio(mode),
    ...(values.pilot === undefined ? {} : { pilot: values.pilot }),
    ...(values.reach === undefined ? {} : { reach: values.reach }),
    ...(values.sigma === undefined ? {} : { sigma: values.sigma }),
    ...(scale === undefined ? {} : { scale }),
    ...(ratios === undefined ? {} : { ratios }),
    ...(values['no-tail'] ? { tail: false } : {}),
    ...(values.sharing ? { sharing: true } : {}),
    ...(minKeys === undefined ? {} : { minKeys }),
    ...(values['exact-selection'] ? { exactSelection: true } : {}),
    ...(values['no-pipeline'] ? { pipeline: false } : {}),
    ...(values['no-fuse'] ? { fuse: false } : {}),
  };
}

/** What a switch stands for, unless the option that it sets was given another value. */
function agreed<T extends string>(name: OptionName, meant: T, option: OptionName, given: T | undefined): T {
  if (given === undefined || given === meant) return meant;
  throw usage(`--${name} is --${option} ${meant}, which contradicts --${option} ${given}.`, 'Give one of them.');
}
