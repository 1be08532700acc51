/** What no page may do, whatever it shows: leave for another address, open windows, ask for permissions, load webviews. */
import { app, session, shell } from 'electron';
import type { Log } from '../support/logger.ts';
import { isWebLink } from './links.ts';
import { ORIGIN } from './page-files.ts';

/** To be called once Electron is ready, before the first window. */
export function lockDown(log: Log): void {
  // `spellcheck: false` of a window is not enough: the session fetches a dictionary from Google all the same.
  session.defaultSession.setSpellCheckerEnabled(false);
  session.defaultSession.setSpellCheckerLanguages([]);
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.defaultSession.setPermissionCheckHandler(() => false);
  session.defaultSession.setDevicePermissionHandler(() => false);
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.on('will-navigate', (event, url) => {
      if (url.startsWith(`${ORIGIN}/`)) return;
      event.preventDefault();
      openOutside(url, log);
    });
    contents.setWindowOpenHandler(({ url }) => {
      openOutside(url, log);
      return { action: 'deny' };
    });
  });
}

/** A link in an answer opens in the user's browser, and only if it is an ordinary web address. */
function openOutside(url: string, log: Log): void {
  if (!isWebLink(url)) {
    log('a link that is no https address was not opened');
    return;
  }
  shell.openExternal(url).catch((error: unknown) => log(`the browser did not open: ${String(error)}`));
}
