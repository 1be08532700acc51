/** Questions and answers. */
import type { UsedAttention } from '../../../../contract/engine.ts';
import { formatCount, formatPercent, formatSeconds, formatSpeed } from '../../format.ts';
import { SIMULATED } from '../device-words.ts';
import { deviceWords, sentence } from './words.ts';

export const chat = {
  composer: {
    label: 'Your message',
    placeholder: 'Ask anything',
    send: 'Send',
    sendHint: 'Send (Enter)',
    stop: 'Stop',
    stopHint: 'Stop answering (Esc)',
    stopping: 'Stopping',
    hint: 'Enter sends, Shift+Enter starts a new line',
    answering: 'Esc stops the answer',
    later: 'The model is not ready yet, questions wait',
    never: 'Without a model nothing can be answered',
    attention: 'Attention',
  },

  empty: {
    title: 'What can I help with?',
    privacy: 'Everything runs on this computer. Nothing you write leaves it.',
    prompts: [
      { title: 'Explain something', text: 'Explain how a heat pump works to someone who has never seen one.' },
      { title: 'Write for me', text: 'Write a short, friendly email that moves a meeting from Tuesday to Thursday.' },
      { title: 'Help with code', text: 'Write a Python function that merges two sorted lists, and explain each step.' },
    ],
  },

  messages: {
    label: 'Conversation',
    you: 'You',
    assistant: 'Assistant',
    earlier: (count: number) => `Show ${formatCount(count)} earlier messages`,
    showAll: 'Show all',
    showLess: 'Show less',
    copy: 'Copy answer',
    copied: 'Copied',
    askAgain: 'Ask again',
    stopped: 'You stopped this answer.',
    stoppedEmpty: 'You stopped this before the first word.',
    failedNoReason: 'The answer failed, and no reason was given.',
    cutAtLength: 'The answer ended at the length limit.',
    omitted: (count: number) =>
      `This chat has outgrown the model’s memory: its first ${formatCount(count)} messages were left out. They are still stored.`,
    jump: 'Jump to latest',
    announceStart: 'The answer has started.',
    announceEnd: (text: string) => `Answer: ${text}`,
    announceStopped: 'The answer was stopped.',
    announceFailed: (why: string) => `The answer failed. ${why}`,
    noImage: (alt: string) => (alt === '' ? 'image' : `image: ${alt}`),
  },

  code: { copy: 'Copy code', copied: 'Copied', plain: 'Text' },

  prefill: {
    label: 'Reading your message',
    waiting: 'Getting ready to answer',
    waitingForModel: 'Waiting for the model',
    tokens: (done: number, total: number) => `${formatCount(done)} of ${formatCount(total)} tokens`,
    speed: (tokensPerSecond: number) => formatSpeed(tokensPerSecond),
    left: (seconds: number) => `${formatSeconds(seconds)} left`,
  },

  figures: {
    show: 'Show how this answer was made',
    hide: 'Hide details',
    model: (name: string) => name,
    modelExplain: (weights: 'exact' | 'fast') =>
      weights === 'exact'
        ? 'The model that answered, with weights as exact as its file.'
        : 'The model that answered, with its weights rounded for speed.',
    attention: ({ mode, ratio, pilotDevice }: UsedAttention) => {
      const name = {
        full: 'Full attention',
        sparse: `Sparse ${formatPercent(ratio)}`,
        block: `Blocks ${formatPercent(ratio)}`,
        'npu-full': 'INT8 attention',
        shadow: `Shadow ${formatPercent(ratio)}`,
      }[mode];
      return pilotDevice === SIMULATED ? `${name} (simulated pilot)` : name;
    },
    attentionExplain: ({ mode, ratio, pilotDevice, tail, pilotProblem }: UsedAttention) => {
      const share = `${formatPercent(ratio)} of the earlier text`;
      const pilot =
        pilotDevice === null
          ? ''
          : pilotDevice === SIMULATED
            ? ' on a simulated device'
            : ` on the ${deviceWords(pilotDevice)}`;
      return {
        full: 'Every token looked at all of the text before it.',
        sparse: `Exact scores chose which ${share} each token looks at.`,
        block: `Each token looked at the blocks of 64 tokens that seemed to matter most, ${share}.`,
        'npu-full': 'Every token looked at all of the text before it, in 8-bit numbers throughout.',
        shadow: `A quick pilot pass${pilot} chose which ${share} each token looks at closely.${
          tail === true ? ' The rest counts by an estimate.' : ''
        }${pilotProblem === undefined ? '' : ` The device that should have done it failed: ${pilotProblem}`}`,
      }[mode];
    },
    devices: (devices: readonly string[]) => devices.join(' + '),
    devicesExplain: 'The devices that worked on this answer, the one with the most work first.',
    work: {
      title: 'Who did what',
      help: 'Measured. Times are summed over threads, and devices work side by side, so they can add up to more than the answer took.',
      part: 'Part',
      device: 'Device',
      launches: 'Launches',
      time: 'Time',
      parts: {
        linear: 'Layers of the prompt',
        pilot: 'Pilot: finding what matters',
        topk: 'Top-k: choosing it',
        sparse: 'Sparse: looking closely',
        dense: 'Looking at everything',
        decode: 'Writing the answer',
      },
    },
    problem: (device: string, part: 'linear' | 'pilot' | 'decode', reason: string) =>
      `The ${device} failed while ${
        { linear: 'reading the prompt', pilot: 'finding what matters', decode: 'writing the answer' }[part]
      }, so the processor took over. ${sentence(reason)}`,
    prefill: (tokensPerSecond: number) => `${formatSpeed(tokensPerSecond)} prefill`,
    prefillExplain: (tokens: number, cached: number, seconds: number) =>
      `Reading your text before answering: ${formatCount(tokens)} tokens${
        cached > 0 ? `, ${formatCount(cached)} of them remembered from earlier` : ''
      }, in ${formatSeconds(seconds)}.`,
    prefillCached: 'prefill from memory',
    decode: (tokensPerSecond: number) => `${formatSpeed(tokensPerSecond)} decode`,
    decodeExplain: (tokens: number, seconds: number) =>
      `Writing the answer: ${formatCount(tokens)} tokens in ${formatSeconds(seconds)}.`,
    firstToken: (seconds: number) => `first token ${formatSeconds(seconds)}`,
    firstTokenExplain: 'The time from sending to the first piece of the answer.',
    names: {
      model: 'Model',
      attention: 'Attention',
      device: 'Device',
      prefill: 'Prefill',
      decode: 'Decode',
      firstToken: 'First token',
    },
  },

  attention: {
    full: 'Full attention',
    shadow: (ratio: number) => `Shadow attention ${formatPercent(ratio)}`,
    sparse: (ratio: number) => `Sparse by exact scores ${formatPercent(ratio)}`,
    block: (ratio: number) => `Blocks of 64 tokens ${formatPercent(ratio)}`,
    npuFull: 'All in 8 bits',
    comparison: 'Advanced (for comparison)',
  },
};
