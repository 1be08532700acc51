import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatPercent,
  formatSeconds,
  formatSpeed,
  isPageNumber,
  lineNumbers,
} from './format.ts';

const thin = (text: string) => text.replaceAll('\u202f', '_');

describe('numbers as people read them', () => {
  it('counts', () => expect(formatCount(1234567)).toBe('1,234,567'));

  it('shares', () => {
    expect(thin(formatPercent(0.2))).toBe('20_%');
    expect(thin(formatPercent(0.07))).toBe('7_%');
    expect(thin(formatPercent(0.075))).toBe('7.5_%');
    expect(thin(formatPercent(1))).toBe('100_%');
  });

  it('speeds', () => {
    expect(thin(formatSpeed(812.4))).toBe('812_tok/s');
    expect(thin(formatSpeed(9.94))).toBe('9.9_tok/s');
    expect(thin(formatSpeed(9.96))).toBe('10_tok/s');
    expect(thin(formatSpeed(0))).toBe('0.0_tok/s');
    expect(thin(formatSpeed(Number.POSITIVE_INFINITY))).toBe('–_tok/s');
    expect(thin(formatSpeed(Number.NaN))).toBe('–_tok/s');
  });

  it('durations, without jumps at the borders', () => {
    expect(thin(formatSeconds(0.0421))).toBe('0.04_s');
    expect(thin(formatSeconds(0.996))).toBe('1.0_s');
    expect(thin(formatSeconds(9.96))).toBe('10_s');
    expect(thin(formatSeconds(59.6))).toBe('1_min 00_s');
    expect(thin(formatSeconds(185))).toBe('3_min 05_s');
    expect(thin(formatSeconds(Number.NaN))).toBe('–_s');
  });

  it('sizes', () => {
    expect(thin(formatBytes(98_362_432))).toBe('98_MB');
    expect(thin(formatBytes(1_200_000_000))).toBe('1.2_GB');
    expect(thin(formatBytes(999_700))).toBe('1.0_MB');
    expect(thin(formatBytes(0))).toBe('0_B');
  });

  it('tells numbers of pages from headings', () => {
    for (const label of ['7', 'iv', 'XII', 'A-3', '1204']) expect(isPageNumber(label), label).toBe(true);
    for (const label of ['Harbour report', 'Chapter 1', '', '第一章']) expect(isPageNumber(label), label).toBe(false);
    expect([lineNumbers('L12'), lineNumbers('L12-14'), lineNumbers('12'), lineNumbers('L-12')]).toEqual([
      [12, 12],
      [12, 14],
      undefined,
      undefined,
    ]);
  });
});
