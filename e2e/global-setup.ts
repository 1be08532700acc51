/**
 * One data folder for the whole run, with the default model and nothing imported: the first test pays for the import
 * as the first start does, the others find it done. Its name has spaces and Chinese characters for all of them.
 */
import { copyFileSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dataDir } from '../main/data-dir.mjs';
import { DATA_FOLDER } from './app.ts';

export default function setUp(): () => void {
  const resources = path.join(import.meta.dirname, '..', 'resources');
  const { file } = JSON.parse(readFileSync(path.join(resources, 'default-model.json'), 'utf8')) as { file: string };
  const home = mkdtempSync(path.join(tmpdir(), 'shadownpu 测试 '));
  mkdirSync(path.join(home, 'models'));
  const from = path.join(dataDir(), 'models', file);
  const to = path.join(home, 'models', file);
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to); // another disk
  }
  process.env[DATA_FOLDER] = home;
  return () => rmSync(home, { recursive: true, force: true });
}
