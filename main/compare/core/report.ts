/**
 * A comparison as one HTML page that needs nothing else: no script, nothing that loads. Every text of a model, a document or a
 * person is escaped.
 */
import {
  COMPARED_FIGURES,
  type ComparedFigure,
  type Comparison,
  type ComparisonRow,
  type Curve,
  type CurveMode,
  comparedFigures,
  type KeptComparison,
  keptEveryKey,
} from '../../../contract/compare.ts';
import type { Language } from '../../../contract/language.ts';
import { wordDiff } from '../../../contract/word-diff.ts';
import { lineChart } from '../../bench/line-chart.ts';
import { escapeHtml } from '../../escape-html.ts';
import { type ReportWords, reportWords } from './words.ts';

interface Told {
  words: ReportWords;
  language: Language;
}

/** The engine's word for a pilot that no device computed. */
const SIMULATED = 'simulated';

export function reportOf(comparison: KeptComparison, language: Language): string {
  const words = reportWords(language);
  const told = { words, language };
  const curve = comparison.kind === 'curve';
  const title = curve ? words.curveTitle : words.title;
  const { model, weights, machine, createdAt, state, error } = comparison;
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(createdAt);
  const facts = [words.made(date), words.model(model, weights), machine];
  const warnings = [
    ...(state === 'stopped' ? [words.stopped] : []),
    ...(state === 'failed' ? [`${words.failed} ${error?.message ?? ''}`] : []),
  ];
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>
<h1>${escapeHtml(title)}</h1>
<p class="facts">${facts.map(escapeHtml).join(' · ')}</p>
${warnings.map((warning) => `<p class="warning">${escapeHtml(warning.trim())}</p>`).join('\n')}
${curve ? curveBody(comparison, told) : answersBody(comparison, told)}
</body></html>
`;
}

function answersBody(comparison: Comparison, told: Told): string {
  const { words } = told;
  const { promptTokens, cut, documentName, question, rows } = comparison;
  const count = countOf(told);
  const facts = [
    words.prompt(count(promptTokens)),
    ...(documentName === undefined ? [] : [words.document(documentName)]),
  ];
  const simulated = rows.some(({ figures, variant }) =>
    [figures?.attention.pilotDevice, variant.attention.pilot].includes(SIMULATED),
  );
  const [full] = rows;
  return `<p class="facts">${facts.map(escapeHtml).join(' · ')}</p>
${cut === undefined ? '' : `<p class="warning">${escapeHtml(words.cut(count(cut.used), count(cut.of)))}</p>`}
${simulated ? `<p class="warning">${escapeHtml(words.simulated)}</p>` : ''}
<div class="scroll"><table><thead><tr>${Object.values(words.columns)
    .map((name) => `<th scope="col">${escapeHtml(name)}</th>`)
    .join('')}</tr></thead><tbody>
${tableRows(comparison, told)}
</tbody></table></div>
<p class="note">${escapeHtml(words.agreementNote)} ${escapeHtml(words.memoryNote)}</p>
<h2>${escapeHtml(words.answers)}</h2>
<p class="note">${escapeHtml(words.differs)}</p>
<div class="answers">
${rows.map((row) => answer(row, row === full ? undefined : full?.text, told)).join('\n')}
</div>
<h2>${escapeHtml(words.question)}</h2>
<pre dir="auto">${escapeHtml(question)}</pre>`;
}

function tableRows({ rows }: Comparison, told: Told): string {
  const { words } = told;
  const values = rows.map(comparedFigures);
  const most = (key: ComparedFigure) => (key === 'top1' ? 1 : Math.max(...values.map((own) => own[key] ?? 0)));
  const lines = rows.map((row, index) => {
    const name = `<th scope="row">${escapeHtml(nameOf(row, words))}${remark(row, words)}</th>`;
    if (row.figures === undefined) {
      const why =
        row.error === undefined ? words.states[row.state] : `${words.states[row.state]}: ${row.error.message}`;
      return `<tr>${name}<td colspan="${COMPARED_FIGURES.length + 1}" class="missing">${escapeHtml(why)}</td></tr>`;
    }
    const devices = [...new Set((row.figures.work ?? []).map(({ device }) => device))];
    const cells = COMPARED_FIGURES.map((key) => {
      const value = values[index]?.[key];
      if (value === undefined) return `<td class="missing">${escapeHtml(missing(key, index, words))}</td>`;
      const share = most(key) > 0 ? value / most(key) : 0;
      const bar = `<span class="bar" style="width:${(share * 100).toFixed(1)}%"></span>`;
      return `<td>${escapeHtml(figureText(key, value, row, told))}${bar}</td>`;
    });
    return `<tr>${name}<td>${escapeHtml((devices.length > 0 ? devices : [row.figures.device]).join(', '))}</td>${cells.join('')}</tr>`;
  });
  return lines.join('\n');
}

/** What is worth saying of how a row attended. */
function remark({ figures }: ComparisonRow, words: ReportWords): string {
  return figures !== undefined && keptEveryKey(figures)
    ? `<br><span class="remark">${escapeHtml(words.keptEvery)}</span>`
    : '';
}

function missing(key: ComparedFigure, index: number, words: ReportWords): string {
  if (key === 'energy') return words.notReported;
  return index === 0 && (key === 'top1' || key === 'kl') ? words.reference : '–';
}

function figureText(key: ComparedFigure, value: number, { figures, agreement }: ComparisonRow, told: Told): string {
  const { words } = told;
  switch (key) {
    case 'firstToken':
      return `${(value / 1000).toFixed(2)} s`;
    case 'prefill':
      return countOf(told)(value);
    case 'decode':
      return value.toFixed(1);
    case 'memory':
      return `${Math.round(value / 1e6)} MB`;
    case 'energy': {
      const joules = `${value.toFixed(1)} J`;
      return figures?.energy?.sensor === 'battery' ? words.estimated(joules) : joules;
    }
    case 'top1':
      return words.ofTokens(`${Number((value * 100).toFixed(1))} %`, countOf(told)(agreement?.tokens ?? 0));
    case 'kl':
      return value.toPrecision(2);
  }
}

function answer(row: ComparisonRow, reference: string | undefined, { words }: Told): string {
  const text =
    reference === undefined
      ? escapeHtml(row.text)
      : wordDiff(reference, row.text)
          .map(({ text: piece, differs }) => (differs ? `<mark>${escapeHtml(piece)}</mark>` : escapeHtml(piece)))
          .join('');
  return `<section><h3>${escapeHtml(nameOf(row, words))}</h3><p class="answer" dir="auto">${text}</p></section>`;
}

function curveBody({ points, ratio, model }: Curve, told: Told): string {
  const { words } = told;
  const names: Record<CurveMode, string> = {
    full: words.modes.full,
    shadow: words.variant(words.modes.shadow, { mode: 'shadow', ratio }, false),
  };
  const chart = lineChart({
    title: model,
    x: { label: words.tokens, log: true },
    y: { label: words.speed },
    series: (['full', 'shadow'] as const).map((mode) => ({
      name: names[mode],
      points: points
        .filter((point) => point.mode === mode)
        .map(({ tokens, seconds }) => ({ x: tokens, y: tokens / seconds })),
    })),
  });
  const heads = [words.columns.variant, words.tokens, words.seconds, words.speed];
  const rows = points.map(({ mode, tokens, seconds }) => {
    const cells = [countOf(told)(tokens), seconds.toFixed(2), countOf(told)(tokens / seconds)];
    return `<tr><th scope="row">${escapeHtml(names[mode])}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  return `${chart}
<div class="scroll"><table><thead><tr>${heads.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('')}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>`;
}

function nameOf({ variant: { attention, onProcessor = false } }: ComparisonRow, words: ReportWords): string {
  return words.variant(words.modes[attention.mode], attention, onProcessor);
}

function countOf({ language }: Told): (value: number) => string {
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  return (value) => format.format(value);
}

const STYLE = `
body { max-width: 1200px; margin: 24px auto; padding: 0 24px; background: #fff; color: #1a2023; font: 14px/1.5 system-ui, "Noto Sans", "Noto Sans CJK SC", "Microsoft YaHei", sans-serif; }
h1 { font-size: 24px; margin: 0 0 4px; } h2 { font-size: 16px; margin: 24px 0 4px; } h3 { font-size: 14px; margin: 0 0 4px; }
p { margin: 0 0 8px; } .facts, .note { color: #465257; } .note { font-size: 12px; }
.warning { padding: 4px 12px; border-left: 3px solid #7d5200; background: #fbf3e2; }
.scroll { overflow-x: auto; } table { width: 100%; margin: 12px 0; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 10px; border-bottom: 1px solid #dfe5e6; text-align: left; vertical-align: top; }
.remark { color: #465257; font-size: 12px; font-weight: 400; } .missing { color: #5b686d; } .bar { display: block; height: 4px; margin-top: 4px; border-radius: 2px; background: #0072b2; }
.answers { display: grid; grid-template-columns: repeat(auto-fit, minmax(260px, 1fr)); gap: 12px; }
section { padding: 12px 16px; border: 1px solid #dfe5e6; border-radius: 8px; } .answer, pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
mark { border-radius: 2px; background: #fbe3b3; color: inherit; }
`;
