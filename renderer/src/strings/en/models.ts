/** The models page: what is here, what can be downloaded, and whether it fits. */
import type { CatalogEntry } from '../../../../contract/models.ts';
import { formatBytes, formatCount, formatSeconds } from '../../format.ts';

export const models = {
  models: {
    title: 'Models',
    loading: 'Looking for models',

    here: {
      title: 'On this computer',
      total: (count: number, bytes: number) =>
        `${count === 1 ? 'One model' : `${formatCount(count)} models`}, ${formatBytes(bytes)} on disk.`,
      emptyTitle: 'No model yet',
      empty: 'A model is the file that answers. Download one below, or add one that you have.',
      emptyOffer: (name: string, bytes: number) => `A good start on this computer: ${name}, ${formatBytes(bytes)}.`,
    },

    card: {
      inUse: 'In use',
      load: 'Load',
      loadLabel: (name: string) => `Load ${name}`,
      loading: 'Loading',
      trained: (tokens: number) => `reads up to ${formatCount(tokens)} tokens`,
      prepared: { fast: 'fast weights ready', exact: 'exact weights ready', both: 'fast and exact weights ready' },
      unprepared: 'prepared at first use',
      origins: {
        folder: 'in the models folder',
        huggingface: 'found in the Hugging Face cache',
        'lm-studio': 'found in LM Studio',
        'llama.cpp': 'found in llama.cpp’s cache',
        ollama: 'found in Ollama',
        elsewhere: 'imported from elsewhere',
      },
      more: (name: string) => `More for ${name}`,
      verify: 'Check the files',
      unload: 'Give its memory back',
      remove: 'Delete…',
      checking: (name: string) => `Checking ${name}`,
      stopCheck: 'Stop',
      sound: {
        checksum: 'Checked: all files are as they should be.',
        format: 'Read through: its format is sound. No checksum of this file is known.',
      },
    },

    /** How much text a model keeps in view. */
    context: {
      label: (name: string) => `Context of ${name}`,
      tokens: (tokens: number) => `${formatCount(tokens)} tokens of context`,
      usual: (tokens: number) => `${formatCount(tokens)} tokens of context (usual)`,
      help: 'How much text it keeps in view. More takes more memory.',
    },

    fit: {
      fits: 'Fits',
      tight: 'Tight',
      no: 'Too large',
      needs: (needed: number, available: number) =>
        `needs ${formatBytes(needed)} of ${formatBytes(available)} free memory`,
      parts: (weights: number, context: number, tokens: number, work: number) =>
        `Weights ${formatBytes(weights)}, context of ${formatCount(tokens)} tokens ${formatBytes(context)}, working memory ${formatBytes(work)}.`,
      onDevices: 'On devices beside the processor',
      onDevice: (bytes: number) => `Its weights take ${formatBytes(bytes)} on this device.`,
      rule: 'Fits: at most 80 % of the free memory. Tight: more than that. Too large: more than is free.',
    },

    remove: {
      title: (name: string) => `Delete ${name}?`,
      ours: (bytes: number) =>
        `Its file and its prepared form are deleted, which frees ${formatBytes(bytes)}. Your chats stay.`,
      theirs: (bytes: number) =>
        `Only its prepared form is deleted, which frees ${formatBytes(bytes)}. The file itself belongs to another program and stays.`,
      action: 'Delete',
    },

    add: {
      label: 'Add a model that you have',
      help: 'A .gguf file, or a folder with safetensors files. It can also be dropped on this page. It stays where it is.',
      file: 'Choose a file',
      folder: 'Choose a folder',
      drop: 'Drop to add the model',
      notOne: 'Drop one file or folder at a time.',
      importing: (name: string) => `Preparing ${name}`,
      stop: 'Stop',
    },

    get: {
      title: 'Download',
      help: 'From Hugging Face. Each file’s checksum is compared before it is used. Nothing that you write leaves this computer.',
      download: (bytes: number) => `Download ${formatBytes(bytes)}`,
      downloadLabel: (name: string, bytes: number) => `Download ${name}, ${formatBytes(bytes)}`,
      here: 'On this computer',
      parameters: (count: number) =>
        count < 1e9 ? `${formatCount(count / 1e6)} million weights` : `${(count / 1e9).toFixed(1)} billion weights`,
      memory: (gigabytes: number) => `for computers with ${formatCount(gigabytes)} GB of memory`,
      licence: (name: string) => `Licence: ${name}`,
      unpublished: 'No checksum is published; the server’s own is used.',
      note: (texts: CatalogEntry['note']) => texts.en,
      details: 'Details',
      template: (words: string) => `Chat template: ${words}`,
      source: 'Source',
    },

    download: {
      label: (name: string) => `Download of ${name}`,
      queued: 'Waiting for the download before it',
      progress: (received: number, total: number) => `${formatBytes(received)} of ${formatBytes(total)}`,
      speed: (bytesPerSecond: number) => `${formatBytes(bytesPerSecond)}/s`,
      left: (seconds: number) => `${formatSeconds(seconds)} left`,
      paused: 'paused',
      waiting: 'trying again',
      verifying: 'Comparing the checksum',
      failed: 'stopped',
      pause: 'Pause',
      pauseLabel: (name: string) => `Pause the download of ${name}`,
      resume: 'Resume',
      resumeLabel: (name: string) => `Resume the download of ${name}`,
      retry: 'Try again',
      retryLabel: (name: string) => `Try the download of ${name} again`,
      cancel: 'Cancel',
      cancelLabel: (name: string) => `Cancel the download of ${name}`,
    },

    server: {
      label: 'Download server',
      help: 'Leave it empty for huggingface.co. Where that cannot be reached, a mirror such as https://hf-mirror.com may help.',
      wrong: 'It must begin with https://.',
    },
  },
};
