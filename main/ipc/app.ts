import type { AppChannel } from '../../contract/app.ts';
import type { ErrorInfo } from '../../contract/errors.ts';
import { type CrashReports, errorName } from '../support/crash-reports.ts';
import type { Handlers } from './router.ts';

export interface AppParts {
  readonly newWindow: () => void;
  readonly zoom: (change: 'in' | 'out' | 'reset' | 'none') => number;
  readonly diagnostics: () => Promise<string>;
  readonly attachSample: () => Promise<void>;
  readonly startNotice: () => ErrorInfo | null;
  readonly openLogs: () => void;
  readonly crashes: Pick<CrashReports, 'list' | 'add'>;
  readonly removeCrashes: () => void;
}

/** Windows, zoom, diagnostics and crash reports. */
export function appHandlers(parts: AppParts): Handlers<AppChannel> {
  return {
    'app.new-window': () => parts.newWindow(),
    'app.zoom': ({ change }) => parts.zoom(change),
    'app.diagnostics': () => parts.diagnostics(),
    'app.attach-sample': () => parts.attachSample(),
    'app.start-notice': () => parts.startNotice(),
    'app.open-logs': () => parts.openLogs(),
    'crashes.list': () => parts.crashes.list(),
    'crashes.remove': () => parts.removeCrashes(),
    'crashes.report': ({ name, stack }) => parts.crashes.add({ process: 'window', reason: errorName(name), stack }),
  };
}
