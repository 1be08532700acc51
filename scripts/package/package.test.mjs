import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../setup/paths.mjs';
import { chosen } from './targets.mjs';

describe('packages by name', () => {
  it('are those asked for, in the order that they are built in', () => {
    const found = chosen(['windows-dir', 'linux-dir']);
    expect(found).toMatchObject([{ name: 'linux-dir' }, { name: 'windows-dir', system: 'win32-x64', target: 'dir' }]);
  });
  it('that do not exist are refused with the names that do', () => {
    expect(chosen(['linux-dir', 'linux-rpm'])).toMatch(/Unknown package: linux-rpm\n.*linux-appimage/s);
  });
});

describe('icons', () => {
  const folder = join(ROOT, 'resources', 'icons');
  const pngs = readdirSync(folder).filter((name) => name.endsWith('.png'));
  const ico = readFileSync(join(folder, 'icon.ico'));

  it.each(pngs)('%s has the size in its name', (name) => {
    const png = readFileSync(join(folder, name));
    // The header chunk's width and height.
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}.png`).toBe(name);
  });
  it('for Windows holds the same pictures up to 256 pixels', () => {
    const pictures = Array.from({ length: ico.readUInt16LE(4) }, (_, i) => {
      const entry = ico.subarray(6 + 16 * i);
      const size = entry.readUInt8(0) || 256;
      const offset = entry.readUInt32LE(12);
      return [`${size}x${size}.png`, ico.subarray(offset, offset + entry.readUInt32LE(8))];
    });
    const small = pngs.filter((name) => name !== '512x512.png').map((name) => [name, readFileSync(join(folder, name))]);
    expect(Object.fromEntries(pictures)).toEqual(Object.fromEntries(small));
  });
});
