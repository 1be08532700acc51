/** Every text of the window, in one place. Plain, short, sentence case. */
import type { UsedAttention } from '../../contract/engine.ts';
import { formatCount, formatMilliseconds, formatPercent, formatSeconds, formatSpeed } from './format.ts';

/** The engine's word for a pilot that no device computed: it must be told wherever the pilot is. */
const SIMULATED = 'simulated';

/**
 * A device of an answer in words. Answers outlive devices, so the words come from the id alone, PROVIDER:TYPE:NUMBER; "CPU" is
 * the program's own code on the processor.
 */
export function deviceWords(device: string): string {
  if (device === SIMULATED) return 'simulated device';
  const [provider, type] = device.split(':');
  if (provider === 'CPUExecutionProvider') return 'CPU as ONNX Runtime device';
  return type ?? device;
}

/** With a full stop, unless it has an end already. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

export const strings = {
  appName: 'ShadowNPU',

  rail: {
    label: 'Main',
    chat: 'Chat',
    devices: 'Devices',
    settings: 'Settings',
    toLight: 'Switch to light',
    toDark: 'Switch to dark',
  },

  chats: {
    label: 'Chats',
    newChat: 'New chat',
    newChatHint: 'New chat (Ctrl+N)',
    search: 'Search chats',
    searchHint: 'Ctrl+K',
    clearSearch: 'Clear search',
    untitled: 'New chat',
    none: 'Your chats will be listed here. They stay on this computer.',
    noMatch: (query: string) => `No chat contains “${query}”.`,
    rename: 'Rename',
    renameLabel: (title: string) => `Rename “${title}”`,
    titleLabel: 'Chat title',
    remove: 'Delete',
    removeLabel: (title: string) => `Delete “${title}”`,
    removed: (title: string) => `Deleted “${title}”.`,
    undo: 'Undo',
    answering: 'Answering',
    showList: 'Show chats',
    hideList: 'Hide chats',
    groups: { today: 'Today', yesterday: 'Yesterday', week: 'Last 7 days', month: 'Last 30 days', older: 'Older' },
  },

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

  engine: {
    label: 'Engine',
    starting: 'Starting the engine',
    stages: {
      import: (name: string) => `Preparing ${name}`,
      calibrate: (name: string) => `Tuning ${name}`,
      profile: () => 'Measuring this machine',
      'self-test': () => 'Testing devices',
      compile: (name: string) => `Preparing ${name} for a device`,
      load: (name: string) => `Loading ${name}`,
      prefill: (name: string) => `Loading ${name}`,
    },
    importHint: 'Done once for each model; next time it starts right away.',
    noModel: 'There is no model on this computer yet.',
    restarting: 'The engine stopped and is being started again. Your chats are safe.',
    failed: 'The engine could not be started.',
    tryAgain: 'Try again',
    chooseModel: 'Choose a model',
    ready: (device: string) => `Ready on ${deviceWords(device)}`,
    readyDetail: (device: string, context: number, threads: number, weights: string) =>
      `Ready on ${deviceWords(device)} · ${weights} weights · up to ${formatCount(context)} tokens · ${formatCount(threads)} threads`,
  },

  attention: {
    full: 'Full attention',
    shadow: (ratio: number) => `Shadow attention ${formatPercent(ratio)}`,
    sparse: (ratio: number) => `Sparse by exact scores ${formatPercent(ratio)}`,
    block: (ratio: number) => `Blocks of 64 tokens ${formatPercent(ratio)}`,
    npuFull: 'All in 8 bits',
    comparison: 'Advanced (for comparison)',
  },

  settings: {
    title: 'Settings',
    loading: 'Reading the settings',
    appearance: {
      title: 'Appearance',
      theme: 'Theme',
      themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
    },
    calibration: {
      label: 'Improve accuracy for this model',
      help: 'Measures how much of a long text each part of the model has to look at. Takes a while; it stops as soon as you ask something and goes on later.',
      start: 'Start',
      stop: 'Stop',
      running: 'Measuring the model',
      left: (seconds: number) =>
        seconds < 90 ? 'About a minute left.' : `About ${formatCount(Math.round(seconds / 60))} minutes left.`,
    },
    answers: {
      title: 'Answers',
      systemPrompt: 'Instructions for every chat',
      systemPromptHelp:
        'For example the language or the tone of the answers. Leave it empty for the model’s own default.',
      systemPromptPlaceholder: 'Answer briefly and in plain words.',
      temperature: 'Temperature',
      temperatureHelp: 'At 0 the same question gives the same answer. Higher values vary more and stray more.',
    },
    attention: {
      title: 'Attention',
      mode: 'How the model reads long text',
      comparison: 'Advanced (for comparison)',
      comparisonHelp: 'Other ways that the method is measured against. Not meant for everyday use.',
      modes: { full: 'Full', shadow: 'Shadow', sparse: 'Exact scores', block: 'Blocks', 'npu-full': 'All 8 bits' },
      help: {
        full: 'Every token looks at all earlier text. The reference for quality; slow on long text.',
        sparse:
          'Only the earlier text with the greatest exact scores is read. Shows what leaving text out costs, without a pilot pass.',
        block: 'Text is read or left out in blocks of 64 tokens. A known short cut; quality drops clearly.',
        'npu-full':
          'All of attention is computed in 8-bit numbers, as an NPU alone would do it. Quality drops clearly.',
        shadow:
          'A quick low-precision pass finds the earlier text that matters, and only that is read closely. The rest counts by an estimate. Long text is read sooner, on the CPU alone too, with nearly the quality of full attention.',
      },
      ratio: 'Share that is read closely',
      ratioHelp: 'Less is less exact.',
      shadowRatioHelp: 'Less is quicker and less exact.',
    },
    model: {
      title: 'Model',
      loading: 'Looking for models',
      none: 'No models were found. Put a .gguf file into the models folder.',
      loaded: 'In use',
      use: 'Use',
      chooseLabel: (name: string) => `Use ${name}`,
      trained: (tokens: number) => `up to ${formatCount(tokens)} tokens`,
      toImport: 'prepared at first use',
      weights: 'Weights',
      fast: 'Fast',
      fastHelp: 'Rounded to 8 bits for the processor’s quickest path. Answers differ very little.',
      exact: 'Exact',
      exactHelp: 'Just the values in the model file. Slower, and needs more memory.',
    },
    devices: {
      title: 'Who does what',
      help: 'The app measures which device is fastest at each part of the work. The Devices page says what each of them can do.',
      parts: {
        linear: { label: 'Reading the prompt', help: 'The layers of the model, for the whole of your text.' },
        pilot: { label: 'Finding what matters', help: 'The quick pass of shadow attention, the NPU’s favourite.' },
        decode: { label: 'Writing the answer', help: 'The layers of the model, word by word.' },
      },
      auto: 'Automatic',
      processor: 'Processor',
      unusable: (name: string) => `${name} (cannot be used)`,
      gone: (id: string) => `${id} (not found)`,
      now: (device: string, reason: string) => `Now: ${device}. ${reason}`,
      cannot: (name: string, reason: string | undefined) =>
        `${name} cannot be chosen. ${reason ?? 'No reason was given.'}`,
      avoidGpu: 'Leave my GPU alone',
      avoidGpuHelp: 'Automatic choices never take a graphics card, so games and video keep all of it.',
      saveBattery: 'Save battery',
      saveBatteryHelp: 'Prefers an NPU even where it is a little slower, and uses fewer processor threads.',
      on: 'On',
      off: 'Off',
    },
    about: {
      title: 'About',
      versions: (app: string, electron: string, chrome: string) =>
        `ShadowNPU ${app} · Electron ${electron} · Chromium ${chrome}`,
      platform: (os: string, arch: string) => `${os} ${arch}`,
    },
  },

  devices: {
    title: 'Devices',
    found: 'What this computer computes on',
    help: 'Everything works on the processor alone. A graphics card or an NPU can take parts of the work once it has passed its self-test.',
    loading: 'Looking at the devices',
    none: 'No devices were reported.',
    noReason: 'No reason was given.',
    types: { CPU: 'CPU', GPU: 'GPU', NPU: 'NPU' },
    driver: (version: string) => `driver ${version}`,
    states: { tested: 'Works', untested: 'Not tested yet', unusable: 'Cannot be used', virtual: 'Stand-in' },
    test: 'Test',
    testAgain: 'Test again',
    testOne: (name: string) => `Test ${name}`,
    testLabel: 'Self-test',
    testHelp: 'Runs two small graphs on each device and compares the results. A crash or a hang there does no harm.',
    testAll: 'Test all devices',
    testRunning: 'Testing devices',
    testing: (place: number, total: number, name: string | undefined) =>
      total === 0 || name === undefined
        ? 'Starting the test.'
        : `${formatCount(place)} of ${formatCount(total)}: ${name}`,
    stop: 'Stop',
    passed: (duration: string) => `Passed in ${duration}`,
    pilotTime: (ms: number) => `pilot ${formatMilliseconds(ms)}`,
    linearTime: (ms: number) => `linear ${formatMilliseconds(ms)}`,
    worstError: (steps: number) => `off by ${steps.toFixed(1)} of 255 at most`,
    support: {
      title: 'Install NPU support',
      help: 'Three things must be there before an NPU can be used.',
      steps: [
        {
          title: 'Its driver',
          text: 'On Windows take the newest NPU driver from Windows Update or the maker of the computer. On Linux the kernel brings it as the module intel_vpu or amdxdna.',
        },
        {
          title: 'The library that drives it',
          text: 'For Snapdragon and Intel run “npm run providers” in the folder of this program. For Ryzen AI install AMD’s Ryzen AI software. A folder of libraries can also be chosen below.',
        },
        {
          title: 'A passed self-test',
          text: 'Run it above. Where it fails, the list says why and what can be done; the processor does the work meanwhile.',
        },
      ],
      folder: 'Folder of libraries',
      noFolder:
        'None is chosen. Libraries in it go before those that came with the program. Choose only folders that you trust: what lies there is run.',
      folderHelp: 'Libraries that were in use stay so until the program is started again.',
      choose: 'Choose a folder',
      chooseAnother: 'Choose another',
      forget: 'Forget it',
    },
  },

  notices: {
    label: 'Notices',
    close: 'Close',
  },

  start: {
    failed: 'The window could not be filled.',
    retry: 'Try again',
    reload: 'Reload the window',
  },
} as const;
