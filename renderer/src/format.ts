/** Numbers as people read them. A narrow no-break space stands between a number and its unit. */

const counts = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const THIN = '\u202f';

/** 2048 -> "2,048". */
export function formatCount(value: number): string {
  return counts.format(value);
}

/** A share from 0 to 1 as "20 %", with one digit below 10 % where it is needed. */
export function formatPercent(share: number): string {
  const percent = share * 100;
  const rounded = percent < 10 ? Math.round(percent * 10) / 10 : Math.round(percent);
  return `${rounded}${THIN}%`;
}

/** Tokens per second: "812 tok/s", below 10 with one decimal. */
export function formatSpeed(tokensPerSecond: number): string {
  if (!Number.isFinite(tokensPerSecond) || tokensPerSecond < 0) return `–${THIN}tok/s`;
  return `${(tokensPerSecond < 9.95 ? tenths : counts).format(tokensPerSecond)}${THIN}tok/s`;
}

/** A duration in seconds: "0.94 s", "9.4 s", "42 s", "3 min 05 s". */
export function formatSeconds(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0) return `–${THIN}s`;
  if (seconds < 0.995) return `${(Math.round(seconds * 100) / 100).toFixed(2)}${THIN}s`;
  if (seconds < 9.95) return `${tenths.format(seconds)}${THIN}s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole}${THIN}s`;
  return `${Math.floor(whole / 60)}${THIN}min ${String(whole % 60).padStart(2, '0')}${THIN}s`;
}

/** Milliseconds of a short run: "0.93 ms", "12.4 ms". */
export function formatMilliseconds(ms: number): string {
  return `${ms < 9.995 ? ms.toFixed(2) : tenths.format(ms)}${THIN}ms`;
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
  return `${(unit > 0 && value < 9.95 ? tenths : counts).format(value)}${THIN}${units[unit] ?? ''}`;
}
