/** Checks the dependency rules of .dependency-cruiser.cjs over the project. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './setup/paths.mjs';
import { run } from './setup/run.mjs';

/** Below this many modules the tool has not seen the project (it says "no violations" over nothing, too). */
const LEAST_MODULES = 20;
const FOLDERS = ['contract', 'main', 'renderer', 'native', 'scripts'];

/** @typedef {{ rule: string, from: string, to: string }} Violation */

/**
 * @param {string} root a folder laid out like this project, with a tsconfig.json
 * @param {string[]} [folders] what to look at, relative to `root`
 * @returns {Promise<{ modules: number, violations: Violation[] }>}
 */
export async function cruise(root, folders = FOLDERS) {
  const tool = join(ROOT, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
  const config = join(ROOT, '.dependency-cruiser.cjs');
  const args = [tool, '--config', config, '--output-type', 'json', ...folders];
  const { summary, modules } = JSON.parse(await run(process.execPath, args, { cwd: root }));
  return {
    modules: modules.filter((/** @type {{ source: string }} */ { source }) => !source.includes('node_modules')).length,
    violations: summary.violations.map((/** @type {{ rule: { name: string }, from: string, to: string }} */ v) => ({
      rule: v.rule.name,
      from: v.from,
      to: v.to,
    })),
  };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { modules, violations } = await cruise(ROOT);
  for (const { rule, from, to } of violations) console.log(`${rule}: ${from} -> ${to}`);
  console.log(`${modules} modules, ${violations.length} violations of the dependency rules`);
  if (modules <= LEAST_MODULES) console.log(`Fewer than ${LEAST_MODULES} modules were seen: the check did not work.`);
  if (modules <= LEAST_MODULES || violations.length > 0) process.exitCode = 1;
}
