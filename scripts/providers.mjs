/**
 * `npm run providers [-- --platform win32-arm64]`: fetches the execution provider libraries of NPUs for this machine, or for
 * another one that a package is made for, into providers/<platform>/.
 */
import { parseArgs } from 'node:util';
import { fetchProvider, providersFor } from './providers-fetch.mjs';
import { reasonOf, SetupError } from './setup/errors.mjs';

try {
  const { values } = parseArgs({ options: { platform: { type: 'string' } } });
  const platform = values.platform ?? `${process.platform}-${process.arch}`;
  const wanted = providersFor(platform);
  if (wanted.length === 0) console.log(`There are no execution provider libraries for ${platform}.`);
  for (const provider of wanted) {
    const { folder, fresh } = await fetchProvider(platform, provider, (text) => console.log(text));
    console.log(`${provider.requirement}: ${fresh ? 'fetched into' : 'is in'} ${folder}`);
  }
} catch (error) {
  console.error(reasonOf(error));
  if (error instanceof SetupError) console.error(`What to do: ${error.advice}`);
  process.exitCode = 1;
}
