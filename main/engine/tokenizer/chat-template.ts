/** Renders a model's chat template (Jinja) the way transformers does: trim_blocks, lstrip_blocks, its global functions. */
import { Template } from '@huggingface/jinja';
import type { ChatTurn } from '../../../contract/engine.ts';
import { AppError } from '../../../contract/errors.ts';
import { phrase, said } from '../../../contract/phrase.ts';

export interface TemplateTokens {
  bos: string;
  eos: string;
  unknown: string;
  padding: string;
}

export class ChatTemplate {
  /** String literals of the template that could be compared with message texts. */
  readonly literals: readonly string[];
  readonly #template: Template;
  readonly #tokens: TemplateTokens;

  /** Throws AppError 'template-refused' where the template cannot be parsed. */
  constructor(text: string, tokens: TemplateTokens) {
    try {
      this.#template = new Template(text);
    } catch (error) {
      throw refused('The chat template of this model cannot be read', error);
    }
    this.#tokens = tokens;
    this.literals = stringLiterals(text);
  }

  /** The text for these turns, a generation prompt at the end. Throws AppError 'template-refused' with its words. */
  render(turns: readonly ChatTurn[]): string {
    try {
      return this.#template.render({
        messages: turns.map(({ role, content }) => ({ role, content })),
        add_generation_prompt: true,
        tools: null,
        documents: null,
        bos_token: this.#tokens.bos,
        eos_token: this.#tokens.eos,
        unk_token: this.#tokens.unknown,
        pad_token: this.#tokens.padding,
      });
    } catch (error) {
      throw refused('The chat template of this model refused the conversation', error);
    }
  }
}

/** For a model without a template: guessing one would give worse answers without a word. */
export function templateMissing(): AppError {
  return new AppError('template-refused', 'This model has no chat template, so it cannot hold a conversation.', {
    action: 'Send the text as a raw prompt, or choose an instruction-tuned model.',
  });
}

function refused(what: string, error: unknown): AppError {
  const words = error instanceof Error ? error.message : String(error);
  return new AppError('template-refused', phrase`${said(what)}: ${words}`, {
    action: 'Change the conversation as the message says, or send the text as a raw prompt.',
    cause: error,
  });
}

function stringLiterals(template: string): string[] {
  const found = new Set<string>();
  const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r' };
  for (const match of template.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/gs)) {
    const text = (match[1] ?? match[2] ?? '').replace(/\\(.)/gs, (_, char: string) => escapes[char] ?? char);
    if (text.trim() !== '') found.add(text);
  }
  return [...found];
}
