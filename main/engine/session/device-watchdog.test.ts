import { expect, test } from 'vitest';
import { Watchdog } from './device-watchdog.ts';

test('gives the first runs half a minute, later ones twenty times the median', () => {
  const watchdog = new Watchdog();
  expect(watchdog.limitMs).toBe(30_000);
  for (const ms of [900, 300, 200]) watchdog.add(ms);
  expect(watchdog.limitMs).toBe(6_000); // 20 x 300
  for (let i = 0; i < 40; i++) watchdog.add(150);
  expect(watchdog.limitMs).toBe(3_000); // the slow start is forgotten
});

test('is never shorter than two seconds and never longer than at first', () => {
  const watchdog = new Watchdog();
  for (let i = 0; i < 5; i++) watchdog.add(1);
  expect(watchdog.limitMs).toBe(2_000);
  for (let i = 0; i < 40; i++) watchdog.add(10_000);
  expect(watchdog.limitMs).toBe(30_000);
  expect(new Watchdog(500).limitMs).toBe(500);
});
