import { expect, test } from 'vitest';
import { packageRoot, providerKeys, windowsMlFolders } from './windows-ml.ts';

const ROOT = 'HKEY_CURRENT_USER\\Software\\Classes\\Local Settings\\...\\AppModel\\Repository\\Packages';
const KEYS = [
  '',
  `${ROOT}\\Microsoft.Paint_11.2410.28.0_x64__8wekyb3d8bbwe`,
  `${ROOT}\\MicrosoftCorporationII.WinML.AMD.NPU.EP.1.8_1.8.9.0_x64__8wekyb3d8bbwe`,
  `${ROOT}\\MicrosoftCorporationII.WinML.AMD.NPU.EP.1.8_1.8.51.0_x64__8wekyb3d8bbwe`,
  `${ROOT}\\MicrosoftCorporationII.WinML.Qualcomm.QNN.EP.2_2.2420.44.0_arm64__8wekyb3d8bbwe`,
  `${ROOT}\\Evil.MicrosoftCorporationII.WinML.x.EP.1_1.0.0.0_x64__abc`,
].join('\r\n');

test('packages of execution providers for this architecture, the newest first', () => {
  const name = (key: string) => key.slice(ROOT.length + 1);
  expect(providerKeys(KEYS, 'x64').map(name)).toEqual([
    'MicrosoftCorporationII.WinML.AMD.NPU.EP.1.8_1.8.51.0_x64__8wekyb3d8bbwe',
    'MicrosoftCorporationII.WinML.AMD.NPU.EP.1.8_1.8.9.0_x64__8wekyb3d8bbwe',
  ]);
  expect(providerKeys(KEYS, 'arm64')).toHaveLength(1);
  expect(providerKeys('ERROR: The system was unable to find the key.', 'x64')).toEqual([]);
});

test('the folder of a package', () => {
  const folder =
    'C:\\Program Files\\WindowsApps\\MicrosoftCorporationII.WinML.AMD.NPU.EP.1.8_1.8.51.0_x64__8wekyb3d8bbwe';
  expect(packageRoot(`\r\n${ROOT}\\x\r\n    PackageRootFolder    REG_SZ    ${folder}\r\n\r\n`)).toBe(folder);
  expect(packageRoot('')).toBeUndefined();
});

test('elsewhere there are none', () => expect(windowsMlFolders('linux')).toEqual([]));
