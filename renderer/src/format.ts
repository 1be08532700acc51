/** Numbers as people read them in the window's language. A narrow no-break space stands between a number and its unit. */
import type { Language } from '../../contract/language.ts';

const THIN = '\u202f';

interface Format {
  readonly counts: Intl.NumberFormat;
  readonly tenths: Intl.NumberFormat;
  readonly dates: Intl.DateTimeFormat;
  readonly percent: string;
  readonly speed: string;
  readonly minutes: string;
  readonly seconds: string;
  readonly milliseconds: string;
}

function numbersOf(language: Language): Pick<Format, 'counts' | 'tenths' | 'dates'> {
  return {
    counts: new Intl.NumberFormat(language, { maximumFractionDigits: 0 }),
    tenths: new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
    dates: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }),
  };
}

const formats: Readonly<Record<Language, Format>> = {
  en: {
    ...numbersOf('en'),
    percent: `${THIN}%`,
    speed: 'tok/s',
    minutes: 'min',
    seconds: 's',
    milliseconds: 'ms',
  },
  'zh-CN': {
    ...numbersOf('zh-CN'),
    percent: '%',
    speed: '词元/秒',
    minutes: '分',
    seconds: '秒',
    milliseconds: '毫秒',
  },
};

let format = formats.en;

/** To be called by setLanguage only. */
export function setFormatLanguage(language: Language): void {
  format = formats[language];
}

/** 2048 -> "2,048". */
export function formatCount(value: number): string {
  return format.counts.format(value);
}

/** A moment, in milliseconds since 1970, in local time: "Nov 30, 2026, 1:05 PM". */
export function formatDate(time: number): string {
  return format.dates.format(time);
}

/** A share from 0 to 1 as "20 %", with one digit below 10 % where it is needed. */
export function formatPercent(share: number): string {
  const percent = share * 100;
  const rounded = percent < 10 ? Math.round(percent * 10) / 10 : Math.round(percent);
  return `${rounded}${format.percent}`;
}

/** Tokens per second: "812 tok/s", below 10 with one decimal. */
export function formatSpeed(tokensPerSecond: number): string {
  if (!Number.isFinite(tokensPerSecond) || tokensPerSecond < 0) return `–${THIN}${format.speed}`;
  return `${(tokensPerSecond < 9.95 ? format.tenths : format.counts).format(tokensPerSecond)}${THIN}${format.speed}`;
}

/** A duration in seconds: "0.94 s", "9.4 s", "42 s", "3 min 05 s". */
export function formatSeconds(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0) return `–${THIN}${format.seconds}`;
  if (seconds < 0.995) return `${(Math.round(seconds * 100) / 100).toFixed(2)}${THIN}${format.seconds}`;
  if (seconds < 9.95) return `${format.tenths.format(seconds)}${THIN}${format.seconds}`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole}${THIN}${format.seconds}`;
  return `${Math.floor(whole / 60)}${THIN}${format.minutes} ${String(whole % 60).padStart(2, '0')}${THIN}${format.seconds}`;
}

/** Milliseconds of a short run: "0.93 ms", "12.4 ms". */
export function formatMilliseconds(ms: number): string {
  return `${ms < 9.995 ? ms.toFixed(2) : format.tenths.format(ms)}${THIN}${format.milliseconds}`;
}

/** Bytes on disk, in decimal units as file managers show them: "98 MB", "1.2 GB". */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${(unit > 0 && value < 9.95 ? format.tenths : format.counts).format(value)}${THIN}${units[unit] ?? ''}`;
}

/** First and last of the lines that a citation of a text file names, as "L12-14"; undefined of other labels. */
export function lineNumbers(label: string): readonly [first: number, last: number] | undefined {
  const [, first, last = first] = /^L(\d+)(?:-(\d+))?$/.exec(label) ?? [];
  return first === undefined ? undefined : [Number(first), Number(last)];
}

/** Whether what a document calls a page is a number, Roman ones included, and not a heading. */
export function isPageNumber(label: string): boolean {
  return /^[\p{L}]{0,2}[-. ]?\d{1,6}$|^[ivxlcdm]{1,9}$/iu.test(label);
}
