/**
 * ONNX Runtime's C headers, which onnxruntime-node lacks. They come in an npm package of 150 MB, fetched once and only for
 * what is built against them: the check of abi.h and the test device. The three files needed stay in .cache/.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../toolchain.mjs';

const cache = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), '.cache');
const PACKAGE = 'com.github.asus4.onnxruntime@0.4.9';
const SHA256 = 'e59788788818fdde1b2e522e766a21ba0f7d8391de55737abf81e32cc801785d';
const INSIDE = 'package/Plugins/iOS~/onnxruntime.xcframework/ios-arm64/onnxruntime.framework/Headers';
const HEADERS = ['onnxruntime_c_api.h', 'onnxruntime_ep_c_api.h', 'onnxruntime_error_code.h'];

/**
 * @returns {Promise<string>} the folder with the headers
 * @throws {Error} naming the program that failed, or the digest that differs
 */
export async function ortHeaders() {
  const folder = join(cache, 'ort-headers');
  if (existsSync(join(folder, 'onnxruntime_c_api.h'))) return folder;
  await mkdir(cache, { recursive: true });
  const partial = await mkdtemp(join(cache, 'ort-headers-partial-'));
  try {
    console.error(`fetching ${PACKAGE} (150 MB)`);
    await must('npm', ['pack', '--silent', PACKAGE], partial);
    const tarball = join(partial, 'com.github.asus4.onnxruntime-0.4.9.tgz');
    const digest = createHash('sha256')
      .update(await readFile(tarball))
      .digest('hex');
    if (digest !== SHA256) throw new Error(`${tarball} has sha256 ${digest}, not ${SHA256}`);
    const depth = String(INSIDE.split('/').length);
    const files = HEADERS.map((name) => `${INSIDE}/${name}`);
    await must('tar', ['-xzf', tarball, `--strip-components=${depth}`, ...files], partial);
    await rm(tarball);
    await rename(partial, folder).catch((error) => {
      if (!existsSync(folder)) throw error; // another process was faster
    });
    return folder;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** @param {string} program @param {string[]} args @param {string} cwd */
async function must(program, args, cwd) {
  const { ok, output } = await run(program, args, { cwd, shell: process.platform === 'win32' && program === 'npm' });
  if (!ok) throw new Error(`${program} ${args.join(' ')}:\n${output}`);
}
