/** What the last prompt's layers did. */

import { deviceOfPilot } from '../../../../contract/pilot-name.ts';
import type { Stage, TraceLane } from '../../../../contract/trace.ts';
import { formatCount } from '../../format.ts';
import { createDeviceWords, SIMULATED } from '../device-words.ts';
import { runsOf } from '../number-runs.ts';
import { deviceWords } from './words.ts';

const THREADS = { engine: 'Engine thread', worker: 'Worker', linear: 'layers', pilot: 'scores' };

/** Short, for the margin of a timeline. */
const laneDevice = createDeviceWords({ simulated: 'simulated', processor: 'CPU' });

function laneName(kind: TraceLane['kind'], name: string): string {
  if (kind === 'engine') return THREADS.engine;
  return kind === 'worker' ? `${THREADS.worker} ${name}` : `${laneDevice(name)} (${THREADS[kind]})`;
}

/** Heads by their numbers, runs as such: "heads 1 to 3, 7". */
function headList(heads: readonly number[]): string {
  const [first = 0] = heads;
  const runs = runsOf(heads).map(([from, to]) => (from === to ? `${from + 1}` : `${from + 1} to ${to + 1}`));
  if (heads.length === 0) return '';
  return heads.length === 1 ? `head ${first + 1}` : `heads ${runs.join(', ')}`;
}

/** Joins the parts that there are. */
function listed(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}

const stages: Record<Stage, string> = {
  linear: 'Layers',
  codes: 'Codes for scores',
  launch: 'Launch',
  pilot: 'Scores',
  topk: 'Selection',
  sparse: 'Kept keys',
  dense: 'All keys',
  decode: 'New token',
};

interface BarWords {
  readonly stage: string;
  readonly ms: string;
  readonly from: string;
  readonly layer: string;
  readonly heads: string;
  readonly rows: string;
  readonly kept: string;
}

export const pipeline = {
  pipeline: {
    title: 'Pipeline',
    open: 'Open a trace',
    save: 'Save the trace',
    backToLast: 'Back to the last answer',
    nothing: 'Ask something in a chat first: what the engine did for it is shown here.',
    answering: 'An answer is being made. What it did is shown when it has ended.',
    simulated: 'with a simulated device: its times are those of a table',
    tokens: (count: string) => `${count} tokens`,
    prefill: (time: string, speed: string) => `prompt in ${time}, ${speed}`,
    dropped: (count: string) => `The prompt was longer than what is kept: the ${count} oldest pieces are missing.`,
    totals: 'Time of each stage on each thread and device while the prompt was computed',
    stage: 'Stage',
    stages,
    busy: 'At work',
    lane: laneName,

    timeline: 'Timeline',
    level: 'What is shown',
    levels: { threads: 'Threads and devices', layer: 'Heads of a layer', head: 'One head' },
    layerLabel: 'Layer',
    headLabel: 'Head',
    passLabel: 'Part of the prompt',
    layer: (index: number) => `Layer ${index + 1}`,
    head: (index: number) => `Head ${index + 1}`,
    headList,
    rows: (first: number, last: number) => `tokens ${formatCount(first + 1)} to ${formatCount(last + 1)}`,
    outputMatrix: 'output matrix',
    keptKeys: (count: string) => `${count} keys kept`,
    bar: ({ stage, ms, from, layer, heads, rows, kept }: BarWords) =>
      `${stage}: ${ms}, from ${from} on. ${listed(layer, heads, rows, kept)}`,
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    zoomAll: 'Show all',
    zoomHint: 'Ctrl and the wheel zoom, dragging moves.',
    pointHint: 'Point at a bar to see what it is.',
    ganttLabel: (rows: number, time: string) => `Timeline of ${rows} rows over ${time}`,
    piecesNote:
      'Where one call does scores, selection and kept keys a few rows at a time, its bars are the sums of these pieces, laid end to end.',

    keptTitle: 'Kept keys by layer and head',
    keepsAll: 'This attention keeps every key.',
    measure: 'What is shown',
    measures: { kept: 'Kept', planned: 'Planned', importance: 'Importance' },
    allKeys: 'all',
    cell: (layer: string, head: string, kept: string, planned: string, importance: string) =>
      `${layer}, ${head}: ${kept} of the keys kept, ${planned} planned${importance === '' ? '' : `, importance ${importance}`}`,
    heatLabel: (layers: number, heads: number) =>
      `Heat map of ${layers} layers by ${heads} heads; arrow keys choose a head`,

    tokensTitle: 'Words that were kept',
    whose: 'Whose choice',
    whoseOf: (whose: 'all' | 'layer' | 'head', layer: number, head: number) =>
      ({ all: 'All heads', layer: `Layer ${layer + 1}`, head: `Layer ${layer + 1}, head ${head + 1}` })[whose],
    tokensNote: (rows: number) =>
      `The stronger the tint, the more often a word was kept by what came after it; counted on ${rows} rows of the prompt.`,
    noTokens: 'No rows of this prompt chose their keys here.',
    keptBy: (share: string) => `kept by ${share}`,
  },

  replay: {
    title: 'Planner on and off',
    note: 'The last prompt is read again twice: once as the planner wants it, with launches fused, in the best order and beside the processor’s work; once without the planner, one head after the other. Questions wait until it has ended.',
    device: 'What computes the scores',
    on: (pilot: string, processor: boolean) =>
      processor ? 'On the processor only' : `On the ${deviceWords(deviceOfPilot(pilot))}`,
    run: 'Run again with and without the planner',
    stop: 'Stop',
    running: 'Running the prompt again',
    waiting: 'Waiting for its turn',
    progress: (speed: string) => `Reading the prompt, ${speed}`,
    ranOn: (device: string) =>
      device === SIMULATED
        ? 'Simulated device: its launches take the times of the paper’s phone, or longer where this computer needs longer for the scores. The processor’s work is real, and both runs are measured.'
        : device.startsWith('CPU')
          ? 'Processor only: a thread of its own did the scores. All times are real.'
          : `${deviceWords(device)}: all times are real.`,
    totals: 'The whole prompt',
    runs: { planned: 'With the planner', unplanned: 'Without the planner' },
    gain: 'Gain',
    tooShort: 'This prompt is so short that every key was kept: there was nothing to plan. Ask about a longer text.',
    attention: 'Attention, measured',
    prompt: 'Whole prompt, measured',
    predicted: 'Attention, as the planner reckons (simulated)',
    bar: (stage: string, heads: string, time: string, from: string) => `${stage}, ${heads}: ${time}, from ${from} on`,
  },

  whatIf: {
    title: 'What if',
    note: 'Simulation: nothing of this was run. What the attention of this prompt would take if a device did the scores while one core selects and one attends to the kept keys.',
    costs: 'Costs',
    table: (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)} (simulated)`,
    machine: "This machine's core in place of a device",
    openTable: 'Open a table',
    saveTable: 'Save this table',
    switches: { planner: 'Planner', pipeline: 'Pipeline', fuse: 'Fused launches', buckets: 'Scale buckets' },
    switchHints: {
      planner: 'Launches in the best order that is found; off: as the heads are numbered.',
      pipeline: 'The device and the processor work at the same time; off: one after the other.',
      fuse: 'Several heads share a launch; off: each head is launched alone.',
      buckets: 'Only heads of one scale bucket share a launch; off: any do, and scores get worse.',
    },
    keepsAll: 'The attention of this answer keeps every key, so there is nothing to plan.',
    noCosts: 'The costs of this machine are measured while it is idle; they are not there yet. Try the paper’s phone.',
    totals: 'Attention of the whole prompt',
    what: 'How',
    time: 'Time',
    gain: 'Against these switches',
    times: (factor: string) => `${factor}\u202f×`,
    total: 'Simulated, with these switches',
    allOn: 'Simulated, everything on',
    allOff: 'Simulated, no planner, pipeline or fusing',
    dense: 'All keys on one core, by the times of this machine',
    measured: (device: string) =>
      device === '' || device === 'CPU'
        ? 'Measured in this answer'
        : `Measured in this answer, scores by ${device === 'simulated' ? 'the simulated device' : device}`,
    predicted: 'Simulated',
    byLayer: 'Layer by layer',
    sources: (device: string, processor: string) =>
      `Device: ${device}${processor === '' ? '' : ` Processor: ${processor}, measured.`}`,
    planOf: (layer: string, time: string) => `${layer}: ${time}, simulated`,
    device: 'Device',
    bar: (stage: string, heads: string, time: string) => `${stage}, ${heads}: ${time}, simulated`,
  },
};
