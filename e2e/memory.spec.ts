/** What an open app costs while nothing happens. */
import { ENGINE, expect, megabytesOf, ready, test } from './app.ts';

/** The limit that this app sets itself, in MB of 10^6 bytes. */
const WINDOW_MB = 250;

test('an idle window takes less than 250 MB beside the engine', async ({ app: { electron, window } }) => {
  test.skip(process.platform !== 'linux', 'reads /proc');
  await ready(window);
  // What the start leaves behind, up to 9 MB of the page, is collected within ten seconds of rest.
  await window.waitForTimeout(15_000);
  const found = await electron.evaluate(({ app }) =>
    app.getAppMetrics().map(({ pid, type, name }) => ({ pid, type, name })),
  );
  const sizes = found.map(({ pid, type, name }) => ({ name: name ?? type, megabytes: megabytesOf(pid) }));
  for (const { name, megabytes } of sizes) console.log(`${name}: ${megabytes.toFixed(0)} MB`);
  // The model is the engine's; all the rest is there for the window.
  const rest = sizes.filter(({ name }) => name !== ENGINE);
  const sum = rest.reduce((total, { megabytes }) => total + megabytes, 0);
  console.log(`all but the engine: ${sum.toFixed(0)} MB`);
  expect(rest.length).toBe(sizes.length - 1);
  expect(sum).toBeLessThan(WINDOW_MB);
});
