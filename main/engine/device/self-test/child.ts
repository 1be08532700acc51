/** Entry of dist/device-test.cjs: tries a library and tests a device, for a parent that must survive it (test-process.ts). */
import { appendFileSync } from 'node:fs';
import * as v from 'valibot';
import { loadNative } from '../../../../native/js/load.ts';
import { DeviceRegistry } from '../registry.ts';
import { measureDevice } from './measure.ts';
import { type TestReport, TestRequest } from './protocol.ts';

const request = v.parse(TestRequest, JSON.parse(process.argv[2] ?? ''));
const tell = (report: TestReport) => appendFileSync(request.report, `${JSON.stringify(report)}\n`);

try {
  const native = loadNative();
  if (request.library) {
    tell({ type: 'doing', what: 'loading the library' });
    native.registerEpLibrary(request.library.name, request.library.path);
    tell({ type: 'doing', what: 'listing its devices' });
    native.devices();
    tell({ type: 'registered' });
  }
  if (request.device !== undefined) {
    const device = new DeviceRegistry(native, { libraryFolders: [] }).openForTest(request.device);
    if (device === undefined) tell({ type: 'refused', detail: 'The device is no longer there.' });
    else {
      const say = (what: string) => tell({ type: 'doing', what });
      tell({ type: 'tested', result: measureDevice(native, device.info, device.open, say) });
    }
  }
} catch (error) {
  tell({ type: 'refused', detail: error instanceof Error ? error.message : String(error) });
}
// Threads of a driver may keep the process from ending, and its exit handlers may crash: the answer is on disk.
process.exit(0);
