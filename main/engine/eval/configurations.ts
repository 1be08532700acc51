/** What is compared in an evaluation: attention options under a name. */
import * as v from 'valibot';
import { AttentionMode, AttentionOptions } from '../../../contract/engine.ts';
import { AppError } from '../../../contract/errors.ts';
import { defaultRatio, NEVER, ruleFor } from '../attention/rules.ts';
import { Breath } from '../session/breath.ts';
import type { LoadedModel } from '../session/loaded-model.ts';

export interface Configuration {
  name: string;
  options: AttentionOptions;
}

/** What all others are compared with. */
export const FULL: Configuration = { name: 'full', options: { mode: 'full', ratio: 1 } };

/** `shadow` as it is shipped: every option is the engine's default. */
const SHIPPED = shipped('shadow');

/** The method as in the paper: 20 % by INT8 scores under nine buckets, and nothing beyond. */
export const PAPER: Configuration = {
  name: 'shadow-paper',
  options: {
    mode: 'shadow',
    ratio: 0.2,
    scale: 'buckets',
    ratios: 'uniform',
    tail: false,
    sharing: false,
    minKeys: 1,
    reach: 0,
    exactSelection: true,
  },
};

/** Every mode but `full` as shipped, and the paper's `shadow`. */
export const ALL: readonly Configuration[] = [
  SHIPPED,
  PAPER,
  ...AttentionMode.options.filter((mode) => mode !== 'full' && mode !== 'shadow').map(shipped),
];

/** A mode with the engine's defaults, named like the mode. */
export function shipped(mode: AttentionMode): Configuration {
  return { name: mode, options: { mode, ratio: mode === 'full' ? 1 : defaultRatio(mode) } };
}

const Options = v.strictObject(AttentionOptions.entries);

/**
 * Reads "name:key=value,key=value" with the fields of AttentionOptions as keys; `mode` is shadow and `ratio` the mode's
 * default where they are not given. Throws AppError 'usage'.
 */
export function parseConfiguration(text: string): Configuration {
  const colon = text.indexOf(':');
  const name = text.slice(0, colon).trim();
  if (colon < 0 || !/^[\w.+-]{1,40}$/.test(name)) {
    throw malformed(text, 'it does not begin with a name (letters, digits, "." "_" "+" "-") and a colon');
  }
  const given: Record<string, unknown> = {};
  for (const pair of text.slice(colon + 1).split(',')) {
    if (pair.trim() === '') continue;
    const equals = pair.indexOf('=');
    const key = pair.slice(0, equals).trim();
    if (equals < 0) throw malformed(text, `"${pair.trim()}" has no "="`);
    if (!Object.hasOwn(AttentionOptions.entries, key)) throw malformed(text, `there is no "${key}"`);
    given[key] = literal(pair.slice(equals + 1).trim());
  }
  const mode = v.safeParse(AttentionMode, given.mode ?? 'shadow');
  if (!mode.success) throw malformed(text, `mode is one of ${AttentionMode.options.join(', ')}`);
  const parsed = v.safeParse(Options, { ...shipped(mode.output).options, ...given });
  if (parsed.success) return { name, options: parsed.output };
  const [issue] = parsed.issues;
  throw malformed(text, `${v.getDotPath(issue)}: ${issue.message}`);
}

/**
 * Makes sure that the model can have every configuration before minutes are spent on the first. Throws AppError
 * 'model-invalid' or 'bad-input' as a run would, and 'usage' where two have one name.
 */
export async function checkConfigurations(
  model: LoadedModel,
  configurations: readonly Configuration[],
  token: number,
): Promise<void> {
  const names = configurations.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i || name === FULL.name);
  if (twice !== undefined) {
    throw new AppError('usage', `Two configurations are named "${twice}".`, { action: 'Give each a name of its own.' });
  }
  for (const { options } of configurations) {
    model.cache.truncate(0);
    await model.forward.pass([token], 0, ruleFor(await model.prepareAttention(options), NEVER), new Breath());
  }
}

function literal(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

function malformed(text: string, why: string): AppError {
  return new AppError('usage', `--config "${text}" cannot be read: ${why}.`, {
    action: `Write NAME:KEY=VALUE,... with the keys ${Object.keys(AttentionOptions.entries).join(', ')}.`,
  });
}
