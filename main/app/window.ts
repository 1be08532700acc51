/** The app's window: made hidden in the colour of its theme, shown when there is something to see. */
import path from 'node:path';
import { app, BrowserWindow, nativeTheme, screen } from 'electron';
import type { Language } from '../../contract/language.ts';
import type { Log } from '../support/logger.ts';
import { showTextMenu } from './menu.ts';
import { MORE_PAGE, START_PAGE } from './pages.ts';
import { readState, writeState } from './window-state.ts';
import { mainWords } from './words.ts';

/** The page's own background colours, so that nothing flashes before it is painted. */
const BACKGROUND = { light: '#f2f5f5', dark: '#14181a' };

/** A page that keeps crashing is not loaded for ever. */
const RELOADS = 3;

export interface WindowOptions {
  /** Folder of the bundles, where preload.cjs lies. */
  dist: string;
  userData: string;
  log: Log;
  language: () => Language;
  /** A page ended without being asked to; `reason` in Electron's words. */
  crashed: (reason: string) => void;
  /** Another window, which the new one must not cover. */
  beside?: BrowserWindow;
}

/** How far a further window lies from the one beside it, in DIP. */
const CASCADE = 28;

export function openWindow({ dist, userData, log, language, crashed, beside }: WindowOptions): BrowserWindow {
  const stateFile = path.join(userData, 'window.json');
  const state = readState(
    stateFile,
    screen.getAllDisplays().map((display) => display.workArea),
  );
  const window = new BrowserWindow({
    ...(beside === undefined ? { ...state.size, ...state.position } : nextTo(beside)),
    minWidth: 480,
    minHeight: 400,
    show: false,
    title: app.getName(),
    autoHideMenuBar: true,
    backgroundColor: background(),
    webPreferences: {
      preload: path.join(dist, 'preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false, // see security.ts
      additionalArguments: [
        `--shadownpu-version=${app.getVersion()}`,
        `--shadownpu-locale=${app.getLocale()}`,
        `--shadownpu-language=${language()}`,
      ],
    },
  });
  window.once('ready-to-show', () => {
    if (state.maximized && beside === undefined) window.maximize();
    window.show();
  });
  const repaint = () => window.setBackgroundColor(background());
  nativeTheme.on('updated', repaint);
  window.once('closed', () => nativeTheme.removeListener('updated', repaint));

  const contents = window.webContents;
  contents.on('did-finish-load', () => contents.setZoomLevel(state.zoomLevel));
  window.on('close', () => {
    const { x, y, width, height } = window.getNormalBounds();
    const zoomLevel = contents.isCrashed() ? state.zoomLevel : contents.getZoomLevel();
    const maximized = window.isMaximized();
    writeState(stateFile, { size: { width, height }, position: { x, y }, maximized, zoomLevel });
  });

  let reloads = 0;
  contents.on('render-process-gone', (_event, details) => {
    log(`page ended: ${details.reason}, exit code ${details.exitCode}`);
    if (details.reason === 'clean-exit' || details.reason === 'killed') return;
    crashed(`${details.reason}, exit code ${details.exitCode}`);
    if (reloads >= RELOADS) return;
    reloads += 1;
    void window.loadURL(START_PAGE);
  });
  contents.on('context-menu', (_event, params) => showTextMenu(mainWords[language()], window, params));
  window
    .loadURL(beside === undefined ? START_PAGE : MORE_PAGE)
    .catch((error: unknown) => log(`page not loaded: ${String(error)}`));
  return window;
}

function nextTo(window: BrowserWindow): { x: number; y: number; width: number; height: number } {
  const { x, y, width, height } = window.getNormalBounds();
  return { x: x + CASCADE, y: y + CASCADE, width, height };
}

function background(): string {
  return nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light;
}
