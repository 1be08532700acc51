/** Writes zip archives: sound ones with yazl, and such as no sound program would write. */
import { deflateRawSync } from 'node:zlib';
import yazl from 'yazl';

/** Parts by name; `stored`: not packed, as EPUB's and OpenDocument's first part must be. */
export async function zip(
  parts: Readonly<Record<string, string | Uint8Array>>,
  stored: string[] = [],
): Promise<Buffer> {
  const archive = new yazl.ZipFile();
  for (const [name, content] of Object.entries(parts)) {
    archive.addBuffer(Buffer.from(content as string), name, { compress: !stored.includes(name) });
  }
  archive.end();
  const chunks: Buffer[] = [];
  for await (const chunk of archive.outputStream) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

export interface RawPart {
  name: string;
  packed: Buffer;
  /** What the archive says the part has, true or not. */
  statedBytes: number;
}

export function rawPart(name: string, content: Buffer): RawPart {
  return { name, packed: deflateRawSync(content), statedBytes: content.length };
}

/** An archive byte by byte: names and sizes are written as they are given, check sums are left out. */
export function rawZip(parts: readonly RawPart[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, packed, statedBytes } of parts) {
    const nameBytes = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(statedBytes, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    files.push(Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, rest, nameBytes);
    offset += 30 + nameBytes.length + packed.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, entries, end]);
}
