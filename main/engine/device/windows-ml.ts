/**
 * Execution providers that Windows ML has installed for the whole machine. Its catalogue is a WinRT interface for apps with the
 * Windows App SDK (docs/decisions/0012); where its packages lie is in the registry for everybody.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const PACKAGES =
  'HKCU\\Software\\Classes\\Local Settings\\Software\\Microsoft\\Windows\\CurrentVersion\\AppModel\\Repository\\Packages';
const LIMIT_MS = 5000;

/** Folders of the providers for programs like this one; empty elsewhere than on Windows. */
export function windowsMlFolders(platform: string = process.platform, arch: string = process.arch): string[] {
  if (platform !== 'win32') return [];
  return providerKeys(query([PACKAGES]), arch).flatMap((key) => {
    const root = packageRoot(query([key, '/v', 'PackageRootFolder']));
    return root === undefined ? [] : [join(root, 'ExecutionProvider')];
  });
}

/** @param text the keys below PACKAGES, one a line, as `reg query` prints them. The newest version of each comes first. */
export function providerKeys(text: string, arch: string): string[] {
  const provider = new RegExp(`\\\\MicrosoftCorporationII\\.WinML\\.[\\w.-]+\\.EP\\.[\\w.]+_${arch}__\\w+$`, 'i');
  const found = text.split(/\r?\n/).map((line) => line.trim());
  const byVersion = new Intl.Collator('en', { numeric: true });
  return found.filter((line) => provider.test(line)).sort((a, b) => byVersion.compare(b, a));
}

/** @param text what `reg query KEY /v PackageRootFolder` prints */
export function packageRoot(text: string): string | undefined {
  return /^\s+PackageRootFolder\s+REG_SZ\s+(.*?)\s*$/m.exec(text)?.[1];
}

function query(args: readonly string[]): string {
  const result = spawnSync('reg', ['query', ...args], { encoding: 'utf8', timeout: LIMIT_MS, windowsHide: true });
  return result.status === 0 ? result.stdout : '';
}
