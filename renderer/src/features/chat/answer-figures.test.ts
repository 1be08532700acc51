import { describe, expect, it } from 'vitest';
import { type AnswerResult, answerFigures, liveFigure } from './answer-figures.ts';

const result: AnswerResult = {
  promptTokens: 1312,
  cachedTokens: 96,
  completionTokens: 214,
  finishReason: 'stop',
  prefill: { seconds: 0.71, tokensPerSecond: 1712.3 },
  decode: { seconds: 3.4, tokensPerSecond: 62.9 },
  firstTokenMs: 842,
  attention: { mode: 'shadow', ratio: 0.2, pilotDevice: 'NPU' },
  device: 'CPU',
  model: 'SmolLM2-135M-Instruct',
  weights: 'fast',
};

function line(figures: AnswerResult): string {
  return answerFigures(figures)
    .map(({ text }) => text.replaceAll('\u202f', '_'))
    .join(' · ');
}

describe('answerFigures', () => {
  it('tells model, attention, device and speeds in order', () => {
    expect(line(result)).toBe(
      'SmolLM2-135M-Instruct · Shadow 20_% · CPU · 1,712_tok/s prefill · 63_tok/s decode · first token 0.84_s',
    );
  });

  it.each([
    [{ mode: 'full', ratio: 1, pilotDevice: null }, 'Full attention', 'all of the text'],
    [{ mode: 'sparse', ratio: 0.2, pilotDevice: null }, 'Sparse 20_%', 'Exact scores chose'],
    [{ mode: 'block', ratio: 0.1, pilotDevice: null }, 'Blocks 10_%', 'blocks of 64 tokens'],
    [{ mode: 'npu-full', ratio: 1, pilotDevice: null }, 'INT8 attention', '8-bit numbers'],
    [{ mode: 'shadow', ratio: 0.1, pilotDevice: 'CPU', tail: true }, 'Shadow 10_%', 'The rest counts'],
    [
      { mode: 'shadow', ratio: 0.1, pilotDevice: 'simulated' },
      'Shadow 10_% (simulated pilot)',
      'on a simulated device',
    ],
  ] as const)('tells and explains %o', (attention, text, explanation) => {
    expect(line({ ...result, attention })).toContain(` · ${text} · `);
    expect(answerFigures({ ...result, attention })[1]?.explain).toContain(explanation);
  });

  it('explains where the pilot ran and what came from memory', () => {
    const explained = answerFigures(result).map(({ explain }) => explain);
    expect(explained[1]).toContain('on the NPU');
    expect(explained[3]).toContain('96 of them remembered');
    expect(answerFigures({ ...result, cachedTokens: 0 })[3]?.explain).not.toContain('remembered');
  });

  it('names the devices that worked, the busiest first', () => {
    const entry = { launches: 1, part: 'linear' } as const;
    const devices = (work: AnswerResult['work']) => answerFigures({ ...result, work })[2]?.text;
    expect(devices([{ ...entry, device: 'CPU', ms: 5 }])).toBe('CPU');
    expect(
      devices([
        { ...entry, device: 'CPU', ms: 5 },
        { ...entry, device: 'QNNExecutionProvider:NPU:0', ms: 4 },
        { ...entry, part: 'pilot', device: 'QNNExecutionProvider:NPU:0', ms: 3 },
        { ...entry, device: 'DmlExecutionProvider:GPU:1', ms: 6 },
        { ...entry, device: 'simulated', ms: 1 },
      ]),
    ).toBe('NPU + GPU + CPU + simulated device');
    expect(devices([{ ...entry, device: 'CPUExecutionProvider:CPU:0', ms: 1 }])).toBe('CPU as ONNX Runtime device');
  });

  it('leaves out speeds that were not measured', () => {
    const nothing = { seconds: 0, tokensPerSecond: 0 };
    expect(line({ ...result, prefill: nothing, decode: nothing, completionTokens: 0 })).toBe(
      'SmolLM2-135M-Instruct · Shadow 20_% · CPU · prefill from memory',
    );
  });
});

describe('liveFigure', () => {
  it('is empty until there is a speed', () => {
    expect(liveFigure(undefined)).toBe('');
    expect(liveFigure(0)).toBe('');
    expect(liveFigure(41.7).replaceAll('\u202f', '_')).toBe('42_tok/s');
  });
});
