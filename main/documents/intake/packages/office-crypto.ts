/**
 * Opens Office documents that are encrypted with a password (MS-OFFCRYPTO): "agile", as Office has written since 2010, and
 * "standard" of 2007. Such a file is a compound file with the encrypted zip archive as a stream.
 */
import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto';
import CFB from 'cfb';
import { phrase } from '../../../../contract/phrase.ts';
import { invalid, passwordNeeded, passwordWrong, unsupported } from '../errors.ts';
import { type Attributes, parseXml } from '../markup/xml.ts';

/** Office writes 100,000; more than this is meant to take for ever. */
const MOST_SPINS = 10_000_000;
const SEGMENT_BYTES = 4096;
const STANDARD_SPINS = 50_000;
/** What the hash of the password is mixed with for each purpose. */
const FOR_VERIFIER_INPUT = Buffer.from('fea7d2763b4b9e79', 'hex');
const FOR_VERIFIER_VALUE = Buffer.from('d7aa0f6d3061344e', 'hex');
const FOR_KEY = Buffer.from('146e0be7abacd0d6', 'hex');

/** The zip archive within. Throws AppError 'password-needed', 'password-wrong', 'document-unsupported', 'document-invalid'. */
export async function decryptOffice(bytes: Buffer, password: string | undefined, name: string): Promise<Buffer> {
  const container = readContainer(bytes, name);
  const info = streamOf(container, 'EncryptionInfo');
  const data = streamOf(container, 'EncryptedPackage');
  if (info === undefined || data === undefined) {
    const old = 'Open it in the program it came from and save it as .docx, .pptx, .odt or .pdf.';
    throw unsupported(phrase`${name} is an Office document of the old kind, which cannot be read.`, old);
  }
  if (password === undefined) throw passwordNeeded(name);
  const [major, minor] = [info.readUInt16LE(0), info.readUInt16LE(2)];
  const size = Number(data.readBigUInt64LE(0));
  const encrypted = data.subarray(8);
  let plain: Buffer | undefined;
  if (major === 4 && minor === 4) plain = await decryptAgile(info.subarray(8), encrypted, password, name);
  else if (minor === 2) plain = decryptStandard(info, encrypted, password);
  else throw unsupported(phrase`${name} is encrypted in a way that is not known here.`, 'Save it without a password.');
  if (plain === undefined) throw passwordWrong(name);
  return plain.subarray(0, size);
}

function readContainer(bytes: Buffer, name: string): CFB.CFB$Container {
  try {
    return CFB.read(bytes, { type: 'buffer' });
  } catch (error) {
    throw invalid(phrase`${name} is damaged: its compound file cannot be read.`, error);
  }
}

function streamOf(container: CFB.CFB$Container, stream: string): Buffer | undefined {
  const content = CFB.find(container, `/${stream}`)?.content;
  return content && Buffer.from(content);
}

/** Undefined for a wrong password. */
async function decryptAgile(
  xml: Buffer,
  encrypted: Buffer,
  password: string,
  name: string,
): Promise<Buffer | undefined> {
  let keyData: Attributes | undefined;
  let key: Attributes | undefined;
  await parseXml(one(xml), {
    open(element, attributes) {
      if (element.endsWith('keyData')) keyData ??= attributes;
      if (element.endsWith('encryptedKey')) key ??= attributes;
    },
  });
  const spins = Number(key?.spinCount);
  if (!keyData || !key || !(spins >= 0 && spins <= MOST_SPINS)) {
    throw invalid(phrase`${name} is damaged: how it is encrypted cannot be read.`);
  }
  const { hashAlgorithm = '', saltValue = '' } = key;
  const salt = Buffer.from(saltValue, 'base64');
  const passwordHash = spin(hashAlgorithm, salt, password, spins);
  const opened = (value: string | undefined, purpose: Buffer) => {
    const secret = resize(hash(hashAlgorithm, passwordHash, purpose), Number(key?.keyBits) / 8);
    return decipher(secret, salt, Buffer.from(value ?? '', 'base64'), Number(key?.blockSize));
  };
  const input = opened(key.encryptedVerifierHashInput, FOR_VERIFIER_INPUT).subarray(0, Number(key.saltSize));
  const expected = hash(hashAlgorithm, input);
  const verifier = opened(key.encryptedVerifierHashValue, FOR_VERIFIER_VALUE).subarray(0, expected.length);
  if (verifier.length !== expected.length || !timingSafeEqual(verifier, expected)) return undefined;
  const secret = opened(key.encryptedKeyValue, FOR_KEY).subarray(0, Number(keyData.keyBits) / 8);
  const dataSalt = Buffer.from(keyData.saltValue ?? '', 'base64');
  const blockSize = Number(keyData.blockSize);
  const segments: Buffer[] = [];
  for (let at = 0, segment = 0; at < encrypted.length; at += SEGMENT_BYTES, segment += 1) {
    const iv = hash(keyData.hashAlgorithm ?? '', dataSalt, counter(segment));
    segments.push(decipher(secret, iv, encrypted.subarray(at, at + SEGMENT_BYTES), blockSize));
  }
  return Buffer.concat(segments);
}

/** Undefined for a wrong password. */
function decryptStandard(info: Buffer, encrypted: Buffer, password: string): Buffer | undefined {
  const headerSize = info.readUInt32LE(8);
  const keyBytes = info.readUInt32LE(12 + 16) / 8;
  const verifierAt = 12 + headerSize;
  const salt = info.subarray(verifierAt + 4, verifierAt + 20);
  const final = hash('SHA1', spin('SHA1', salt, password, STANDARD_SPINS), counter(0));
  const derived = [0x36, 0x5c].map((pad) => {
    const block = Buffer.alloc(64, pad);
    for (const [i, byte] of final.entries()) block[i] = byte ^ pad;
    return hash('SHA1', block);
  });
  const key = Buffer.concat(derived).subarray(0, keyBytes);
  const verifier = decipher(key, undefined, info.subarray(verifierAt + 20, verifierAt + 36), 16);
  const verifierHash = decipher(key, undefined, info.subarray(verifierAt + 40, verifierAt + 72), 16);
  if (!timingSafeEqual(hash('SHA1', verifier), verifierHash.subarray(0, 20))) return undefined;
  return decipher(key, undefined, encrypted, 16);
}

/** The password's hash, hashed again and again. */
function spin(algorithm: string, salt: Buffer, password: string, spins: number): Buffer {
  let result = hash(algorithm, salt, Buffer.from(password, 'utf16le'));
  for (let i = 0; i < spins; i++) result = hash(algorithm, counter(i), result);
  return result;
}

/** AES without padding: CBC, or ECB where there is no `iv`. */
function decipher(key: Buffer, iv: Buffer | undefined, data: Buffer, blockSize: number): Buffer {
  const mode = iv === undefined ? 'ecb' : 'cbc';
  const cipher = createDecipheriv(
    `aes-${key.length * 8}-${mode}`,
    key,
    iv === undefined ? null : resize(iv, blockSize),
  );
  cipher.setAutoPadding(false);
  const whole = data.subarray(0, data.length - (data.length % blockSize));
  return Buffer.concat([cipher.update(whole), cipher.final()]);
}

function hash(algorithm: string, ...parts: Buffer[]): Buffer {
  const digest = createHash(algorithm.replace('-', '').toLowerCase());
  for (const part of parts) digest.update(part);
  return digest.digest();
}

/** Cut, or filled up with 0x36, to a length. */
function resize(bytes: Buffer, length: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(Math.max(0, length - bytes.length), 0x36)]).subarray(0, length);
}

function counter(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
