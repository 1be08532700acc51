/** What the end of the engine process means: exit code or signal -> cause -> what to do. */
import type { DeviceUse } from '../contract/engine.ts';
import { AppError } from '../contract/errors.ts';
import { type Phrase, phrase, said } from '../contract/phrase.ts';

/** The engine process ended while devices worked for a request: most likely the driver of one of them is to blame. */
export class DeviceCrash extends AppError {
  readonly uses: readonly DeviceUse[];

  constructor(cause: AppError, uses: readonly DeviceUse[]) {
    const devices = [...new Set(uses.map(({ device }) => device))].join(' and ');
    super(cause.kind, phrase`${cause.phrases.message} It happened while ${devices} was at work.`, {
      ...(cause.phrases.action === undefined ? {} : { action: cause.phrases.action }),
      ...(cause.detail === undefined ? {} : { detail: cause.detail }),
      cause,
    });
    this.uses = uses;
  }
}

interface Cause {
  why: Phrase;
  action: string;
}

const AGAIN = 'Ask again. The engine is started anew and your chats are safe.';

const OUT_OF_MEMORY: Cause = {
  why: said('the system ended it, most likely because memory ran out'),
  action: 'Close other programs or choose a smaller model, then ask again.',
};
const BAD_ACCESS: Cause = {
  why: said('native code accessed memory that is not its own'),
  action: 'Ask again. If it keeps happening, choose the exact weights in Settings.',
};
const BAD_INSTRUCTION: Cause = {
  why: said('it met an instruction that this processor does not know'),
  action: 'Choose the exact weights in Settings. If that does not help, this processor is not supported.',
};
const GAVE_UP: Cause = {
  why: said('native code gave up on an error of its own, often for lack of memory'),
  action: 'Close other programs or choose a smaller model, then ask again.',
};

const SIGNALS: Readonly<Record<number, Cause>> = {
  4: BAD_INSTRUCTION, // SIGILL
  6: GAVE_UP, // SIGABRT
  7: {
    why: said('a model file could not be read any more'),
    action: 'Check that the model file was not moved or changed, then ask again.',
  }, // SIGBUS
  8: { why: said('native code divided by zero'), action: AGAIN }, // SIGFPE
  9: OUT_OF_MEMORY, // SIGKILL
  11: BAD_ACCESS, // SIGSEGV
  15: { why: said('it was ended from outside'), action: AGAIN }, // SIGTERM
};

const WINDOWS: Readonly<Record<number, Cause>> = {
  3221225477: BAD_ACCESS, // 0xC0000005 access violation
  3221225495: OUT_OF_MEMORY, // 0xC0000017 no memory
  3758096392: OUT_OF_MEMORY, // 0xE0000008 Chromium's own out of memory
  3221225501: BAD_INSTRUCTION, // 0xC000001D illegal instruction
  3221225725: { why: said('its stack overflowed'), action: AGAIN }, // 0xC00000FD
  3221226505: GAVE_UP, // 0xC0000409 fail fast
  3221225781: {
    why: said('a system library that it needs is missing'),
    action: 'Install the Microsoft Visual C++ Redistributable, then start the app again.',
  }, // 0xC0000135
};

/**
 * `code` as Electron gives it: an exit code; on Linux and macOS also the bare signal (an abort may come as 0), from a
 * shell 128 + signal; on Windows an NTSTATUS, perhaps as a negative number. `lastWords` is what the process wrote to its error output, for the log.
 */
export function exitError(code: number, platform: NodeJS.Platform, lastWords: string): AppError {
  const cause = platform === 'win32' ? WINDOWS[code >>> 0] : SIGNALS[code > 128 ? code - 128 : code];
  const { why, action } = cause ?? {
    why: code === 0 ? said('it ended without saying why') : phrase`an error that nothing handled (exit code ${code})`,
    action: AGAIN,
  };
  return new AppError('engine-crashed', phrase`The engine stopped unexpectedly: ${why}.`, {
    action,
    detail: `exit code ${code}${lastWords === '' ? '' : `\n${lastWords}`}`,
  });
}
