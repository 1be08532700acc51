/** What an open window costs while nothing happens. */
import { readFileSync } from 'node:fs';
import { expect, ready, test } from './app.ts';

/** The limit that this app sets itself, in MB of 10^6 bytes. */
const WINDOW_MB = 250;

test('an idle window takes less than 250 MB', async ({ app: { electron, window } }) => {
  test.skip(process.platform !== 'linux', 'reads /proc');
  await ready(window);
  await window.waitForTimeout(5_000);
  const found = await electron.evaluate(({ app }) =>
    app.getAppMetrics().map(({ pid, type, name }) => ({ pid, type, name })),
  );
  const sizes = found.map(({ pid, type, name }) => ({ name: name ?? type, type, megabytes: proportional(pid) }));
  for (const { name, megabytes } of sizes) console.log(`${name}: ${megabytes.toFixed(0)} MB`);
  // The page's own process and the one that draws it.
  const drawing = sizes.filter(({ type }) => type === 'Tab' || type === 'GPU');
  const sum = drawing.reduce((total, { megabytes }) => total + megabytes, 0);
  console.log(`the window (page and drawing): ${sum.toFixed(0)} MB`);
  expect(drawing.length).toBeGreaterThan(0);
  expect(sum).toBeLessThan(WINDOW_MB);
});

/** A process's memory; what it shares with others counts by its share. */
function proportional(pid: number): number {
  const [, kibibytes = ''] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return (Number(kibibytes) * 1024) / 1e6;
}
