/** Settings. */
import { formatCount } from '../../format.ts';

export const settings = {
  settings: {
    title: 'Settings',
    loading: 'Reading the settings',
    appearance: {
      title: 'Appearance',
      theme: 'Theme',
      themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
      language: 'Language',
      systemLanguage: 'As the system',
      zoom: 'Zoom',
      zoomHelp: 'For all windows. Ctrl and plus, minus or 0 do the same.',
    },
    start: {
      title: 'Start and end',
      startWith: 'Start with',
      lastChat: 'The last chat',
      newChat: 'A new chat',
      unload: 'Give the model’s memory back',
      unloadHelp: 'The next question loads it again, which takes a few seconds.',
      unloadNever: 'Never',
      unloadAfter: (minutes: number) => `After ${formatCount(minutes)} minutes without use`,
      closeToTray: 'Keep running in the tray',
      closeToTrayHelp: 'Closing the last window does not end the app; its icon in the tray brings the window back.',
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
      atLimit: 'When a chat outgrows the model',
      atLimitHelp: {
        ask: 'Nothing is left out before you have chosen what shall happen.',
        'drop-oldest': 'The oldest messages are left out, and the answer says how many. They stay in the chat.',
      },
      atLimitNames: { ask: 'Ask me', 'drop-oldest': 'Leave out the oldest' },
      autoTitle: 'Titles by the model',
      autoTitleHelp: 'After the first answer the model writes a short title, while nothing else is asked of it.',
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
      none: 'No model is loaded',
      choose: 'Models are chosen, downloaded and deleted on a page of their own.',
      open: 'Open Models',
      weights: 'Weights',
      fast: 'Fast',
      fastHelp: 'Rounded to 8 bits for the processor’s quickest path. Answers differ very little.',
      exact: 'Exact',
      exactHelp: 'Just the values in the model file. Slower, and needs more memory.',
    },
    documents: {
      title: 'Documents',
      keep: 'Keep what was read',
      keepHelp:
        'The same document need not be read again for the next question or summary, also after a restart. What is kept never leaves this machine and goes with the document.',
      nothing: 'Nothing',
      upTo: (gigabytes: number) => `Up to ${formatCount(gigabytes)} GB`,
      taken: (bytes: string) => `${bytes} are kept`,
      clear: 'Remove what was kept',
      clearHelp: 'Documents and summaries stay.',
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
    },
  },
};
