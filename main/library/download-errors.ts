/** What went wrong with a download, in words, and whether trying again by itself can help. */
import { AppError } from '../../contract/errors.ts';
import { phrase, said } from '../../contract/phrase.ts';

const KEPT = 'What has arrived is kept, and the download goes on from there.';

/** A failure that may pass by itself: the connection, or a server that is busy. */
export class PassingFailure extends Error {
  readonly error: AppError;
  /** What the server asks to wait, in milliseconds. */
  readonly waitMs: number | undefined;

  constructor(error: AppError, waitMs?: number) {
    super(error.message);
    this.error = error;
    this.waitMs = waitMs;
  }
}

/** Names of Node and of Chromium for "there is no network", and for a proxy that does not let one through. */
const OFFLINE =
  /ENOTFOUND|EAI_AGAIN|ENETUNREACH|ENETDOWN|ERR_INTERNET_DISCONNECTED|ERR_NAME_NOT_RESOLVED|ERR_ADDRESS_UNREACHABLE|ERR_NETWORK_CHANGED/;
const PROXY = /ERR_PROXY|ERR_TUNNEL|ERR_NO_SUPPORTED_PROXIES|ERR_SOCKS/;
const CERTIFICATE = /ERR_CERT|ERR_SSL|CERT_|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/;

/** What a request that got no answer, or a body that broke off, means. */
export function networkFailure(thrown: unknown, url: string): PassingFailure | AppError {
  if (thrown instanceof AppError || thrown instanceof PassingFailure) return thrown;
  const { host } = new URL(url);
  const detail = wordsOf(thrown);
  if (CERTIFICATE.test(detail)) {
    return new AppError('download-failed', phrase`The certificate of ${host} is not trusted by this computer.`, {
      action: 'In a company network ask for its root certificate to be installed in the system.',
      detail,
    });
  }
  if (PROXY.test(detail)) {
    return new PassingFailure(
      new AppError('download-failed', phrase`The proxy of this computer does not connect to ${host}.`, {
        action: phrase`Check the system's proxy settings. ${said(KEPT)}`,
        detail,
      }),
    );
  }
  if (OFFLINE.test(detail)) {
    return new PassingFailure(
      new AppError('download-failed', phrase`There is no connection to ${host}; this computer seems to be offline.`, {
        action: phrase`Check the network, then resume. ${said(KEPT)}`,
        detail,
      }),
    );
  }
  return new PassingFailure(
    new AppError('download-failed', phrase`The connection to ${host} was lost.`, {
      action: phrase`Resume later. ${said(KEPT)}`,
      detail,
    }),
  );
}

export function stalled(url: string, seconds: number): PassingFailure {
  return new PassingFailure(
    new AppError('download-failed', phrase`${new URL(url).host} has sent nothing for ${seconds} seconds.`, {
      action: phrase`Resume later. ${said(KEPT)}`,
    }),
  );
}

/** What a status that brings no file means. */
export function statusFailure(status: number, headers: Readonly<Record<string, string | undefined>>, url: string) {
  const { host } = new URL(url);
  if (status === 401 || status === 403) {
    return new AppError('download-failed', phrase`${host} does not give this file without a login (${status}).`, {
      action: 'Download it in your browser from its page, then import the file here.',
    });
  }
  if (status === 407) {
    return new AppError('download-failed', 'The proxy of this computer asks for a password (407).', {
      action: 'Sign in to the proxy in the system settings, then try again.',
    });
  }
  if (status === 404 || status === 410) {
    return new AppError('download-failed', phrase`${host} no longer has this file (${status}).`, {
      action: 'Choose another model, or try another download server.',
    });
  }
  const error = new AppError('download-failed', phrase`${host} cannot send the file now (${status}).`, {
    action: phrase`Resume later. ${said(KEPT)}`,
  });
  const seconds = Number(headers['retry-after']);
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    return new PassingFailure(error, seconds > 0 && seconds <= 120 ? seconds * 1000 : undefined);
  }
  return error;
}

export function notAModel(url: string, what: 'page' | 'other'): AppError {
  const { host } = new URL(url);
  return new AppError(
    'download-failed',
    what === 'page'
      ? phrase`${host} sent a web page instead of the model. A login page of your network may be in between.`
      : phrase`${host} sent something that is no GGUF file.`,
    { action: 'Open a website in your browser to sign in to the network, then try again.' },
  );
}

export function wrongSize(url: string, expected: number, told: number | 'more'): AppError {
  const { host } = new URL(url);
  return new AppError(
    'download-failed',
    told === 'more'
      ? phrase`${host} sends more than the ${expected} bytes of the model.`
      : phrase`${host} has a file of ${told} bytes; the model has ${expected}.`,
    { action: 'It is another file than the one meant. Try another download server.' },
  );
}

export function wrongSum(url: string, expected: string, found: string): AppError {
  return new AppError(
    'download-failed',
    'The checksum of the download is wrong: the file was damaged on the way or is another one. It was deleted.',
    {
      action: 'Download it again; if that happens twice, try another download server.',
      detail: `${url}: SHA-256 ${found}, expected ${expected}`,
    },
  );
}

/** What a failing file system means; the download keeps its place where it can. */
export function writeFailure(thrown: unknown, folder: string): AppError {
  const code = thrown instanceof Error ? codeOf(thrown) : '';
  const detail = String(thrown);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError('disk-full', 'The disk became full while the model was being downloaded.', {
      action: phrase`Make room, then resume. ${said(KEPT)}`,
      detail,
    });
  }
  if (code === 'EFBIG') {
    return new AppError('disk-full', phrase`The disk of ${folder} cannot hold files of this size.`, {
      action: 'Move the data folder to a disk with another file system (SHADOWNPU_HOME).',
      detail,
    });
  }
  return new AppError('storage-failed', phrase`The models folder ${folder} cannot be written to.`, {
    action: 'Check that the folder is there and that you may write to it.',
    detail,
  });
}

function wordsOf(thrown: unknown): string {
  return thrown instanceof Error ? `${codeOf(thrown)} ${thrown.message}` : String(thrown);
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
