/**
 * `chat`: a conversation, a line at a time. Ctrl+C stops the running answer and keeps what was said; at the prompt it ends
 * the conversation, as the end of standard input does. The engine finds the turns so far in its cache.
 */
import { createInterface } from 'node:readline';
import type { AttentionOptions, ChatTurn, GenerateResult } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import type { Engine } from '../engine/engine.ts';
import { attentionOf } from './attention.ts';
import { EXIT, exitCodeFor } from './exit.ts';
import type { Interrupt } from './interrupt.ts';
import type { OptionValues } from './options.ts';
import { note, ProgressLine, print, printError, printFigures, printJson } from './output.ts';
import { loadModel, samplingOf, withEngine } from './session.ts';

/** Returns the exit code: that of the last question that failed, or 0. */
export function chat(values: OptionValues, interrupt: Interrupt): Promise<number> {
  const attention = attentionOf(values);
  return withEngine(async (engine) => {
    await loadModel(engine, values, interrupt.signal);
    return new Conversation(engine, values, attention, interrupt).run();
  }, values);
}

class Conversation {
  readonly #engine: Engine;
  readonly #values: OptionValues;
  readonly #interrupt: Interrupt;
  readonly #attention: AttentionOptions;
  readonly #answers: GenerateResult[] = [];
  #turns: ChatTurn[] = [];

  constructor(engine: Engine, values: OptionValues, attention: AttentionOptions, interrupt: Interrupt) {
    this.#engine = engine;
    this.#values = values;
    this.#interrupt = interrupt;
    this.#attention = attention;
    this.#forget();
  }

  async run(): Promise<number> {
    // Prompt and echo go to standard error, so that standard output holds the answers alone.
    const lines = createInterface({ input: process.stdin, output: process.stderr, prompt: '> ' });
    lines.on('SIGINT', () => this.#interrupt.trigger());
    this.#interrupt.handle(() => lines.close());
    if (process.stdin.isTTY) note(`${this.#engine.model.bundle.manifest.name}. /new starts over, /exit ends.`);
    const ready = () => {
      if (process.stdin.isTTY) lines.prompt();
    };
    let exitCode: number = EXIT.ok;
    ready();
    for await (const line of lines) {
      const question = line.trim();
      if (question === '/exit') break;
      if (question === '/new') this.#forget();
      else if (question !== '') exitCode = (await this.#answer(question, () => lines.close())) ?? exitCode;
      ready();
    }
    lines.close();
    if (this.#values.json) printJson({ answers: this.#answers });
    return exitCode;
  }

  #forget(): void {
    const { system } = this.#values;
    this.#turns = system === undefined ? [] : [{ role: 'system', content: system }];
  }

  /** Returns an exit code where the question failed. */
  async #answer(question: string, endConversation: () => void): Promise<number | undefined> {
    const stop = new AbortController();
    this.#interrupt.handle(() => stop.abort());
    const stopAll = () => stop.abort();
    this.#interrupt.signal.addEventListener('abort', stopAll);
    const progress = new ProgressLine();
    const turns: ChatTurn[] = [...this.#turns, { role: 'user', content: question }];
    try {
      const result = await this.#engine.generate(
        {
          prompt: { kind: 'chat', turns },
          sampling: samplingOf(this.#values),
          attention: this.#attention,
        },
        {
          signal: stop.signal,
          onPrefill: (done, total) => progress.show({ stage: 'prefill', done, total }),
          onDelta: (text) => {
            progress.clear();
            if (!this.#values.json) print(text);
          },
        },
      );
      progress.clear();
      if (!this.#values.json) print('\n');
      printFigures(result);
      this.#answers.push(result);
      this.#turns = [...turns, { role: 'assistant', content: result.text }];
      return undefined;
    } catch (thrown) {
      progress.clear();
      const error = AppError.from(thrown);
      printError(error);
      return exitCodeFor(error.kind);
    } finally {
      this.#interrupt.signal.removeEventListener('abort', stopAll);
      this.#interrupt.handle(endConversation);
    }
  }
}
