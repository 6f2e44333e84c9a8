import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { STALLED_MS } from '../http/answer.ts';
import { Problem } from '../problem/errors.ts';

export type ConnectionBounds = {
  /** Connections at once. */
  readonly connections: number;
  /** Bodies in pieces that are sent at once. Each holds some hundred kilobytes beside its pieces. */
  readonly streams: number;
  /** Bytes of whole bodies that wait for their readers, of all connections together. */
  readonly waitingBytes: number;
  /** How long a reader may take nothing of what waits for him. */
  readonly stalledMs: number;
  /** How long a request may be on its way. */
  readonly arrivalMs: number;
  /** How long a connection is kept for the next request. */
  readonly idleMs: number;
  /** How often Node looks for late requests. */
  readonly sweepMs: number;
};

export const CONNECTION_BOUNDS: ConnectionBounds = {
  /**
   * Connections at once. Then Node closes a new one without an answer. The process needs as many
   * open files (`ulimit -Hn`), and some 100 more.
   *
   * Twice what one client has by default (`ulimit -n`: 1,024). Node raises its own limit of open
   * files to the system's hard one, on Linux 4,096 or more.
   */
  connections: 2000,
  /** Files (bodies in pieces) that a local server sends at once. Then the new one gets a 503. */
  streams: 200,
  /**
   * Bytes of whole answers that wait for readers, on all connections together. From half of it on,
   * large pages wait; then an answer of more than 64 KiB becomes a 503. An answer counts until its
   * end is taken, and may itself be larger than that.
   *
   * Some 15 of the largest answers. Memory that V8 has not collected yet adds to it.
   */
  waitingBytes: 64 * 2 ** 20,
  stalledMs: STALLED_MS,
  /** A request's arrival, and the first request of a new connection. Then 408. */
  arrivalMs: 30_000,
  /** An idle connection that waits for another request, up to a second more. */
  idleMs: 5000,
  sweepMs: 1000,
};

export function noRoomForStream({ streams }: ConnectionBounds): Problem {
  const detail = `This server sends ${streams} files at once, and does already. Try again soon, or ask for a page: with _limit.`;
  return new Problem('service-unavailable', detail, { headers: { 'Retry-After': '5' } });
}

export function noRoomForAnswer(): Problem {
  const detail = 'Too many answers wait for their readers. Try again soon, or ask for fewer rows.';
  return new Problem('service-unavailable', detail, { headers: { 'Retry-After': '5' } });
}

/** The answers of a server that wait for their readers, within bounds. */
export class WaitingAnswers {
  readonly #bounds: ConnectionBounds;
  #bytes = 0;
  #streams = 0;

  constructor(bounds: ConnectionBounds) {
    this.#bounds = bounds;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether a large answer may be made: from half of the bound on, who reads goes first. */
  get hasRoom(): boolean {
    return this.#bytes <= this.#bounds.waitingBytes / 2;
  }

  /** Whether an answer that is made may wait for its reader. */
  get isFull(): boolean {
    return this.#bytes > this.#bounds.waitingBytes;
  }

  get hasStream(): boolean {
    return this.#streams < this.#bounds.streams;
  }

  /** Counts a whole answer of so many bytes until it is taken, or its connection closed. */
  add(outgoing: ServerResponse, bytes: number): void {
    this.#bytes += bytes;
    const { socket } = outgoing.req;
    // For a reader who takes nothing: what the system still has for him is dropped too.
    outgoing.setTimeout(this.#bounds.stalledMs, () => socket.resetAndDestroy());
    outgoing.once('close', () => {
      this.#bytes -= bytes;
    });
  }

  /** The same of one in pieces. */
  addStream(outgoing: ServerResponse): void {
    this.#streams++;
    // Its next piece may be long in the making, and then nothing waits.
    const { socket } = outgoing.req;
    outgoing.setTimeout(this.#bounds.stalledMs, () => {
      if (socket.writableLength > 0) socket.resetAndDestroy();
    });
    outgoing.once('close', () => this.#streams--);
  }
}

/**
 * The turns of requests that come before an earlier one of their connection was answered
 * (pipelining, RFC 9112, section 9.3.2). Node answers them in order. Without turns, a client that
 * sends many and reads nothing would have all their answers in memory at once.
 */
export class Turns {
  readonly #latest = new WeakMap<Socket, ServerResponse>();
  readonly #waiting = new WeakMap<Socket, number>();

  /** The turn of a request; undefined if it need not wait. */
  of(outgoing: ServerResponse): Promise<void> | undefined {
    const { socket } = outgoing.req;
    this.#latest.set(socket, outgoing);
    return outgoing.socket === null ? this.#wait(outgoing, socket) : undefined;
  }

  async #wait(outgoing: ServerResponse, socket: Socket): Promise<void> {
    const count = (change: number) => {
      const waiting = (this.#waiting.get(socket) ?? 0) + change;
      this.#waiting.set(socket, waiting);
      return waiting;
    };
    count(1);
    socket.pause();
    await happened(outgoing, 'socket');
    // The body of the last one may still be on its way.
    if (count(-1) === 0) socket.resume();
    else socket.pause();
  }

  /** Lets go of an answer that is done, and of what Node keeps with it: its body. */
  forget(outgoing: ServerResponse): void {
    const { req } = outgoing;
    if (req.complete && this.#latest.get(req.socket) === outgoing) this.#latest.delete(req.socket);
  }

  /**
   * Waits until all requests before one that cannot be read are answered: an answer is known by its
   * place alone. False if that request has an answer already, or nobody can get another.
   */
  async ofUnreadable(socket: Socket): Promise<boolean> {
    const latest = this.#latest.get(socket);
    if (latest === undefined) return socket.writable;
    const isAnother = latest.req.complete;
    if (!latest.closed && isAnother) await happened(latest, 'close');
    else if (!latest.closed && latest.socket === null) await happened(latest, 'socket');
    return socket.writable && (isAnother || !latest.headersSent);
  }
}

function happened(outgoing: ServerResponse, event: 'close' | 'socket'): Promise<void> {
  return new Promise((resolve) => outgoing.once(event, () => resolve()));
}

/** Runs work at the end of a turn of the event loop. */
export type AtTurnsEnd = (work: () => void) => void;

/**
 * Collects the work of a turn. The code that reads requests, the code that answers them and the
 * code that writes are each large: a processor that runs one of them for all requests of a turn
 * before the next is up to twice as fast. The turn ends when `later` calls: by default, once all
 * sockets that have something to read were read.
 */
export function turnsEnd(later: (work: () => void) => void = setImmediate): AtTurnsEnd {
  let waiting: (() => void)[] = [];
  const workAll = () => {
    const all = waiting;
    waiting = [];
    for (const work of all) work();
  };
  return (work) => {
    if (waiting.push(work) === 1) later(workAll);
  };
}
