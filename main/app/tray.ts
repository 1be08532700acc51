/** The icon in the system's tray. */
import { Menu, nativeImage, Tray } from 'electron';
import type { EngineStatus } from '../../contract/model-status.ts';
import icon from '../../resources/icons/32x32.png';
import type { MainWords } from './words.ts';

/** What the tray says of the engine. */
export function trayText(status: EngineStatus, { tray: words }: MainWords): string {
  return `ShadowNPU\n${engineWords(status, words)}`;
}

function engineWords(status: EngineStatus, words: MainWords['tray']): string {
  switch (status.state) {
    case 'ready':
      return words.ready(status.model.name);
    case 'loading':
      return words.loading(status.modelName);
    case 'no-model':
      return words.noModel;
    case 'failed':
      return words.failed;
    case 'starting':
      return words.starting;
  }
}

export interface TrayActions {
  readonly toggle: () => void;
  readonly newChat: () => void;
  readonly quit: () => void;
}

export class AppTray {
  readonly #tray: Tray;
  readonly #actions: TrayActions;

  /** Throws where the system has no tray. */
  constructor(actions: TrayActions, words: MainWords) {
    this.#actions = actions;
    this.#tray = new Tray(nativeImage.createFromDataURL(icon).resize({ width: 16, height: 16 }));
    this.#tray.on('click', actions.toggle);
    this.setWords(words);
  }

  setWords({ tray: words }: MainWords): void {
    const { toggle, newChat, quit } = this.#actions;
    this.#tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: words.toggle, click: toggle },
        { label: words.newChat, click: newChat },
        { type: 'separator' },
        { label: words.quit, click: quit },
      ]),
    );
  }

  /** What hovering shows. */
  setTooltip(text: string): void {
    this.#tray.setToolTip(text);
  }
}
