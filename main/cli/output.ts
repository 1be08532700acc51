/** What the command line prints: results on standard output, everything else on standard error. */
import type { AttentionMode, GenerateResult, Progress, UsedAttention } from '../../contract/engine.ts';
import type { AppError } from '../../contract/errors.ts';
import { english } from '../../contract/phrase.ts';

const PROGRESS_INTERVAL_MS = 100;
const STAGES: Record<Progress['stage'], string> = {
  import: 'Importing the model',
  calibrate: 'Measuring the model',
  profile: 'Measuring this machine',
  'self-test': 'Testing devices',
  compile: 'Preparing the model for a device',
  load: 'Loading the model',
  prefill: 'Reading the prompt',
  verify: 'Checking the model',
};

export function print(text: string): void {
  process.stdout.write(text);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function printError(error: AppError): void {
  note(`Error: ${error.message}`);
  if (error.action !== undefined) note(error.action);
  if (process.env.SHADOWNPU_DEBUG && error.detail !== undefined) note(error.detail);
}

/** One line of figures after an answer. */
export function printFigures(result: GenerateResult): void {
  const { attention, prefill, decode, promptTokens, cachedTokens, completionTokens } = result;
  const cached = cachedTokens > 0 ? ` (${cachedTokens} cached)` : '';
  note(
    `[${promptTokens} prompt tokens${cached}, ${prefill.tokensPerSecond.toFixed(0)}/s; ` +
      `${completionTokens} new, ${decode.tokensPerSecond.toFixed(1)}/s; ${attentionWords(attention)}, ${result.weights} weights, ${result.device}]`,
  );
  for (const { device, reason } of result.deviceProblems ?? []) {
    note(`Note: ${device} failed, and the processor did its part: ${english(reason)}`);
  }
}

const MODES: Record<AttentionMode, string> = {
  full: 'full attention',
  sparse: 'sparse attention by float scores',
  block: 'block-sparse attention',
  'npu-full': 'INT8 attention',
  shadow: 'shadow attention',
};

/** The attention in words: its mode, the share that it keeps, and what of the method was left out or simulated. */
export function attentionWords({ mode, ratio, tail, pilotDevice, pilotProblem }: UsedAttention): string {
  const dense = mode === 'full' || mode === 'npu-full';
  const words = dense ? MODES[mode] : `${MODES[mode]} ${Number((ratio * 100).toPrecision(3))} %`;
  const notes = [
    ...(pilotDevice === 'simulated' ? ['simulated pilot'] : []),
    ...(mode === 'shadow' && tail === false ? ['without tail'] : []),
    ...(pilotProblem === undefined ? [] : [`its device failed: ${pilotProblem}`]),
  ];
  return notes.length === 0 ? words : `${words} (${notes.join(', ')})`;
}

/** Shows how far long work is: one line that is rewritten on a terminal, one line per stage elsewhere. */
export class ProgressLine {
  #stage: Progress['stage'] | undefined;
  #shownAt = 0;
  #onScreen = false;

  readonly show = ({ stage, done, total, secondsLeft }: Progress): void => {
    const isNew = stage !== this.#stage;
    this.#stage = stage;
    if (!process.stderr.isTTY) {
      // A prompt is read in moments and a model loads in seconds; only an import is worth a line in a log.
      if (isNew && (stage === 'import' || stage === 'calibrate' || stage === 'profile')) note(`${STAGES[stage]} ...`);
      return;
    }
    const now = Date.now();
    if (!isNew && now - this.#shownAt < PROGRESS_INTERVAL_MS) return;
    this.#shownAt = now;
    this.#onScreen = true;
    const percent = total > 0 ? ` ${Math.floor((100 * done) / total)} %` : ' ...';
    const left = secondsLeft === undefined ? '' : `, about ${timeLeft(secondsLeft)} left`;
    process.stderr.write(`\r\x1b[K${STAGES[stage]}${percent}${left}`);
  };

  /** Takes the line off the screen. */
  clear(): void {
    if (this.#onScreen) process.stderr.write('\r\x1b[K');
    this.#onScreen = false;
    this.#stage = undefined;
  }
}

function timeLeft(seconds: number): string {
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
