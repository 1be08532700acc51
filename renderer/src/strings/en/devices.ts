/** Devices. */
import { formatCount, formatMilliseconds } from '../../format.ts';

export const devices = {
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
};
