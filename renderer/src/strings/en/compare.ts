/** Comparisons of ways to answer, and of prompts by their length. */
import type { ComparedFigure, ComparePlan, CurvePlan } from '../../../../contract/compare.ts';
import type { AttentionOptions } from '../../../../contract/engine.ts';
import { deviceOfPilot } from '../../../../contract/pilot-name.ts';
import { formatCount, formatPercent, formatSeconds } from '../../format.ts';
import { SIMULATED } from '../device-words.ts';
import { settings } from './settings.ts';
import { deviceWords } from './words.ts';

const THIN = '\u202f';

const { modes } = settings.settings.attention;

/** Where the scores of shadow attention come from. */
function pilotName(pilot: string): string {
  if (pilot === 'native') return 'Scores on the processor';
  if (pilot === SIMULATED) return 'Scores on a simulated device';
  return `Scores on the ${deviceWords(deviceOfPilot(pilot))}`;
}

function cutNote({ cut }: Pick<ComparePlan, 'cut'>): string {
  return cut === undefined
    ? ''
    : `Only the first ${formatCount(cut.used)} of ${formatCount(cut.of)} tokens of the text are used: more do not fit beside the answer.`;
}

const states = { running: 'Running', stopped: 'Stopped', complete: 'Done', failed: 'Failed' };

export const compare = {
  compare: {
    title: 'Compare',
    subject: 'What is compared',
    subjects: { answers: 'Answers', curve: 'Prompt length' },
    intro:
      'One prompt is answered in several ways, one after another, and you see what each costs and gives. The first is full attention, which the others are compared with.',
    kept: 'Kept comparisons',
    newOne: 'New comparison',
    entry: (title: string, date: string) => (title === '' ? date : `${title} · ${date}`),

    source: 'Prompt',
    sources: { text: 'Text', document: 'Document' },
    textLabel: 'Text to answer',
    textPlaceholder: 'Paste a long text with a question at its beginning. The longer it is, the more the ways differ.',
    documentLabel: 'Document',
    chooseDocument: 'Choose a document',
    noDocuments: 'There is no document that has been read. Add one on the Documents page, or paste a text.',
    openDocuments: 'Open Documents',
    questionLabel: 'Question about the document',
    defaultQuestion: 'Summarise this in three sentences.',

    ways: 'Ways to answer',
    reference: 'the reference',
    referenceFirst: (full: string) => `${full}: runs first, for the others are compared with its answer`,
    way: (number: number) => `Way ${number}`,
    modeOf: (number: number) => `Attention of way ${number}`,
    ratioOf: (number: number) => `Share of the text that way ${number} reads closely`,
    pilotOf: (number: number) => `Scores of way ${number}`,
    pilotPlaced: 'Scores as in the settings',
    pilotName,
    placeOf: (number: number) => `Devices of way ${number}`,
    places: { placed: 'Devices as in the settings', processor: 'Processor only' },
    addWay: 'Add a way',
    removeWay: (number: number) => `Remove way ${number}`,
    length: 'Length of the answer',
    lengthOf: (tokens: number) => `${formatCount(tokens)} tokens`,
    planning: 'Counting the prompt',
    waitingForModel: 'A model has to be loaded first.',
    plan: (plan: ComparePlan) => [`${formatCount(plan.promptTokens)} tokens.`, cutNote(plan)].join(' ').trim(),
    start: (ways: number) => `Compare ${formatCount(ways)} ways`,

    variant: ({ mode, ratio, pilot }: AttentionOptions, onProcessor: boolean) =>
      [
        mode === 'full' || mode === 'npu-full' ? modes[mode] : `${modes[mode]} ${formatPercent(ratio)}`,
        ...(pilot === undefined ? [] : [pilotName(pilot).replace(/^S/, 's')]),
        ...(onProcessor ? ['processor only'] : []),
      ].join(', '),
    states,
    state: (state: keyof typeof states, done: number, total: number) =>
      state === 'running' ? `Running, ${formatCount(done)} of ${formatCount(total)} done` : states[state],
    facts: (tokens: string, document: string) =>
      document === '' ? `Prompt of ${tokens} tokens` : `${document}, prompt of ${tokens} tokens`,
    cut: cutNote,
    stop: 'Stop',
    stopHelp: 'What is done is kept.',
    export: 'Export, delete',
    exportHtml: 'Report (HTML)',
    exportPng: 'Report (PNG picture)',
    exportJson: 'Figures (JSON)',
    remove: 'Delete',
    removeTitle: 'Delete this comparison?',
    removeText: 'Its figures and answers will be gone.',
    opening: 'Reading the comparison',

    table: 'Figures of each way',
    attention: 'Attention',
    devices: 'Devices',
    figures: {
      firstToken: 'First token after',
      prefill: 'Prompt speed',
      decode: 'Answer speed',
      memory: 'Peak memory of the engine',
      energy: 'Energy',
      top1: 'Same next token as full',
      kl: 'KL divergence from full',
    } satisfies Record<ComparedFigure, string>,
    figureHelp: {
      firstToken: 'Shorter is better.',
      prefill: 'How fast the prompt was read. Longer is better.',
      decode: 'How fast the answer was written. Longer is better.',
      memory: 'Memory that the engine once used stays with it: a way can hold what one before it needed.',
      energy: 'Of the whole machine or its processor while the answer was made.',
      top1: 'How often the likeliest next token is that of full attention, over its answer. Longer is better.',
      kl: 'How far the predictions are from those of full attention, in nats. Shorter is better.',
    } satisfies Record<ComparedFigure, string>,
    ofTokens: (share: string, tokens: number) => `${share} of ${formatCount(tokens)}`,
    joules: (joules: number, sensor: 'counter' | 'battery') =>
      `${joules.toFixed(1)}${THIN}J${sensor === 'battery' ? ', estimated from the battery' : ''}`,
    notReported: 'Not reported by this driver',
    notMeasured: 'Not measured',
    keptEvery: 'Kept every key: with a prompt this short, choosing among them takes longer here than it saves.',
    simulated: 'One way uses a simulated device: its times are those of a table, not of this computer.',
    rowStates: { waiting: 'Waiting', running: 'Running', done: 'Done', stopped: 'Stopped', failed: 'Failed' },

    answers: 'Answers side by side',
    differs: 'Words that differ from the answer of full attention are marked.',
    same: 'Word for word the answer of full attention',
    differing: (words: number, all: number) => `${formatCount(words)} of ${formatCount(all)} words differ`,
    reading: (done: number, total: number) =>
      `Reading the prompt, ${formatCount(done)} of ${formatCount(total)} tokens`,
    noText: 'The answer is empty.',
    question: 'What was asked',

    curveIntro:
      'Prompts of growing length are read with full and with shadow attention, and their speeds are drawn. The text is one that comes with the app, repeated where it is too short.',
    curvePlan: ({ lengths, seconds, measured }: CurvePlan) =>
      `${lengths.map(formatCount).join(', ')} tokens. About ${formatSeconds(seconds)}, ${
        measured ? 'by speeds measured here' : 'which is a guess: nothing has been measured yet'
      }.`,
    startCurve: 'Measure the curve',
    curveLabel: 'Speed of prompts by their length',
    curveTable: 'Speed of prompts by their length, in numbers',
    tokens: 'Tokens of the prompt',
    time: 'Time',
    speed: 'Speed',
    speedUnit: 'Speed in tokens a second',
    curveMode: (mode: 'full' | 'shadow', ratio: number) =>
      mode === 'full' ? modes.full : `${modes.shadow} ${formatPercent(ratio)}`,
    measuring: (mode: string, tokens: number) => `Measuring ${mode} with ${formatCount(tokens)} tokens`,
  },
};
