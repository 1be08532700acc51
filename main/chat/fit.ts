/** Makes a conversation fit the model's context, or says by how much it does not. */
import type { ChatTurn } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import type { ContextLimit } from '../../contract/messages.ts';
import { dropMore, type Past, pastTurns } from './turns.ts';

/** Tokens of turns, with what the model's template adds. */
export type CountTurns = (turns: ChatTurn[]) => Promise<number>;

/** A prompt that does not fit, with what can be done. */
export class OverLimit extends AppError {
  readonly limit: ContextLimit;

  constructor(limit: ContextLimit) {
    const { needed, available, choices } = limit;
    const [message, action] =
      choices.length > 0
        ? ['This conversation is too long for the model', 'Choose how to go on.']
        : ['This question alone is too long for the model', 'Shorten it, or use a model with a longer context.'];
    super('context-overflow', `${message}: it takes ${needed} tokens, and ${available} fit beside an answer.`, {
      action,
    });
    this.limit = limit;
  }
}

export interface ToFit {
  systemPrompt: string;
  past: Past;
  /** The question, in one turn. */
  question: ChatTurn;
  /** Tokens that the prompt may have. */
  available: number;
  /** Exchanges that are left out already. */
  dropped: number;
  /** Whether more may be left out. The system prompt, the note and the question never are. */
  mayDrop: boolean;
  count: CountTurns;
}

export interface Fitted {
  turns: ChatTurn[];
  tokens: number;
  /** Exchanges that are left out, the oldest ones. */
  dropped: number;
  fits: boolean;
}

/** Leaves out the oldest exchanges until the rest fits, where that is allowed and enough. */
export async function fitTurns({
  systemPrompt,
  past,
  question,
  available,
  mayDrop,
  count,
  ...start
}: ToFit): Promise<Fitted> {
  let dropped = Math.min(start.dropped, past.exchanges.length);
  for (;;) {
    const turns = [...pastTurns(systemPrompt, past, dropped), question];
    const tokens = await count(turns);
    const more = mayDrop ? dropMore(past.exchanges, dropped) : undefined;
    if (tokens <= available || more === undefined) return { turns, tokens, dropped, fits: tokens <= available };
    dropped = more;
  }
}

/** `fitTurns`, which throws OverLimit where the result still does not fit. */
export async function fitOrThrow(asked: ToFit): Promise<Fitted> {
  const fitted = await fitTurns(asked);
  if (fitted.fits) return fitted;
  const { systemPrompt, past, question, available, count } = asked;
  const alone = await count([...pastTurns(systemPrompt, { exchanges: [] }), question]);
  const helps = past.exchanges.length > fitted.dropped && alone <= available;
  throw new OverLimit({
    needed: fitted.tokens,
    available: Math.max(0, available),
    choices: helps ? ['drop-oldest', 'condense', 'new-chat'] : [],
  });
}
