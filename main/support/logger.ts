/** The log file: what happened and when, never what anyone wrote. Small, so that it can be sent along with a report. */
import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';

const LARGEST = 1024 * 1024;

export type Log = (line: string) => void;

/**
 * Lines go to `main.log` in `folder`; when it is full it becomes `main.old.log`. Trouble with the log troubles nobody
 * else: it is given up silently.
 */
export function openLog(folder: string, largest: number = LARGEST): Log {
  const file = path.join(folder, 'main.log');
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    return () => {};
  }
  return (line) => {
    try {
      if (existsSync(file) && statSync(file).size > largest) renameSync(file, path.join(folder, 'main.old.log'));
      appendFileSync(file, `${new Date().toISOString()} ${line}\n`);
    } catch {
      // A full disk must not end the app.
    }
  };
}
