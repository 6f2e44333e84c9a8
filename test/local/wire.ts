import { once } from 'node:events';
import type { Server } from 'node:http';
import { Duplex } from 'node:stream';

/** What the system takes for a client that reads nothing. */
const SYSTEM_BYTES = 65_536;

/**
 * A server's side of a connection whose client reads only what the test says. The system's own
 * sockets take more of an answer, or less, as they like; here it is known.
 */
export class Wire extends Duplex {
  bytesRead = 0;
  wasReset = false;
  /** Whether the client has gone by the time that the first bytes come. */
  isLeft = false;
  readonly #got: Buffer[] = [];
  #taken = 0;
  #room = SYSTEM_BYTES;
  #next: { readonly piece: Buffer; readonly isTaken: () => void } | undefined;

  /** A client of the server, which sends this. */
  constructor(server: Server, text: string) {
    super();
    server.emit('connection', this);
    this.bytesRead += text.length;
    this.push(text);
  }

  /** All that was written, as of Node's sockets. */
  get bytesWritten(): number {
    return this.#taken + this.writableLength;
  }

  /** What the client has got. */
  get got(): Buffer {
    return Buffer.concat(this.#got);
  }

  /** The client reads so many bytes. */
  reads(bytes: number): void {
    this.#room += bytes;
    this.#move();
  }

  /** The client reads all that comes, until the server ends the connection. */
  async readsAll(): Promise<Buffer> {
    this.reads(Number.POSITIVE_INFINITY);
    if (!this.destroyed) await once(this, 'close');
    return this.got;
  }

  /** As of Node's sockets: HTTP ends a connection with it. */
  destroySoon(): void {
    this.end(() => this.destroy());
  }

  /** Its client's time is never over. */
  setTimeout(): this {
    return this;
  }

  resetAndDestroy(): this {
    this.wasReset = true;
    return this.destroy();
  }

  override _read(): void {}

  override _write(piece: Buffer, _encoding: string, isTaken: () => void): void {
    if (this.isLeft) return void this.destroy();
    this.#next = { piece, isTaken };
    this.#move();
  }

  #move(): void {
    if (this.#next === undefined || this.#next.piece.length > this.#room) return;
    const { piece, isTaken } = this.#next;
    this.#next = undefined;
    this.#room -= piece.length;
    this.#taken += piece.length;
    this.#got.push(piece);
    isTaken();
  }
}
