/** Models that are on this computer: added by a dialog, found in another program's folder, checked, unloaded, deleted. */
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { writeHfModel } from '../main/engine/testdata/hf-writer.ts';
import { writeTinyLlama } from '../main/engine/testdata/tiny-llama.ts';
import { DATA_FOLDER, ended, expect, lastAnswer, ready, type StartedApp, send, startApp, test } from './app.ts';

const DEFAULT = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '..', 'resources', 'default-model.json'), 'utf8'),
) as { file: string };

let folder: string;
let home: string;
let running: StartedApp | undefined;

test.beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'models 模型 '));
  home = path.join(folder, 'home');
});
test.afterEach(async () => {
  await running?.electron.close();
  running = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function start(profile: string): Promise<Page> {
  // Other programs' folders of this machine are not looked into; LM Studio's are found by the user's folder.
  const elsewhere = {
    HF_HOME: path.join(folder, 'hf'),
    LLAMA_CACHE: path.join(folder, 'llama.cpp'),
    OLLAMA_MODELS: path.join(folder, 'ollama'),
    HOME: folder,
    USERPROFILE: folder,
  };
  const before = { ...process.env };
  Object.assign(process.env, elsewhere);
  try {
    running = await startApp(profile, home);
  } finally {
    for (const name of Object.keys(elsewhere)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
  await running.window.getByRole('button', { name: 'Models', exact: true }).click();
  return running.window;
}

/** Answers the next native dialog; the only part of the app that is not itself here. */
async function choose(file: string): Promise<void> {
  await running?.electron.evaluate(({ dialog }, filePath) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [filePath] });
  }, file);
}

async function more(card: Locator, name: string, item: string): Promise<void> {
  await card.getByRole('button', { name: `More for ${name}` }).click();
  await card.page().getByRole('menuitem', { name: item }).click();
}

test('a model is added by the dialog, answers, gives its memory back, is checked and deleted', async ({ profile }) => {
  test.setTimeout(180_000);
  const file = path.join(folder, 'My model.gguf');
  writeTinyLlama(file);
  const window = await start(profile);
  await expect(window.getByText('No model yet')).toBeVisible();
  await choose(file);
  await window.getByRole('button', { name: 'Choose a file' }).click();
  const card = window.getByTestId('model');
  await expect(card).toHaveCount(1, { timeout: 60_000 });
  await expect(card).toContainText('fast weights ready · imported from elsewhere');
  await expect(card.getByTestId('fit')).toHaveText(/^Fits/);
  const name = (await card.getAttribute('aria-label')) ?? '';
  await more(card, name, 'Check the files');
  await expect(card).toContainText(/Checked: all files|Read through/);

  // The first model of all is loaded without being asked.
  await ready(window);
  await expect(card.getByText('In use')).toBeVisible();
  await more(card, name, 'Give its memory back');
  const status = window.getByTestId('engine-status');
  await expect(status).toHaveAttribute('data-state', 'unloaded');
  await window.getByRole('button', { name: 'Chat', exact: true }).click();
  await send(window, 'a');
  await ended(window, 'complete');
  await expect(lastAnswer(window)).toBeVisible();
  await expect(status).toHaveAttribute('data-state', 'ready');

  await window.getByRole('button', { name: 'Models', exact: true }).click();
  await more(card, name, 'Delete…');
  const dialog = window.getByRole('dialog');
  await expect(dialog).toContainText(`Delete ${name}?`);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(card).toHaveCount(1);
  await more(card, name, 'Delete…');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(card).toHaveCount(0);
  await expect(status).toHaveAttribute('data-state', 'no-model');
  // It was never ours.
  expect(existsSync(file)).toBe(true);
});

test('a file that is no model is refused in words', async ({ profile }) => {
  const window = await start(profile);
  const file = path.join(folder, 'page.gguf');
  writeFileSync(file, '<html>');
  await choose(file);
  await window.getByRole('button', { name: 'Choose a file' }).click();
  await expect(window.getByTestId('error-notice')).toContainText(/HTML|page/i);
  await expect(window.getByTestId('model')).toHaveCount(0);
});

test('a folder of safetensors is added and answers; one that lacks a file is refused by its name', async ({
  profile,
}) => {
  test.setTimeout(180_000);
  const whole = path.join(folder, 'Whole 完整');
  const part = path.join(folder, 'Part');
  writeHfModel(whole, { shards: 2 });
  writeHfModel(part, { shards: 2 });
  rmSync(path.join(part, 'model-00002-of-00002.safetensors'));
  const window = await start(profile);
  await choose(part);
  await window.getByRole('button', { name: 'Choose a folder' }).click();
  await expect(window.getByTestId('error-notice')).toContainText('model-00002-of-00002.safetensors');
  await expect(window.getByTestId('model')).toHaveCount(0);

  await choose(whole);
  await window.getByRole('button', { name: 'Choose a folder' }).click();
  const card = window.getByTestId('model');
  await expect(card).toContainText('fast weights ready · imported from elsewhere', { timeout: 60_000 });
  await ready(window);
  await more(card, (await card.getAttribute('aria-label')) ?? '', 'Check the files');
  await expect(card).toContainText(/Checked: all files|Read through/);
  await window.getByRole('button', { name: 'Chat', exact: true }).click();
  await send(window, 'a');
  await ended(window, 'complete');
  await expect(lastAnswer(window)).toBeVisible();
});

/** A small model where LM Studio, llama.cpp and Ollama keep theirs. */
function fillOtherPrograms(): void {
  const inFolder = (...names: string[]) => {
    mkdirSync(path.join(folder, ...names.slice(0, -1)), { recursive: true });
    return path.join(folder, ...names);
  };
  writeTinyLlama(inFolder('.lmstudio', 'models', 'who', 'Studio-GGUF', 'studio.gguf'));
  writeTinyLlama(inFolder('llama.cpp', 'who_Cached.gguf'));
  const blob = inFolder('ollama', 'blobs', `sha256-${'a'.repeat(64)}`);
  writeTinyLlama(blob);
  const layer = {
    mediaType: 'application/vnd.ollama.image.model',
    digest: `sha256:${'a'.repeat(64)}`,
    size: statSync(blob).size,
  };
  writeFileSync(
    inFolder('ollama', 'manifests', 'registry.ollama.ai', 'library', 'kept', 'latest'),
    JSON.stringify({ schemaVersion: 2, layers: [layer] }),
  );
}

test('models of other programs are found, and one in the Hugging Face cache is used where it lies', async ({
  profile,
}) => {
  test.setTimeout(240_000);
  fillOtherPrograms();
  const snapshot = path.join(folder, 'hf', 'hub', 'models--who--SmolLM2-GGUF', 'snapshots', '1f00');
  mkdirSync(snapshot, { recursive: true });
  const file = path.join(snapshot, DEFAULT.file);
  const from = path.join(process.env[DATA_FOLDER] ?? '', 'models', DEFAULT.file);
  try {
    linkSync(from, file);
  } catch {
    copyFileSync(from, file); // another disk
  }
  const window = await start(profile);
  const found = (where: string) => window.getByTestId('model').filter({ hasText: `found in ${where}` });
  for (const program of ['LM Studio', 'llama.cpp’s cache', 'Ollama']) {
    await expect(found(program)).toContainText('prepared at first use');
  }
  const card = found('the Hugging Face cache');
  await expect(card).toContainText('prepared at first use');
  await expect(
    window.getByRole('listitem', { name: 'SmolLM2 135M Instruct' }).getByText('On this computer'),
  ).toBeVisible();
  // Nobody chose it yet.
  await expect(window.getByTestId('engine-status')).toHaveAttribute('data-state', 'no-model');
  await card.getByRole('button', { name: /^Load / }).click();
  await expect(window.getByTestId('engine-status')).toHaveAttribute('data-state', 'ready', { timeout: 200_000 });
  await expect(card).toContainText('fast weights ready');
  const name = (await card.getAttribute('aria-label')) ?? '';
  await more(card, name, 'Check the files');
  await expect(card).toContainText('Checked: all files are as they should be.', { timeout: 60_000 });
  await more(card, name, 'Delete…');
  await expect(window.getByRole('dialog')).toContainText('belongs to another program and stays');
  await window.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(card).toContainText('prepared at first use');
  expect(existsSync(file)).toBe(true);
});
