/** A real HTTP server on loopback that stands in for Hugging Face: it sends one file, slowly or in part where a test wants. */
import { createReadStream, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';

export class ModelServer {
  /** No byte beyond this one is sent for the time being; a new limit counts at once. */
  limit = Number.POSITIVE_INFINITY;
  /** Changes the byte at this place. */
  damageAt: number | undefined;
  readonly ranges: (string | undefined)[] = [];
  readonly paths: (string | undefined)[] = [];
  readonly #server: Server;

  constructor(file: string) {
    const { size } = statSync(file);
    this.#server = createServer((request, response) => {
      const { range } = request.headers;
      this.ranges.push(range);
      this.paths.push(request.url);
      // As the hub does: the file itself lies elsewhere.
      if (!request.url?.startsWith('/storage/')) {
        response.writeHead(302, { location: `/storage${request.url}`, 'x-linked-size': size }).end();
        return;
      }
      const start = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
      response.writeHead(start > 0 ? 206 : 200, {
        etag: '"fixed"',
        'content-length': size - start,
        ...(start > 0 ? { 'content-range': `bytes ${start}-${size - 1}/${size}` } : {}),
      });
      createReadStream(file, { start, highWaterMark: 2 ** 18 })
        .pipe(this.#brake(start))
        .pipe(response)
        .on('error', () => undefined);
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #brake(start: number): Transform {
    let at = start;
    const wait = async (upTo: number) => {
      while (this.#server.listening && upTo > this.limit) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        const { damageAt = -1 } = this;
        if (damageAt >= at && damageAt < at + chunk.length) chunk[damageAt - at] = (chunk[damageAt - at] ?? 0) ^ 1;
        at += chunk.length;
        wait(at).then(() => done(null, chunk), done);
      },
    });
  }
}
