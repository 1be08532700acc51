/** What the machine is doing. */
import { formatBytes } from '../../format.ts';

const THIN = '\u202f';
const power = { counter: 'Power of the processor', battery: 'Power, estimated from the battery' };

export const resources = {
  resources: {
    title: 'Resources',
    span: 'Time span',
    spans: { minute: '1 minute', 'ten-minutes': '10 minutes' },
    form: 'Shown as',
    forms: { charts: 'Charts', table: 'Table' },
    pause: 'Pause',
    goOn: 'Go on',
    saveCsv: 'Save as CSV',
    saveJson: 'Save as JSON',
    waiting: 'The first reading comes in a moment.',
    notReported: 'Not reported by this driver',

    processor: 'Processor',
    all: 'All',
    engine: 'Engine',
    thisApp: 'This app',
    memory: 'Memory',
    inUse: 'In use',
    window: 'Window',
    swap: 'Swap',
    memoryOf: (device: string) => `Memory of the ${device}`,
    speed: 'Speed of the answer',
    prefill: 'Prompt',
    decode: 'Answer',
    accelerator: {
      npu: (name: string) => (name === '' ? 'NPU' : name),
      gpu: (name: string) => (name === '' ? 'GPU' : name),
    },
    power: (sensor: 'counter' | 'battery' | null) => (sensor === null ? 'Power' : power[sensor]),
    watts: (value: number) => `${value.toFixed(1)}${THIN}W`,
    temperature: 'Temperature',
    degrees: (value: number) => `${Math.round(value)}${THIN}°C`,
    disk: 'Disk',
    read: 'Read',
    written: 'Written',
    network: 'Network',
    received: 'Received',
    sent: 'Sent',
    bytesPerSecond: (value: number) => `${formatBytes(value)}/s`,
    time: 'Time',
    ago: (seconds: number) => {
      if (seconds === 0) return 'now';
      return seconds <= -120 && seconds % 60 === 0 ? `${seconds / 60}${THIN}min` : `${Math.round(seconds)}${THIN}s`;
    },

    tableCaption: 'Readings now, and their least, mean and greatest values over the time span',
    reading: 'Reading',
    now: 'Now',
    least: 'Least',
    mean: 'Mean',
    most: 'Greatest',

    cores: 'Cores',
    core: (index: number) => `Core ${index}`,
    offline: 'off',
    threads: 'Threads of the engine',
    thread: (index: number) => (index === 0 ? 'Engine thread' : `Worker ${index}`),
    model: 'Model',
    noModel: 'No model is loaded.',
    weights: 'Weights',
    kv: 'Keys and values',
    ofReserved: (used: string, reserved: string) => `${used} of ${reserved}`,
    scratch: 'Working memory',

    strip: {
      label: 'Open resources',
      processor: (share: string) => `Processor ${share}`,
      engine: (bytes: string) => `Engine ${bytes}`,
    },
  },
};
