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
    keys: ['Enter sends', 'Shift+Enter starts a new line'],
    resting: 'Your question loads the model again',
    answering: 'Esc stops the answer',
    later: 'The model is not ready yet, questions wait',
    never: 'Without a model nothing can be answered',
    attention: 'Attention',
    attach: 'Attach files',
    reading: 'Files are still being read',
    unreadable: 'A file could not be read: remove it or try again',
    drop: 'Drop files to attach them',
  },

  attachments: {
    label: 'Attached files',
    reading: (progress: { done: number; total: number } | undefined) =>
      progress === undefined ? 'Reading' : `Reading, ${formatCount(progress.done)} of ${formatCount(progress.total)}`,
    tokens: (tokens: number) => `${formatCount(tokens)} tokens`,
    remove: (name: string) => `Remove ${name}`,
    retry: 'Read again',
    password: (name: string) => `Password of ${name}`,
  },

  gauge: {
    label: (used: number, size: number) => `Context: ${formatCount(used)} of ${formatCount(size)} tokens used`,
    short: (used: number, size: number) => `${formatCount(used)} / ${formatCount(size)}`,
    title: 'What the model gets',
    system: 'Instructions',
    history: 'This chat so far',
    attachments: 'Attached files',
    draft: 'Your message',
    reserve: 'Kept for the answer',
    free: 'Still free',
    size: 'Context of the model',
    fits: 'Everything fits.',
    willAsk: 'This is too long for the model. When you send it, you can choose how to go on.',
    willDrop: (count: number) =>
      `This is too long for the model. The oldest ${formatCount(count)} messages will be left out; they stay in the chat.`,
    tooLong: 'Your message alone is too long for the model. Shorten it, or remove files.',
  },

  limit: {
    title: 'This no longer fits the model’s context',
    numbers: (needed: number, available: number) =>
      `It needs ${formatCount(needed)} tokens, and there is room for ${formatCount(available)}.`,
    alone: 'The question alone is too long. Shorten it, remove files, or use a model with a larger context.',
    choices: {
      'drop-oldest': 'Leave out the oldest messages',
      condense: 'Condense the earlier chat',
      'new-chat': 'Go on in a new chat',
    },
    explain: {
      'drop-oldest': 'The model no longer sees them, now and later in this chat. They stay stored.',
      condense: 'The model writes a short note that takes their place. You can read it.',
      'new-chat': 'It begins with a short note by the model. This chat stays as it is.',
    },
  },

  note: {
    title: 'Condensed for the model',
    writing: 'The model condenses the earlier chat',
    explain: 'The model gets this note in place of everything above.',
    fromOther: 'This chat goes on from another one. The model begins with this note.',
  },

  options: {
    title: 'Options of this chat',
    open: 'Show options of this chat',
    close: 'Hide options of this chat',
    preset: 'Preset',
    noPreset: 'None',
    presets: {
      precise: 'Precise',
      creative: 'Creative',
      brief: 'Brief answers',
      editor: 'Text editor',
      translator: 'Translator',
    },
    systemPrompt: 'Instructions',
    systemPromptHelp: 'What the model should know or heed in this chat.',
    systemPromptNone: 'None',
    sampling: 'Choice of words',
    names: {
      temperature: 'Temperature',
      topK: 'Top-k',
      topP: 'Top-p',
      minP: 'Min-p',
      repetitionPenalty: 'Repetition penalty',
      repetitionWindow: 'Repetition window',
      seed: 'Seed',
      maxTokens: 'Longest answer',
      stop: 'Stop texts',
    },
    help: {
      temperature: 'How much chance decides. At 0 the likeliest word always wins.',
      topK: 'Only so many of the likeliest words may follow. 0 for all.',
      topP: 'Only the likeliest words that together reach this probability.',
      minP: 'Only words at least this probable, measured against the likeliest.',
      repetitionPenalty: 'How much words that were just used are avoided. 1 is not at all.',
      repetitionWindow: 'How many of the last tokens count as just used.',
      seed: 'The same number gives the same answer. Empty for chance.',
      maxTokens: 'In tokens. A cut answer can be continued.',
      stop: 'The answer ends before any of these. One per line.',
    },
    random: 'by chance',
    inherited: { preset: 'from the preset', settings: 'from the settings', default: 'default' },
    reset: (name: string) => `Reset ${name}`,
    resetAll: 'Reset all',
    savePreset: 'Save as preset',
    presetName: 'Name of the preset',
    save: 'Save',
    cancel: 'Cancel',
    updatePreset: 'Change the preset',
    removePreset: 'Delete the preset',
    nextAnswer: 'Changes count from the next answer on.',
  },

  modelSwitch: {
    label: 'Model',
    hint: (name: string) => `${name}. Choose another model.`,
    empty: 'No other model is on this computer',
  },

  find: {
    label: 'Find in this chat',
    placeholder: 'Find in this chat',
    none: 'Nothing found',
    count: (at: number, all: number) => `${formatCount(at)} of ${formatCount(all)}`,
    previous: 'Previous (Shift+Enter)',
    next: 'Next (Enter)',
    close: 'Close (Esc)',
  },

  shortcutsOfChat: {
    previous: 'Previous message',
    next: 'Next message',
    copy: 'Copy the message',
    edit: 'Edit the question',
    regenerate: 'Answer again',
    branch: 'Other version',
    find: 'Find in this chat',
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
    copyQuestion: 'Copy question',
    copied: 'Copied',
    edit: 'Edit question',
    editLabel: 'Your question, edited',
    editHint: 'The earlier version stays as another branch.',
    sendEdit: 'Ask this instead',
    cancelEdit: 'Cancel',
    regenerate: 'Answer again',
    continue: 'Continue',
    branch: (at: number, all: number) => `Version ${at} of ${all}`,
    previousBranch: 'Previous version',
    nextBranch: 'Next version',
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
    note: 'Reading the earlier chat to condense it',
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
    energy: (joules: number) => `${joules < 10 ? joules.toFixed(1) : Math.round(joules)}\u202fJ`,
    energyExplain: {
      counter: 'Energy that the processor used for this answer, by its own counter.',
      battery: 'Energy that this computer used meanwhile, estimated from its battery.',
    },
    names: {
      model: 'Model',
      attention: 'Attention',
      device: 'Device',
      prefill: 'Prefill',
      decode: 'Decode',
      firstToken: 'First token',
      energy: 'Energy',
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
