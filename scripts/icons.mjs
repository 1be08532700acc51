/**
 * `node scripts/icons.mjs`: draws the app's icon for Linux (PNG, one file a size) and Windows (ICO) from
 * resources/icons/icon.svg. The results are committed; run it again when the drawing changes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findElectron } from './setup/electron.mjs';
import { ROOT } from './setup/paths.mjs';
import { run } from './setup/run.mjs';
import { hasDisplay } from './setup/system-packages.mjs';

const FOLDER = join(ROOT, 'resources', 'icons');
const LINUX_SIZES = [16, 24, 32, 48, 64, 128, 256, 512];
const WINDOWS_SIZES = LINUX_SIZES.filter((size) => size <= 256);

const electron = findElectron();
if (electron === undefined) throw new Error('there is no Electron yet: npm start -- --setup-only');
const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const page = join(import.meta.dirname, 'package', 'icon-page.cjs');
const args = [...sandbox, '--disable-gpu', page, join(FOLDER, 'icon.svg'), FOLDER, ...LINUX_SIZES.map(String)];
await (hasDisplay(process.env) ? run(electron.file, args) : run('xvfb-run', ['-a', electron.file, ...args]));
writeFileSync(join(FOLDER, 'icon.ico'), ico(WINDOWS_SIZES));

/**
 * An ICO file of PNG images: a header of 6 bytes, an entry of 16 bytes an image, then the images.
 * @param {number[]} sizes edge lengths in pixels, at most 256
 */
function ico(sizes) {
  const images = sizes.map((size) => readFileSync(join(FOLDER, `${size}x${size}.png`)));
  const header = Buffer.alloc(6 + 16 * sizes.length);
  header.writeUInt16LE(1, 2); // an icon, not a cursor
  header.writeUInt16LE(sizes.length, 4);
  let offset = header.length;
  sizes.forEach((size, i) => {
    const entry = header.subarray(6 + 16 * i);
    const length = images[i]?.length ?? 0;
    entry.writeUInt8(size % 256, 0); // 0 means 256
    entry.writeUInt8(size % 256, 1);
    entry.writeUInt16LE(1, 4); // colour planes
    entry.writeUInt16LE(32, 6); // bits a pixel
    entry.writeUInt32LE(length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += length;
  });
  return Buffer.concat([header, ...images]);
}
