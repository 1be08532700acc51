/** The figures of a finished answer, as short texts with an explanation each. */
import type { Message } from '../../../../contract/messages.ts';
import { formatSpeed } from '../../format.ts';
import { strings } from '../../strings.ts';

export type AnswerResult = NonNullable<Message['result']>;

export interface Figure {
  readonly key: keyof typeof strings.figures.names;
  readonly text: string;
  readonly explain: string;
}

/** In the order of the footer: what answered, how, where, and how fast. */
export function answerFigures(result: AnswerResult): readonly Figure[] {
  const words = strings.figures;
  const { attention, prefill, decode, promptTokens, cachedTokens, completionTokens } = result;
  const firstToken = result.firstTokenMs / 1000;
  const figures: Figure[] = [
    { key: 'model', text: words.model(result.model), explain: words.modelExplain(result.weights) },
    { key: 'attention', text: words.attention(attention), explain: words.attentionExplain(attention) },
    { key: 'device', text: words.devices(devicesOf(result)), explain: words.devicesExplain },
    {
      key: 'prefill',
      // A prompt that was remembered as a whole has no speed worth telling.
      text: prefill.tokensPerSecond > 0 ? words.prefill(prefill.tokensPerSecond) : words.prefillCached,
      explain: words.prefillExplain(promptTokens, cachedTokens, prefill.seconds),
    },
  ];
  // The first token comes out of prefill: without a second one nothing was decoded.
  if (decode.tokensPerSecond > 0) {
    figures.push({
      key: 'decode',
      text: words.decode(decode.tokensPerSecond),
      explain: words.decodeExplain(completionTokens, decode.seconds),
    });
  }
  if (completionTokens > 0) {
    figures.push({ key: 'firstToken', text: words.firstToken(firstToken), explain: words.firstTokenExplain });
  }
  if (result.energy !== undefined) {
    const { joules, sensor } = result.energy;
    figures.push({ key: 'energy', text: words.energy(joules), explain: words.energyExplain[sensor] });
  }
  return figures;
}

/** Devices that worked on the answer, the busiest first, each once. */
function devicesOf({ work = [], device }: AnswerResult): string[] {
  const busy = new Map<string, number>();
  for (const entry of work) {
    const name = strings.deviceWords(entry.device);
    busy.set(name, (busy.get(name) ?? 0) + entry.ms);
  }
  const names = [...busy].sort(([, a], [, b]) => b - a).map(([name]) => name);
  return names.length === 0 ? [strings.deviceWords(device)] : names;
}

/** What stands in the footer's place while the answer is being written. */
export function liveFigure(tokensPerSecond: number | undefined): string {
  return tokensPerSecond === undefined || tokensPerSecond <= 0 ? '' : formatSpeed(tokensPerSecond);
}
