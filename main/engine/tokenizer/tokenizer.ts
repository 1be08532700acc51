/** The face of tokenizer/: text <-> ids and the chat template, for one model. */
import type { ChatTurn } from '../../../contract/engine.ts';

export interface Tokenizer {
  /** Ids at which an answer ends. */
  readonly endIds: ReadonlySet<number>;
  /** Size of the vocabulary; ids from here on are padding. */
  readonly size: number;
  /** Warnings from construction, e.g. an unknown pre-tokenizer name. */
  readonly warnings: readonly string[];
  /**
   * Ordinary text to ids: nothing in it becomes a control token; user-defined tokens do (HAND-16, HAND-17).
   * `addSpecial` puts BOS/EOS as the model's add_bos/add_eos say.
   */
  encode(text: string, options: { addSpecial: boolean }): number[];
  /** The chat template's text with a generation prompt at the end. Throws AppError 'template-refused'. */
  render(turns: readonly ChatTurn[]): string;
  /**
   * Ids of the rendered turns: control tokens only from the template, exactly one BOS where the model wants one. `begun` is
   * the beginning of the answer; nothing in it becomes a control token either.
   */
  encodeChat(turns: readonly ChatTurn[], begun?: string): number[];
  /** Raw text in which control tokens are recognised: `--raw` prompts and checks against other tools. */
  encodeWithControl(text: string, options: { addSpecial: boolean }): number[];
  /** The bytes of one token as they appear in an answer; empty for control tokens and unknown ids. */
  bytes(id: number): Uint8Array;
  /** All ids to text; invalid UTF-8 becomes U+FFFD. */
  decode(ids: readonly number[]): string;
}
