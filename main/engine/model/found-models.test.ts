/** Models of other programs: found where these keep them, with their names, however damaged the rest of the folder is. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeTinyLlama } from '../testdata/gguf-writer.ts';
import { writeHfModel } from '../testdata/hf-writer.ts';
import { calibrateAlone } from '../testdata/import-harness.ts';
import { tempDir } from '../testdata/temp-dir.ts';
import { findModels, foreignFolders, type ModelFolder } from './found-models.ts';
import { ModelLibrary } from './library.ts';

const root = tempDir();
const model = join(root, 'model.gguf');
writeTinyLlama(model);
const bytes = statSync(model).size;
let home: string;
let tests = 0;
beforeEach(() => {
  home = join(root, `home-${++tests}`);
});

/** A copy of the tiny model, or `content`, under the home folder. */
function put(path: string, content?: string): string {
  const full = join(home, path);
  mkdirSync(dirname(full), { recursive: true });
  if (content === undefined) cpSync(model, full);
  else writeFileSync(full, content);
  return full;
}

function link(path: string, target: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  symlinkSync(target, join(home, path));
}

const folders = () => foreignFolders({}, home, 'linux').filter(({ path }) => path.startsWith(home));
const found = async () => (await findModels(folders())).map(({ name, origin }) => `${origin}: ${name}`);

describe('where other programs keep models', () => {
  const paths = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform, origin: ModelFolder['origin']) =>
    foreignFolders(env, join('/', 'home', 'me'), platform)
      .filter((folder) => folder.origin === origin)
      .map(({ path }) => path);

  it('by default', () => {
    expect(paths({}, 'linux', 'huggingface')).toEqual(['/home/me/.cache/huggingface/hub']);
    expect(paths({}, 'linux', 'llama.cpp')).toEqual(['/home/me/.cache/llama.cpp']);
    expect(paths({}, 'darwin', 'llama.cpp')).toEqual(['/home/me/Library/Caches/llama.cpp']);
    expect(paths({ LOCALAPPDATA: '/local' }, 'win32', 'llama.cpp')).toEqual(['/local/llama.cpp']);
    expect(paths({}, 'win32', 'ollama')).toEqual(['/home/me/.ollama/models']);
    expect(paths({}, 'linux', 'ollama')).toEqual(['/home/me/.ollama/models', '/usr/share/ollama/.ollama/models']);
  });

  it('by variables', () => {
    expect(paths({ HF_HOME: '/hf' }, 'linux', 'huggingface')).toEqual(['/hf/hub']);
    expect(paths({ HF_HOME: '/hf', HF_HUB_CACHE: '/cache' }, 'linux', 'huggingface')).toEqual(['/cache']);
    expect(paths({ XDG_CACHE_HOME: '/x' }, 'linux', 'huggingface')).toEqual(['/x/huggingface/hub']);
    expect(paths({ LLAMA_CACHE: '/l' }, 'win32', 'llama.cpp')).toEqual(['/l']);
    expect(paths({ OLLAMA_MODELS: '/o' }, 'win32', 'ollama')).toEqual(['/o']);
  });
});

it('finds nothing where there is nothing', async () => {
  expect(await found()).toEqual([]);
});

it('LM Studio: by publisher and repository, without vision parts and later parts', async () => {
  put('.lmstudio/models/Pub/Repo-GGUF/Repo-Q4_K_M.gguf');
  put('.lmstudio/models/Pub/Repo-GGUF/mmproj-model-f16.gguf', 'x');
  put('.lmstudio/models/Pub/Big/Big-00001-of-00002.gguf', 'first');
  put('.lmstudio/models/Pub/Big/Big-00002-of-00002.gguf', 'second');
  put('.lmstudio/models/Pub/Repo-GGUF/.hidden.gguf', 'x');
  put('.cache/lm-studio/models/Old/Old/old.gguf', 'older');
  expect(await found()).toEqual(['lm-studio: Big-00001-of-00002', 'lm-studio: Repo-Q4_K_M', 'lm-studio: old']);
});

describe("Hugging Face's cache", () => {
  const REPO = '.cache/huggingface/hub/models--Org--Tiny-GGUF';

  it('the current snapshot, its files links to blobs', async () => {
    const blob = put(`${REPO}/blobs/abc`);
    link(`${REPO}/snapshots/0001/Tiny-Q8_0.gguf`, blob);
    link(`${REPO}/snapshots/0002/quants/Tiny-Q4_0.gguf`, blob);
    link(`${REPO}/snapshots/0002/gone.gguf`, join(home, 'no such blob'));
    put(`${REPO}/refs/main`, '0002\n');
    put('.cache/huggingface/hub/datasets--a--b/snapshots/1/data.gguf');
    expect(await found()).toEqual(['huggingface: Tiny-Q4_0']);
    rmSync(join(home, REPO, 'refs'), { recursive: true });
    expect((await found()).length).toBe(1);
  });

  it('safetensors of language models by the name of their repository, nothing else', async () => {
    writeHfModel(join(home, '.cache/huggingface/hub/models--Org--Small/snapshots/1a'));
    writeHfModel(join(home, '.cache/huggingface/hub/models--bert/snapshots/1b'), {
      config: { architectures: ['BertForMaskedLM'] },
    });
    put('.cache/huggingface/hub/models--Org--Half/snapshots/1c/config.json', '{"architectures": ["LlamaForCausalLM"]}');
    const [only, ...others] = await findModels(folders());
    expect(others).toEqual([]);
    const folder = join(home, '.cache/huggingface/hub/models--Org--Small/snapshots/1a');
    const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
    expect(only).toMatchObject({ name: 'Small', path: folder, bytes: sizes.reduce((a, b) => a + b) });
  });
});

it('Ollama: names of manifests, files of blobs; broken ones are left out', async () => {
  const digest = 'sha256:'.padEnd(71, 'a');
  const manifest = (of: string) =>
    JSON.stringify({
      layers: [
        { mediaType: 'application/vnd.ollama.image.template', digest: 'sha256:'.padEnd(71, 'b') },
        { mediaType: 'application/vnd.ollama.image.model', digest: of },
      ],
    });
  const blob = put(`.ollama/models/blobs/${digest.replace(':', '-')}`);
  const put2 = (name: string, content: string) => put(`.ollama/models/manifests/${name}`, content);
  put2('registry.ollama.ai/library/tiny/1b', manifest(digest));
  put2('registry.ollama.ai/someone/other/latest', manifest('sha256:'.padEnd(71, 'c')));
  put2('registry.ollama.ai/library/evil/latest', manifest('sha256:../../../../etc/passwd'));
  put2('registry.ollama.ai/library/broken/latest', '{');
  put2('hf.co/Org/Repo/Q4', manifest(digest));
  const [first, ...others] = await findModels(folders());
  expect(first).toEqual({
    path: blob,
    name: 'hf.co/Org/Repo:Q4',
    bytes,
    modifiedMs: expect.any(Number),
    origin: 'ollama',
  });
  // One file under two names is one model.
  expect(others).toEqual([]);
  rmSync(join(home, '.ollama/models/manifests/hf.co'), { recursive: true });
  expect(await found()).toEqual(['ollama: tiny:1b']);
});

it('loops and depth end a walk', async () => {
  put('.lmstudio/models/a/b/model.gguf');
  link('.lmstudio/models/a/again', join(home, '.lmstudio/models'));
  link('.lmstudio/models/a/self', join(home, '.lmstudio/models/a/self'));
  put(`.lmstudio/models/${'d/'.repeat(7)}deep.gguf`, 'too deep');
  put(`.lmstudio/models/${'e/'.repeat(6)}deep.gguf`, 'just reached');
  expect(await found()).toEqual(['lm-studio: model', 'lm-studio: deep']);
});

describe('in the library', () => {
  const options = { calibrate: calibrateAlone };
  const open = () =>
    new ModelLibrary({ modelsDir: join(home, 'models'), bundlesDir: join(home, 'bundles'), foreign: folders() });

  it('a found model is imported, verified and removed without a change to the other program', async () => {
    const path = put('.lmstudio/models/Pub/Repo/Tiny.gguf');
    const before = readFileSync(path);
    const library = open();
    expect(await library.list()).toMatchObject([
      { id: 'tiny', name: 'Tiny', origin: 'lm-studio', bytes: 0, sourceBytes: bytes, sourcePath: path, weights: [] },
    ]);
    (await library.ensure('tiny', 'exact', options)).close();
    const [imported, ...others] = await library.list();
    expect(others).toEqual([]);
    expect(imported).toMatchObject({ id: 'tiny', name: 'Tiny', origin: 'lm-studio', weights: ['exact'] });
    expect(imported?.bytes).toBeGreaterThan(0);
    expect(await library.verify({ id: 'tiny' })).toBe('checksum');
    await library.remove('tiny');
    expect(await library.list()).toMatchObject([{ id: 'tiny', weights: [], bytes: 0 }]);
    expect(readdirSync(join(home, '.lmstudio/models/Pub/Repo'))).toEqual(['Tiny.gguf']);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('a model that is in several places is there once, the app folder first', async () => {
    put('.lmstudio/models/Pub/Repo/Tiny.gguf');
    put('.cache/llama.cpp/Tiny.gguf');
    put('models/Tiny.gguf');
    expect(await open().list()).toMatchObject([{ id: 'tiny', origin: 'folder' }]);
  });

  it('other models of one name have ids that stay', async () => {
    put('models/Tiny.gguf');
    writeTinyLlama(put('.lmstudio/models/Pub/Repo/Tiny.gguf'), { layers: 3 });
    const list = async () => (await open().list()).map(({ id, origin }) => `${origin} ${id}`);
    const [first, second] = await list();
    expect(first).toBe('folder tiny');
    expect(second).toMatch(/^lm-studio tiny-[0-9a-f]{8}$/);
    expect(await list()).toEqual([first, second]);
    const id = second?.split(' ')[1] ?? '';
    const bundle = await open().ensure(id, 'exact', options);
    bundle.close();
    expect(bundle.manifest).toMatchObject({ id, name: 'Tiny', config: { nLayer: 3 } });
    expect(await list()).toEqual([second, first]);
  });

  it('a folder of safetensors keeps the name of its repository', async () => {
    writeHfModel(join(home, '.cache/huggingface/hub/models--Org--Small/snapshots/1a'));
    (await open().ensure('small', 'exact', options)).close();
    expect(await open().list()).toMatchObject([
      { id: 'small', name: 'Small', origin: 'huggingface', weights: ['exact'] },
    ]);
  });

  it('a folder of safetensors among the models is one, and goes as a whole', async () => {
    writeHfModel(join(home, 'models', 'My Model'));
    const library = open();
    const [model] = await library.list();
    expect(model).toMatchObject({ id: 'my-model', name: 'My Model', origin: 'folder' });
    expect(model?.bytes).toBe(model?.sourceBytes);
    await library.remove('my-model');
    expect(readdirSync(join(home, 'models'))).toEqual([]);
  });
});
