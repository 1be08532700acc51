/** Where the engine stands. */
import { formatCount } from '../../format.ts';
import { deviceWords } from './words.ts';

export const engine = {
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
      verify: (name: string) => `Checking ${name}`,
    },
    unloaded: (name: string) => `${name}, resting`,
    unloadedHint: 'Its memory has been given back. The next question loads it again.',
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
};
