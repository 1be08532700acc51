/** GGUF files that contradict themselves: each is refused at once, with its own reason (HAND-02 to 05, MORE-03). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ErrorKind } from '../../../contract/errors.ts';
import { ByteWriter, encodeGguf, type GgufSpec, type SpecTensor, text, u32, u64 } from '../testdata/gguf-writer.ts';
import { refusal } from '../testdata/refusal.ts';
import { tempDir } from '../testdata/temp-dir.ts';
import { readGguf } from './gguf.ts';

const path = join(tempDir(), 'model.gguf');

const read = (bytes: Uint8Array) => {
  writeFileSync(path, bytes);
  return readGguf(path);
};
const head = (tensors: number | bigint, keys: number | bigint) =>
  new ByteWriter().raw('GGUF').u32(3).u64(tensors).u64(keys);
const vector = (name: string, more: Partial<SpecTensor> = {}): SpecTensor => ({
  name,
  type: 'F32',
  shape: [8],
  data: Buffer.alloc(32),
  ...more,
});
const gguf = (spec: Partial<GgufSpec>) => encodeGguf({ metadata: [], tensors: [], ...spec });
const oneTensor = (more: Partial<SpecTensor>) => gguf({ tensors: [vector('the.weight', more)] });

/** [what is wrong, the file, the kind of refusal, its reason] */
type Case = [what: string, bytes: Uint8Array, kind: ErrorKind, message: RegExp];

const lengths: Case[] = [
  [
    'a 32-byte file with a key length of 2^48',
    head(0, 1).u64(0xffffffffffffn).done(),
    'model-invalid',
    /cut or broken in the metadata \(1 keys announced\)/,
  ],
  [
    'a key of 2^48 bytes',
    head(0, 1).u64(0xffffffffffffn).raw(Buffer.alloc(40)).done(),
    'model-invalid',
    /name of metadata key 0: 281474976710655 bytes/,
  ],
  [
    'a string of 2^63 bytes',
    head(0, 1)
      .text('k')
      .u32(8)
      .u64(2n ** 63n)
      .raw(Buffer.alloc(32))
      .done(),
    'model-invalid',
    /"k".*9223372036854775808 bytes/,
  ],
  [
    'a list of 2^40 u32',
    head(0, 1)
      .text('k')
      .u32(9)
      .u32(4)
      .u64(2n ** 40n)
      .raw(Buffer.alloc(32))
      .done(),
    'model-invalid',
    /"k" \(1099511627776 entries/,
  ],
  [
    'a list of 2^62 u64',
    head(0, 1)
      .text('k')
      .u32(9)
      .u32(10)
      .u64(2n ** 62n)
      .raw(Buffer.alloc(32))
      .done(),
    'model-invalid',
    /"k"/,
  ],
  [
    'a list of 2^40 texts',
    head(0, 1)
      .text('k')
      .u32(9)
      .u32(8)
      .u64(2n ** 40n)
      .raw(Buffer.alloc(32))
      .done(),
    'model-invalid',
    /"k" \(1099511627776 texts/,
  ],
  [
    '2^64 - 1 keys',
    head(0, 2n ** 64n - 1n)
      .raw(Buffer.alloc(64))
      .done(),
    'model-invalid',
    /18446744073709551615 keys announced/,
  ],
  [
    '2^33 keys',
    head(0, 2n ** 33n)
      .raw(Buffer.alloc(64))
      .done(),
    'model-invalid',
    /8589934592 keys announced/,
  ],
  [
    '2^64 - 1 tensors',
    head(2n ** 64n - 1n, 0)
      .raw(Buffer.alloc(64))
      .done(),
    'model-invalid',
    /18446744073709551615 tensors announced/,
  ],
  [
    '2^32 tensors',
    head(2n ** 32n, 0)
      .raw(Buffer.alloc(64))
      .done(),
    'model-invalid',
    /4294967296 tensors announced/,
  ],
  [
    'a tensor name of 2^40 bytes',
    head(1, 0)
      .u64(2n ** 40n)
      .raw(Buffer.alloc(40))
      .done(),
    'model-invalid',
    /name of tensor 0/,
  ],
];

const metadata: Case[] = [
  ['an empty key', gguf({ metadata: [['', u32(1)]] }), 'model-invalid', /key 0 has an empty name/],
  [
    'a key twice',
    gguf({
      metadata: [
        ['llama.block_count', u32(1)],
        ['llama.block_count', u32(2)],
      ],
    }),
    'model-invalid',
    /"llama\.block_count" occurs twice/,
  ],
  [
    'a chat template twice',
    gguf({
      metadata: [
        ['tokenizer.chat_template', text('a')],
        ['other', u32(1)],
        ['tokenizer.chat_template', text('b')],
      ],
    }),
    'model-invalid',
    /"tokenizer\.chat_template" occurs twice/,
  ],
  [
    'the same value twice',
    gguf({
      metadata: [
        ['k', u32(1)],
        ['k', u32(1)],
      ],
    }),
    'model-invalid',
    /"k" occurs twice/,
  ],
  [
    'a key that is not UTF-8',
    head(0, 1).u64(2).raw('\xc3\x28').u32(4).u32(1).done(),
    'model-invalid',
    /not valid UTF-8/,
  ],
  [
    'a key of 70000 bytes',
    gguf({ metadata: [['k'.repeat(70000), u32(1)]] }),
    'model-invalid',
    /name of 70000 characters/,
  ],
  [
    'an unknown value type',
    head(0, 1).text('k').u32(13).u64(0).done(),
    'model-invalid',
    /"k" has the unknown value type 13/,
  ],
  [
    'an unknown entry type',
    head(0, 1).text('k').u32(9).u32(99).u64(0).done(),
    'model-invalid',
    /entries of metadata key "k" has the unknown value type 99/,
  ],
  [
    'a list of lists',
    head(0, 1).text('k').u32(9).u32(9).u64(1).u32(4).u64(0).done(),
    'model-unsupported',
    /"k" is a list of lists/,
  ],
  [
    'a truth value of 2',
    head(0, 1).text('k').u32(7).raw('\x02').raw(Buffer.alloc(9)).done(),
    'model-invalid',
    /"k" holds 2/,
  ],
  [
    'a truth value of 255 in a list',
    head(0, 1).text('k').u32(9).u32(7).u64(3).raw('\x00\x01\xff').done(),
    'model-invalid',
    /"k" holds 255.*entry 2/,
  ],
  ...[0, 1, 4, 7, 24, 33, 2 ** 22, 2 ** 31].map(
    (alignment): Case => [
      `an alignment of ${alignment}`,
      gguf({ metadata: [['general.alignment', u32(alignment)]] }),
      'model-invalid',
      new RegExp(`"general\\.alignment" is ${alignment}; it must be a power of two`),
    ],
  ),
  [
    'an alignment of 2^63',
    gguf({ metadata: [['general.alignment', u64(2n ** 63n)]] }),
    'model-invalid',
    /general\.alignment/,
  ],
  [
    'an alignment that is a text',
    gguf({ metadata: [['general.alignment', text('32')]] }),
    'model-invalid',
    /general\.alignment/,
  ],
];

const tensors: Case[] = [
  [
    '2^40 x 2^40 elements',
    oneTensor({ shape: [2n ** 40n, 2n ** 40n] }),
    'model-invalid',
    /"the\.weight".*more than any file/,
  ],
  ['a product that wraps to 0', oneTensor({ shape: [2n ** 32n, 2n ** 32n] }), 'model-invalid', /"the\.weight"/],
  ['a product that wraps to 8', oneTensor({ shape: [2n ** 61n + 1n, 8n] }), 'model-invalid', /"the\.weight"/],
  ['2^50 elements', oneTensor({ shape: [2n ** 50n] }), 'model-invalid', /"the\.weight" is cut off/],
  ['an extent of zero', oneTensor({ shape: [8, 0] }), 'model-invalid', /"the\.weight" has an extent of zero/],
  ['a negative extent', oneTensor({ shape: [-1n] }), 'model-invalid', /"the\.weight" has a negative extent \(-1\)/],
  ['two negative extents', oneTensor({ shape: [-4n, -2n] }), 'model-invalid', /negative extent \(-4\)/],
  ['five dimensions', oneTensor({ shape: [8, 1, 1, 1, 1] }), 'model-invalid', /"the\.weight" has 5 dimensions/],
  [
    '2^31 dimensions',
    head(1, 0)
      .text('the.weight')
      .u32(2 ** 31)
      .raw(Buffer.alloc(64))
      .done(),
    'model-invalid',
    /2147483648 dimensions/,
  ],
  [
    'a row that blocks do not divide',
    oneTensor({ type: 'Q8_0', shape: [33], data: Buffer.alloc(68) }),
    'model-invalid',
    /rows of 33 elements.*Q8_0/,
  ],
  ['an unknown type number', oneTensor({ type: 99 }), 'model-unsupported', /"the\.weight" has type number 99/],
  ['a withdrawn type', oneTensor({ type: 4 }), 'model-unsupported', /"the\.weight" has type Q4_2, which was withdrawn/],
  ['an empty name', gguf({ tensors: [vector('')] }), 'model-invalid', /tensor 0 has an empty name/],
  ['a name of 65 bytes', gguf({ tensors: [vector('n'.repeat(65))] }), 'model-invalid', /longer than 64 bytes/],
  ['a name twice', gguf({ tensors: [vector('a'), vector('a')] }), 'model-invalid', /tensor "a" occurs twice/],
  [
    'a name that is not UTF-8',
    head(1, 0).u64(2).raw('\xff\xfe').u32(1).u64(8).u32(0).u64(0).raw(Buffer.alloc(64)).done(),
    'model-invalid',
    /not valid UTF-8/,
  ],
  [
    'an offset beyond the file',
    oneTensor({ offset: 4096 }),
    'model-invalid',
    /"the\.weight" is cut off or misplaced: 32 bytes from byte 4\d+ expected/,
  ],
  [
    'an offset of 2^64 - 32',
    oneTensor({ offset: 2n ** 64n - 32n }),
    'model-invalid',
    /"the\.weight" is said to start at byte/,
  ],
  [
    'an unaligned offset',
    gguf({ tensors: [vector('a'), vector('b', { offset: 36, data: Buffer.alloc(64) })] }),
    'model-invalid',
    /tensor "b" starts at byte 36.*alignment 32/,
  ],
  [
    'one tensor on another',
    gguf({ tensors: [vector('a', { shape: [16], data: Buffer.alloc(64) }), vector('b', { offset: 32 })] }),
    'model-invalid',
    /tensor "b" .*overlaps tensor "a"/,
  ],
  [
    'two tensors in one place',
    gguf({ tensors: [vector('a'), vector('b', { offset: 0 })] }),
    'model-invalid',
    /overlaps/,
  ],
  [
    'a type number that a vendor uses for a larger layout (MORE-03)',
    gguf({ tensors: [vector('a', { type: 'Q4_0', shape: [32, 8], data: Buffer.alloc(8 * 24) }), vector('b')] }),
    'model-invalid',
    /tensor "b" .*leaves a gap after tensor "a".*do not fit its offsets/,
  ],
  [
    'a type number that a vendor uses for a smaller layout (MORE-03)',
    gguf({
      tensors: [
        vector('a', { type: 'Q8_0', shape: [32, 8], data: Buffer.alloc(8 * 24) }),
        vector('b', { shape: [64], data: Buffer.alloc(256) }),
      ],
    }),
    'model-invalid',
    /tensor "b" .*overlaps tensor "a".*do not fit its offsets/,
  ],
];

for (const [group, cases] of Object.entries({ lengths, metadata, tensors })) {
  describe(group, () => {
    for (const [what, bytes, kind, message] of cases) {
      it(`refuses ${what}`, async () => {
        const error = await refusal(() => read(bytes));
        expect(error.message).toMatch(message);
        expect(error.message).toContain('model.gguf');
        expect(error.kind).toBe(kind);
        expect(error.action).toBeTruthy();
      });
    }
  });
}

describe('text that is not UTF-8 in a value', () => {
  it('is refused where it is read, and only there', async () => {
    const file = await read(
      head(0, 3)
        .text('bad')
        .u32(8)
        .u64(2)
        .raw('\xc3\x28')
        .entry('good', text('fine'))
        .text('list')
        .u32(9)
        .u32(8)
        .u64(2)
        .text('a')
        .u64(1)
        .raw('\xff')
        .done(),
    );
    expect(file.metadata.string('good')).toBe('fine');
    expect((await refusal(() => file.metadata.string('bad'))).message).toMatch(/"bad" is not valid UTF-8/);
    expect((await refusal(() => file.metadata.strings('list'))).message).toMatch(/"list".*entry 1/);
  });
});
