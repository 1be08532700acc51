/** A real HTTP server on loopback that sends one file, and misbehaves as a test wants. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Bytes that pass for a GGUF file as far as a download looks. */
export function modelBytes(length: number): Buffer {
  return Buffer.concat([Buffer.from('GGUF'), randomBytes(length - 4)]);
}

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

export type Answer = (request: IncomingMessage, response: ServerResponse, from: number) => void;

export class ModelServer {
  body: Buffer;
  etag = '"one"';
  /** Range headers of all requests, in order. */
  readonly ranges: (string | undefined)[] = [];
  /** What answers the next requests, in order; after them `send`. */
  readonly answers: Answer[] = [];
  readonly #server: Server;

  constructor(body: Buffer) {
    this.body = body;
    this.#server = createServer((request, response) => {
      const { range } = request.headers;
      this.ranges.push(range);
      const asked = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
      const { 'if-range': condition } = request.headers;
      const from = condition === undefined || condition === this.etag ? asked : 0;
      (this.answers.shift() ?? this.send)(request, response, from);
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/model.gguf`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** As a good server does: the rest of the file. */
  readonly send: Answer = (_request, response, from) => {
    this.head(response, from);
    response.end(this.body.subarray(from));
  };

  /** Sends up to byte `end` and drops the connection. */
  cutAt(end: number): Answer {
    return (_request, response, from) => {
      this.head(response, from);
      response.write(this.body.subarray(from, end), () => setTimeout(() => response.destroy(), 50));
    };
  }

  head(response: ServerResponse, from: number): void {
    const { length } = this.body;
    response.writeHead(from > 0 ? 206 : 200, {
      etag: this.etag,
      'content-type': 'application/octet-stream',
      'content-length': length - from,
      ...(from > 0 ? { 'content-range': `bytes ${from}-${length - 1}/${length}` } : {}),
    });
  }
}
