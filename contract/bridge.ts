/** What the preload script exposes to the window as `window.shadownpu`: the only road between the two. */
import type { AppEvent, Channel, ChannelRequest, ChannelResponse, Envelope } from './channels.ts';
import type { Attachment } from './drafts.ts';
import type { ModelInfo } from './engine.ts';
import type { Language } from './language.ts';
import type { LibraryDocument } from './library-documents.ts';

/** What a page may ask for by itself. */
export type WindowChannel = Exclude<Channel, 'attachments.drop' | 'models.drop' | 'documents.drop'>;

export interface PlatformInfo {
  /** As Node names them: 'linux', 'win32', 'darwin'; 'x64', 'arm64'. */
  readonly os: string;
  readonly arch: string;
  /** The system's language, a BCP 47 tag. */
  readonly locale: string;
  /** The app's language when the window was opened; from then on the settings tell it. */
  readonly language: Language;
  /** Versions of the app and of what it runs on. */
  readonly versions: {
    readonly app: string;
    readonly electron: string;
    readonly chrome: string;
    readonly node: string;
  };
}

export interface Bridge {
  /**
   * Asks main. Never rejects for a failure of the request: that is `{ ok: false, error }`.
   * Channels without a request take `undefined`.
   */
  invoke<C extends WindowChannel>(channel: C, request: ChannelRequest<C>): Promise<Envelope<ChannelResponse<C>>>;
  /**
   * Attaches files that were dropped on or pasted into the page to a draft (null: of the chat that does not exist yet) and
   * answers with the draft's attachments. Their paths are found here, so that a page cannot name files that nobody gave it.
   */
  attach(chatId: string | null, files: readonly File[]): Promise<Envelope<Attachment[]>>;
  /** Imports a model file or folder that was dropped on the page, as 'models.import' does. */
  importDropped(file: File): Promise<Envelope<ModelInfo>>;
  /** Adds files and folders that were dropped to the documents, as 'documents.add' does. */
  addDocuments(files: readonly File[]): Promise<Envelope<LibraryDocument[]>>;
  /** Calls `listener` for every event from now on; the returned function ends that. */
  onEvent(listener: (event: AppEvent) => void): () => void;
  readonly platform: PlatformInfo;
}

declare global {
  interface Window {
    readonly shadownpu: Bridge;
  }
}
