/** Folders of safetensors that are broken, hostile or of another kind: each is refused by name, and nothing is written. */
import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { encodeSafetensors, type HeaderEntry, type HfOptions, writeHfModel } from '../testdata/hf-writer.ts';
import { calibrateAlone } from '../testdata/import-harness.ts';
import { refusal } from '../testdata/refusal.ts';
import { tempDir } from '../testdata/temp-dir.ts';
import { importModel } from './import.ts';
import { readModelFile } from './model-file.ts';
import { readSafetensors } from './safetensors.ts';

const root = tempDir();
let dir: string;
let tests = 0;
beforeEach(() => {
  dir = join(root, `${++tests}`, 'Tiny');
});

const file = (name: string) => join(dir, name);

describe('a file of tensors', () => {
  const one = { name: 'a', type: 'F32', shape: [3, 2], data: Buffer.alloc(24, 1) };
  const two = { name: 'b', type: 'BF16', shape: [4], data: Buffer.alloc(8) };
  const path = join(root, 'tensors.safetensors');
  const refused = async (data: Uint8Array) => {
    writeFileSync(path, data);
    return (await refusal(() => readSafetensors(path))).message;
  };
  const spoilt = (change: (header: Record<string, HeaderEntry>) => void) =>
    refused(encodeSafetensors([one, two], change));
  const withHeader = (text: string, announced = Buffer.byteLength(text)) => {
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(announced));
    return Buffer.concat([length, Buffer.from(text)]);
  };
  const entry = (header: Record<string, HeaderEntry>, name: string) => header[name] as HeaderEntry;

  it('is read with shapes row length first and places in the file', async () => {
    writeFileSync(path, encodeSafetensors([one, two]));
    const { tensors, bytes } = await readSafetensors(path);
    expect(tensors).toMatchObject([
      { name: 'a', type: 'F32', shape: [3, 2], bytes: 24, offset: bytes - 32 },
      { name: 'b', type: 'BF16', shape: [4], bytes: 8, offset: bytes - 8 },
    ]);
    expect(readFileSync(path).subarray(bytes - 32, bytes - 8)).toEqual(one.data);
  });

  it('announces more header than it has, or than any model needs', async () => {
    expect(await refused(Buffer.alloc(7))).toMatch(/only 7 bytes/);
    expect(await refused(withHeader('{}', 1000))).toMatch(/end at byte 1008; the file has 10/);
    expect(await refused(withHeader('{}', 2 ** 40))).toMatch(/1099511627776 bytes/);
    expect(await refused(withHeader('{}', Number.MAX_SAFE_INTEGER))).toMatch(/at most/);
  });

  it.each(['', 'null', '[]', '7', '{"a"', '[['.repeat(100_000)])('has the header %.10s', async (text) => {
    expect(await refused(withHeader(text))).toMatch(/header is not/);
  });

  it('is cut, or has bytes that belong to nothing', async () => {
    const data = encodeSafetensors([one, two]);
    expect(await refused(data.subarray(0, -1))).toMatch(/tensor "b" are cut off/);
    expect(await refused(data.subarray(0, -20))).toMatch(/tensor "a" are cut off/);
    expect(await refused(Buffer.concat([data, Buffer.alloc(3)]))).toMatch(/3 bytes follow tensor "b"/);
  });

  it('has tensors over one another or apart', async () => {
    const at = (begin: number, end: number) => (header: Record<string, HeaderEntry>) => {
      entry(header, 'b').data_offsets = [begin, end];
    };
    expect(await spoilt(at(20, 28))).toMatch(/"b" overlaps tensor "a"/);
    expect(await spoilt(at(0, 8))).toMatch(/overlaps/);
    expect(await spoilt(at(25, 33))).toMatch(/cut off/);
    expect(await refused(Buffer.concat([encodeSafetensors([one, two], at(25, 33)), Buffer.alloc(1)]))).toMatch(
      /gap after/,
    );
    expect(await spoilt(at(32, 24))).toMatch(/needs 8 bytes; it has -8/);
    expect(await spoilt(at(-8, 0))).toMatch(/where its data lie/);
    expect(await spoilt(at(24.5, 32.5))).toMatch(/where its data lie/);
  });

  it('has shapes that do not fit their data, without being believed', async () => {
    const shaped = (shape: unknown) => (header: Record<string, HeaderEntry>) => {
      entry(header, 'a').shape = shape as number[];
    };
    expect(await spoilt(shaped([2, 2]))).toMatch(/"a", F32 \[2, 2\], needs 16 bytes; it has 24/);
    // 2 ** 80 elements: exact, and nothing is allocated.
    expect(await spoilt(shaped([2 ** 40, 2 ** 40]))).toMatch(/needs 4835703278458516698824704 bytes/);
    for (const shape of [[0, 6], [-2, -3], [1.5, 4], [2 ** 60, 1], 'x', null, [[2], 3], Array(9).fill(1)]) {
      expect(await spoilt(shaped(shape))).toMatch(/"a" has the shape/);
    }
  });

  it('has a type that nobody knows', async () => {
    writeFileSync(
      path,
      encodeSafetensors([one], (header) => {
        entry(header, 'a').dtype = 'F4';
      }),
    );
    expect(await refusal(() => readSafetensors(path))).toMatchObject({
      kind: 'model-unsupported',
      message: expect.stringMatching(/"a" has type "F4"/),
    });
    for (const dtype of ['constructor', '__proto__', '']) {
      expect(await spoilt((header) => Object.assign(entry(header, 'a'), { dtype }))).toMatch(/type/);
    }
  });
});

describe('a folder', () => {
  const bundlesDir = join(root, 'bundles');
  /** What the import of the folder says; nothing may have been written. */
  const refused = async () => {
    const options = { bundlesDir, id: 'tiny', weights: 'exact', calibrate: calibrateAlone } as const;
    const error = await refusal(() => importModel(dir, options));
    expect(existsSync(bundlesDir)).toBe(false);
    return error;
  };
  const refusedWith = async (config: Record<string, unknown>, options: HfOptions = {}) => {
    writeHfModel(dir, { ...options, config });
    return refused();
  };

  it.each([
    ['config.json', 'model-missing', /config\.json/],
    ['tokenizer.json', 'model-missing', /tokenizer\.json/],
    ['model.safetensors', 'model-invalid', /no model\.safetensors/],
  ] as const)('without %s', async (name, kind, message) => {
    writeHfModel(dir);
    rmSync(file(name));
    expect(await refused()).toMatchObject({ kind, message: expect.stringMatching(message) });
  });

  it.each([
    [{ architectures: ['MixtralForCausalLM'] }, 'model-unsupported', /"MixtralForCausalLM".*LlamaForCausalLM/],
    [{ architectures: ['constructor'] }, 'model-unsupported', /"constructor"/],
    [{ architectures: undefined }, 'model-invalid', /"architectures"/],
    [{ quantization_config: { quant_method: 'gptq' } }, 'model-unsupported', /quantised by "gptq"/],
    [{ hidden_act: 'relu' }, 'model-unsupported', /"relu"/],
    [{ rope_scaling: { rope_type: 'yarn', factor: 4 } }, 'model-unsupported', /"yarn"/],
    [{ rope_scaling: { rope_type: 'linear' } }, 'model-invalid', /"rope_scaling\.factor" is missing/],
    [{ partial_rotary_factor: 0.75 }, 'model-unsupported', /0\.75/],
    [{ sliding_window: 64 }, 'model-unsupported', /64 tokens/],
    [{ vocab_size: 301 }, 'model-invalid', /"vocab_size" is 301.*300 rows/],
    [{ num_hidden_layers: 3 }, 'model-invalid', /"model\.layers\.2\.input_layernorm\.weight" is missing/],
    [{ num_hidden_layers: 1 }, 'model-unsupported', /no place in a llama model of 1 layers/],
    [{ num_hidden_layers: 2 ** 31 }, 'model-invalid', /"num_hidden_layers" is 2147483648/],
    [{ num_attention_heads: 0 }, 'model-invalid', /"num_attention_heads"/],
    [{ num_attention_heads: '4' }, 'model-invalid', /"num_attention_heads" is not a number/],
    [{ num_key_value_heads: 3 }, 'model-invalid', /4 attention heads cannot share 3/],
    [
      { num_key_value_heads: 4 },
      'model-invalid',
      /"model\.layers\.0\.self_attn\.k_proj\.weight" has the shape \[64, 32\]/,
    ],
    [{ head_dim: 15 }, 'model-invalid', /heads of 15 channels/],
    [{ tie_word_embeddings: false }, 'model-invalid', /"lm_head\.weight" is missing/],
    [{ eos_token_id: 300 }, 'model-invalid', /"eos_token_id" is "300"/],
  ] as const)('with the configuration %j', async (config, kind, message) => {
    expect(await refusedWith(config)).toMatchObject({ kind, message: expect.stringMatching(message) });
  });

  it.each([
    [{ query_pre_attn_scalar: 144 }, /144/],
    [{ final_logit_softcapping: 30 }, /final_logit_softcapping/],
    [{ sliding_window_pattern: 2 }, /every sixth layer/],
    [{ layer_types: ['full_attention', 'full_attention'] }, /every sixth layer/],
    [{ use_bidirectional_attention: true }, /both directions/],
  ])('of gemma3 with %j', async (config, message) => {
    const error = await refusedWith(config, { architecture: 'gemma3' });
    expect(error).toMatchObject({ kind: 'model-unsupported', message: expect.stringMatching(message) });
  });

  it('with a tensor of whole numbers', async () => {
    writeHfModel(dir);
    const path = file('model.safetensors');
    const data = readFileSync(path);
    const at = data.indexOf('"model.norm.weight":{"dtype":"F32"');
    data.write('I32', data.indexOf('F32', at));
    writeFileSync(path, data);
    expect(await refused()).toMatchObject({
      kind: 'model-unsupported',
      message: expect.stringMatching(/"model\.norm\.weight" has type I32.*BF16/),
    });
  });

  it.each(['not json', '[]', '{"architectures": '])('with the configuration file %j', async (text) => {
    writeHfModel(dir);
    writeFileSync(file('config.json'), text);
    expect(await refused()).toMatchObject({ kind: 'model-invalid', message: expect.stringMatching(/config\.json/) });
  });

  it('in shards that do not fit their index', async () => {
    writeHfModel(dir, { shards: 2 });
    const index = file('model.safetensors.index.json');
    const good = readFileSync(index, 'utf8');
    const map = (JSON.parse(good) as { weight_map: Record<string, string> }).weight_map;
    const write = (weightMap: Record<string, string>) =>
      writeFileSync(index, JSON.stringify({ weight_map: weightMap }));
    expect((await readModelFile(dir)).config.nLayer).toBe(2);

    write({ ...map, 'model.norm.weight': '../../other.safetensors' });
    expect((await refused()).message).toMatch(/"\.\.\/\.\.\/other\.safetensors"/);
    write({ ...map, extra: 'model-00001-of-00002.safetensors' });
    expect((await refused()).message).toMatch(/"extra" is not in model-00001/);
    write({ ...map, 'model.norm.weight': 'model-00003-of-00003.safetensors' });
    expect(await refused()).toMatchObject({ message: expect.stringMatching(/does not place|missing/) });
    writeFileSync(index, good);
    truncateSync(file('model-00002-of-00002.safetensors'), 5000);
    expect((await refused()).message).toMatch(/model-00002-of-00002.*cut off/);
    rmSync(file('model-00002-of-00002.safetensors'));
    expect(await refused()).toMatchObject({ kind: 'model-missing' });
  });

  it('with an output matrix that the configuration says is the embedding', async () => {
    writeHfModel(dir, { tied: false, config: { tie_word_embeddings: true } });
    expect((await readModelFile(dir)).config.tiedEmbeddings).toBe(true);
    rmSync(dir, { recursive: true });
    writeHfModel(dir, { tied: false });
    const { config, tensors } = await readModelFile(dir);
    expect(config.tiedEmbeddings).toBe(false);
    expect(tensors.get('output.weight')?.shape).toEqual([64, 300]);
  });

  it('with newer names of its rotary parameters', async () => {
    const full = { rope_type: 'linear', rope_theta: 1e6, factor: 8 };
    const rope_parameters = { full_attention: full, sliding_attention: { rope_type: 'default', rope_theta: 5000 } };
    writeHfModel(dir, { architecture: 'gemma3', config: { rope_parameters, rope_theta: undefined } });
    expect((await readModelFile(dir)).config).toMatchObject({
      ropeTheta: 1e6,
      ropeScaling: { type: 'linear', factor: 8 },
      slidingWindow: { keys: 16, globalEvery: 6, ropeTheta: 5000 },
    });
  });

  it('that is no model', async () => {
    mkdirSync(dir, { recursive: true });
    expect(await refused()).toMatchObject({ kind: 'model-missing' });
  });
});
