/** The icon in the system's tray. */
import { Menu, nativeImage, Tray } from 'electron';
import type { EngineStatus } from '../../contract/model-status.ts';
import type { Sample } from '../../contract/resources.ts';
import icon from '../../resources/icons/32x32.png';
import type { MainWords } from './words.ts';

/** What the tray says of the engine, and of the machine once a sample is there. */
export function trayText(status: EngineStatus, { tray: words }: MainWords, sample?: Sample): string {
  const lines = ['ShadowNPU', engineWords(status, words)];
  const cores = sample?.cores.filter((core): core is number => core !== null) ?? [];
  if (sample !== undefined && cores.length > 0) {
    const busy = cores.reduce((sum, core) => sum + core, 0) / cores.length;
    lines.push(words.usage(Math.round(100 * busy), sample.power.watts));
  }
  return lines.join('\n');
}

function engineWords(status: EngineStatus, words: MainWords['tray']): string {
  switch (status.state) {
    case 'ready':
      return words.ready(status.model.name);
    case 'unloaded':
      return words.unloaded(status.modelName);
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
  #tooltip = '';

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
    if (text === this.#tooltip) return;
    this.#tooltip = text;
    this.#tray.setToolTip(text);
  }
}
