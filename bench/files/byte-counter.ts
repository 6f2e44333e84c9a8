import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Stands between tools and a service, and counts the bytes of the bodies that come back. Where an
 * answer leads to the same machine, it leads to here.
 */
export class ByteCounter {
  bytes = 0;
  readonly #to: URL;
  readonly #server = createServer((asked, answer) => {
    const { method, headers, url } = asked;
    const { host } = this.#to;
    // An address is signed for the host that it names.
    const passed = request(new URL(url ?? '', this.#to), { method, headers: { ...headers, host } });
    passed.on('response', (found) => {
      const { location } = found.headers;
      const led = location && { location: location.replace(this.#to.origin, this.url) };
      answer.writeHead(found.statusCode ?? 502, { ...found.headers, ...led });
      found.on('data', ({ length }: Buffer) => {
        this.bytes += length;
      });
      found.pipe(answer);
    });
    passed.on('error', (error) => answer.destroy(error));
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });

  constructor(service: string) {
    this.#to = new URL(service);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
