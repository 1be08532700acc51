import { describe, expect, it } from 'vitest';
import type { Comparison, ComparisonRow, Curve } from '../../../contract/compare.ts';
import { reportOf } from './report.ts';

const figures: ComparisonRow['figures'] = {
  promptTokens: 1234,
  cachedTokens: 0,
  completionTokens: 32,
  finishReason: 'length',
  prefill: { seconds: 2, tokensPerSecond: 617 },
  decode: { seconds: 1, tokensPerSecond: 31 },
  firstTokenMs: 2050,
  attention: { mode: 'full', ratio: 1, pilotDevice: null },
  device: 'CPU',
  work: [{ part: 'linear', device: 'CPU', launches: 1, ms: 5 }],
  model: 'M',
  weights: 'fast',
};

const comparison: Comparison = {
  kind: 'answers',
  id: 'c',
  createdAt: Date.UTC(2026, 0, 2, 12),
  state: 'stopped',
  model: 'Model <b>',
  weights: 'fast',
  machine: 'CPU & co',
  question: '</pre><script>alert(1)</script>',
  documentName: '"quoted".pdf',
  promptTokens: 1234,
  cut: { used: 1000, of: 5000 },
  maxTokens: 32,
  rows: [
    {
      variant: { attention: { mode: 'full', ratio: 1 } },
      state: 'done',
      text: 'The sky is blue.',
      figures,
      peakBytes: 5e8,
    },
    {
      variant: { attention: { mode: 'shadow', ratio: 0.07, pilot: 'simulated' } },
      state: 'done',
      text: 'The sky is <img src=x>.',
      figures: {
        ...figures,
        prefill: { seconds: 1, tokensPerSecond: 1234 },
        attention: { mode: 'shadow', ratio: 0.07, pilotDevice: 'simulated' },
        energy: { joules: 12.34, sensor: 'battery' },
      },
      peakBytes: 25e7,
      agreement: { tokens: 32, top1: 0.90625, kl: 0.01234 },
    },
    {
      variant: { attention: { mode: 'npu-full', ratio: 1 }, onProcessor: true },
      state: 'failed',
      text: '',
      error: { kind: 'model-invalid', message: 'It has no <ranges>.' },
    },
    { variant: { attention: { mode: 'block', ratio: 0.2 } }, state: 'stopped', text: 'Half' },
  ],
};

const parse = (html: string) => {
  const texts = html.replaceAll(/<style>.*?<\/style>/gs, '').replaceAll(/<[^>]*>/g, '\u0000');
  return {
    texts: texts
      .split('\u0000')
      .map((text) => text.trim())
      .filter(Boolean),
    html,
  };
};

describe('a report', () => {
  it('runs nothing, loads nothing and escapes what others wrote', () => {
    const html = reportOf(comparison, 'en');
    const tags = new Set([...html.matchAll(/<([a-z0-9]+)/g)].map(([, tag]) => tag));
    for (const tag of ['script', 'img', 'link', 'iframe', 'b', 'ranges']) expect(tags, tag).not.toContain(tag);
    expect(html).not.toMatch(/\b(src|href|on\w+)=(?!x&gt;)/);
    expect(html).not.toMatch(/url\(|@import|https?:(?!\/\/www\.w3\.org\/2000\/svg)/);
    expect(html).toContain("default-src 'none'");
    expect(html).toContain('&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).toContain('Model &lt;b&gt;');
    expect(html).toContain('&quot;quoted&quot;.pdf');
  });

  it('says where shadow kept every key, and only there', () => {
    const [full, shadow] = comparison.rows;
    const worked = (part: 'dense' | 'sparse') => ({
      ...comparison,
      rows: [full, shadow].flatMap((row) =>
        row?.figures === undefined
          ? []
          : [{ ...row, figures: { ...row.figures, work: [{ part, device: 'CPU', launches: 1, ms: 1 }] } }],
      ),
    });
    expect(reportOf(worked('dense'), 'en').match(/Kept every key/g)).toHaveLength(1);
    expect(reportOf(worked('dense'), 'zh-CN')).toContain('保留了所有键');
    expect(reportOf(worked('sparse'), 'en')).not.toContain('Kept every key');
  });

  it('has every figure, says what is missing and marks what differs', () => {
    const { texts, html } = parse(reportOf(comparison, 'en'));
    for (const text of [
      'The first 1,000 of 5,000 tokens of the text were used: more did not fit.',
      'Simulated: times of a device that is not here.',
      'Shadow 7 %, simulated pilot',
      'All 8 bits, processor only',
      '2.05 s',
      '1,234',
      '31.0',
      '500 MB',
      'not reported by this driver',
      '12.3 J, estimated from the battery',
      '90.6 % of 32',
      '0.012',
      'failed: It has no &lt;ranges&gt;.',
      'stopped',
    ]) {
      expect(texts, text).toContain(text);
    }
    expect(html).toContain('The sky is <mark>&lt;img src=x&gt;.</mark>');
    // Half the speed of the fastest is half its bar.
    expect(html).toContain('617<span class="bar" style="width:50.0%">');
    expect(html).toContain('1,234<span class="bar" style="width:100.0%">');
  });

  it('speaks Chinese', () => {
    const { texts } = parse(reportOf(comparison, 'zh-CN'));
    expect(texts).toContain('文本共 5,000 个词元，只使用了前 1,000 个：更多放不下。');
    expect(texts).toContain('Shadow 7%，模拟打分设备');
    expect(texts.join(' ')).not.toContain('not reported');
  });

  it('of a curve has its chart and its points', () => {
    const curve: Curve = {
      kind: 'curve',
      id: 'k',
      createdAt: 0,
      state: 'complete',
      model: 'M',
      weights: 'exact',
      machine: 'x',
      lengths: [512, 1024],
      ratio: 0.07,
      points: [
        { mode: 'full', tokens: 512, seconds: 1 },
        { mode: 'shadow', tokens: 512, seconds: 0.5 },
        { mode: 'full', tokens: 1024, seconds: 4 },
      ],
    };
    const { texts, html } = parse(reportOf(curve, 'en'));
    expect(html).toContain('<svg');
    expect(html.match(/<circle/g)).toHaveLength(3);
    for (const text of ['512', '1,024', '4.00', '256', 'Shadow 7 %']) expect(texts, text).toContain(text);
  });
});
