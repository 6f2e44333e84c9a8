import type { Server, Socket } from 'node:net';
import { isTooSlow, STALLED_MS } from '../http/answer.ts';
import { Problem } from '../problem/errors.ts';
import { RequestQueue } from './request-queue.ts';

export type ConnectionBounds = {
  /** Connections at once. */
  readonly connections: number;
  /** Bodies in pieces that are sent at once. Each holds some hundred kilobytes beside its pieces. */
  readonly streams: number;
  /** Bytes of bodies that wait for their readers, of all connections together. */
  readonly waitingBytes: number;
  /** How long a reader may take nothing of what waits for him. */
  readonly stalledMs: number;
  /**
   * How long he may take nothing when his place is wanted. The system tells of what it took in steps
   * of up to a third of its buffer (4 MB on Linux), so a slow reader seems to take nothing meanwhile.
   */
  readonly stalledWhenFullMs: number;
  /** How long a request may be on its way. */
  readonly arrivalMs: number;
  /** How long a connection is kept for the next request. */
  readonly idleMs: number;
  /** How often all this is looked after. */
  readonly sweepMs: number;
  /** The clock. Tests move their own. */
  readonly now: () => number;
};

export const CONNECTION_BOUNDS: ConnectionBounds = {
  /**
   * Connections at once. Then the server closes the one that has been idle for longest; a
   * connection without a whole request is idle. If an answer is under way on all of them, one whose
   * reader took nothing for 15 s or more is reset; else the new one gets a 503. The process needs
   * as many open files (`ulimit -Hn`), and some 100 more.
   *
   * Twice what one client has by default (`ulimit -n`: 1,024). Node raises its own limit of open
   * files to the system's hard one, on Linux 4,096 or more.
   */
  connections: 2000,
  /**
   * Files (bodies in pieces) that a local server sends at once. Then one whose reader took nothing
   * for 15 s is reset; else the new one gets a 503. They share the processor equally, even those
   * that only the system's buffers take.
   */
  streams: 200,
  /**
   * Bytes of answers that wait for readers, on all connections together. Then a reader's connection
   * is reset: the one whose waiting bytes, times the time in which it took none, are most. So
   * downloads go last. No reader is reset because his own answer is larger than that. From half of
   * it on, large pages wait, and readers who took nothing for 15 s are reset in the same order. A
   * whole body counts until its end is taken, a download's piece as 192 KiB more.
   *
   * Some 15 of the largest answers. Memory that V8 has not collected yet adds to it.
   */
  waitingBytes: 64 * 2 ** 20,
  stalledMs: STALLED_MS,
  /** How long a reader may take nothing when his place is wanted. */
  stalledWhenFullMs: 15_000,
  /** A request's arrival, and the first request of a new connection. Then 408. */
  arrivalMs: 30_000,
  /** An idle connection that waits for another request, up to a second more. */
  idleMs: 5000,
  sweepMs: 1000,
  now: () => performance.now(),
};

/** New connections beyond the bound that get a 503 at once. The system resets any more. */
const MOST_REFUSED = 50;

export function noRoom(): Problem {
  const detail = 'There are too many connections. Try again soon.';
  return new Problem('service-unavailable', detail, { headers: { 'Retry-After': '1' } });
}

export function noRoomForStream({ streams }: ConnectionBounds): Problem {
  const detail = `This server sends ${streams} files at once, and does already. Try again soon, or ask for a page: with _limit.`;
  return new Problem('service-unavailable', detail, { headers: { 'Retry-After': '5' } });
}

/** A connection: its requests, and what waits for its reader. */
export class Connection {
  readonly line = new RequestQueue();
  readonly socket: Socket;
  readonly #all: Connections;
  /** When a request was last known to be under way, at first when the connection was made. */
  busyAt: number;
  /** When the system last took a byte of what waits, or that began to wait. */
  movedAt: number;
  /** Whether an answer is a body in pieces. */
  isStreaming = false;
  #taken = 0;
  #answer = { bytes: 0, takenBefore: 0, waitedMs: 0 };
  #waitingBytes = 0;

  constructor(socket: Socket, all: Connections) {
    this.socket = socket;
    this.#all = all;
    this.busyAt = this.movedAt = all.now();
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Whether an answer is being made or read; a request that has not arrived whole is no reason. */
  get isBusy(): boolean {
    const { latest, waiting } = this.line;
    if (latest === undefined || latest.closed) return false;
    return waiting > 0 || latest.req.complete || latest.headersSent;
  }

  /** A request has come. */
  ask(): void {
    this.busyAt = this.movedAt = this.#all.now();
  }

  /** An answer begins to wait for its reader, of so many bytes; 0 if nobody knows how many. */
  begin(bytes: number): void {
    this.#taken = takenOf(this.socket);
    this.#answer = { bytes, takenBefore: this.#taken, waitedMs: 0 };
  }

  /** How many bytes of the answer's body are held for the reader now; none once he is gone. */
  hold(bytes: number): void {
    const before = this.#waitingBytes;
    this.#waitingBytes = this.socket.destroyed ? 0 : bytes;
    // The time in which nothing waited was not his.
    if (before === 0) this.movedAt = this.#all.now();
    this.#all.add(this.#waitingBytes - before, this);
  }

  /** Sees whether the reader has moved. */
  look(now: number): void {
    const taken = takenOf(this.socket);
    if (taken === this.#taken) return;
    this.#taken = taken;
    this.movedAt = now;
  }

  /** Whether something waits for the reader, and has for too long. */
  isOverdue(now: number, sinceMs: number, stalledMs: number): boolean {
    if (this.socket.writableLength === 0) return false;
    const answer = this.#answer;
    answer.waitedMs += sinceMs;
    const bytes = Math.max(answer.bytes, this.#taken - answer.takenBefore);
    return now - this.movedAt >= stalledMs || isTooSlow(bytes, answer.waitedMs);
  }
}

/** The bytes that the system has taken of all that was written. */
function takenOf({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength;
}

/**
 * A server's connections, within bounds. One timer looks after them all, so that a small answer,
 * which the system takes at once, costs nothing here.
 */
export class Connections {
  readonly now: () => number;
  readonly #bounds: ConnectionBounds;
  readonly #all = new Map<Socket, Connection>();
  #waitingBytes = 0;

  /** `refuse` answers a connection for which there is no room, and closes it. */
  constructor(server: Server, refuse: (socket: Socket) => void, bounds: ConnectionBounds) {
    this.now = bounds.now;
    this.#bounds = bounds;
    server.maxConnections = bounds.connections + MOST_REFUSED;
    server.on('connection', (socket: Socket) => {
      if (this.#all.size < bounds.connections || this.#makeRoom()) this.#admit(socket);
      else refuse(socket);
    });
    server.once('listening', () => {
      let sweptAt = this.now();
      const timer = setInterval(() => {
        const now = this.now();
        this.#sweep(now, now - sweptAt);
        sweptAt = now;
      }, bounds.sweepMs).unref();
      server.once('close', () => clearInterval(timer));
    });
  }

  get count(): number {
    return this.#all.size;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Whether a large answer may be made: from half of the bound on, who reads goes first. */
  get hasRoom(): boolean {
    return this.#waitingBytes <= this.#bounds.waitingBytes / 2;
  }

  /** Whether a body in pieces may begin; closes one for it that nobody has read for too long. */
  makeRoomForStream(): boolean {
    const { streams, stalledWhenFullMs } = this.#bounds;
    const isStreaming = (connection: Connection) => connection.isStreaming;
    let count = 0;
    for (const connection of this.#all.values()) if (connection.isStreaming) count++;
    return count < streams || this.#closeStalled(isStreaming, stalledWhenFullMs);
  }

  /** The connection of a socket; undefined if it was refused or closed. */
  of(socket: Socket): Connection | undefined {
    return this.#all.get(socket);
  }

  /** Counts bytes that wait for a reader. Past the bound, who holds most of them for longest goes. */
  add(bytes: number, connection: Connection): void {
    this.#waitingBytes += bytes;
    while (bytes > 0 && this.#waitingBytes > this.#bounds.waitingBytes) {
      // What was just made is not the reason: an answer alone may be larger than the bound.
      if (!this.#closeStalled((other) => other.waitingBytes > 0 && other !== connection)) return;
    }
  }

  #admit(socket: Socket): void {
    const connection = new Connection(socket, this);
    this.#all.set(socket, connection);
    socket.once('close', () => this.#leave(connection));
  }

  #leave(connection: Connection): Socket {
    const { socket } = connection;
    this.#all.delete(socket);
    connection.hold(0);
    return socket;
  }

  /** Closes who is idle for longest; if all are busy, who takes nothing for too long. */
  #makeRoom(): boolean {
    let idle: Connection | undefined;
    for (const connection of this.#all.values()) {
      if (connection.isBusy) continue;
      if (idle === undefined || connection.busyAt < idle.busyAt) idle = connection;
    }
    if (idle !== undefined) {
      this.#leave(idle).destroy();
      return true;
    }
    return this.#closeStalled(() => true, this.#bounds.stalledWhenFullMs);
  }

  /**
   * Closes a reader who took nothing for so long; false if there is none. Of several, it is the one
   * whose bytes, times the time since he last took some, are most: a download holds few bytes, so
   * it is the last to go.
   */
  #closeStalled(isMeant: (connection: Connection) => boolean, atLeastMs = 0): boolean {
    const now = this.now();
    let worst: Connection | undefined;
    let most = -1;
    for (const connection of this.#all.values()) {
      if (!isMeant(connection)) continue;
      connection.look(now);
      const sinceMs = now - connection.movedAt;
      const weight = (connection.waitingBytes + 1) * sinceMs;
      if (sinceMs >= atLeastMs && weight > most) [worst, most] = [connection, weight];
    }
    if (worst === undefined) return false;
    this.#leave(worst).resetAndDestroy();
    return true;
  }

  #sweep(now: number, sinceMs: number): void {
    const { stalledMs, stalledWhenFullMs } = this.#bounds;
    for (const connection of this.#all.values()) {
      if (connection.isBusy) connection.busyAt = now;
      connection.look(now);
      if (connection.isOverdue(now, sinceMs, stalledMs)) {
        this.#leave(connection).resetAndDestroy();
      }
    }
    while (!this.hasRoom) {
      // A lone waiting reader blocks no other.
      const isOneOfMany = ({ waitingBytes }: Connection) =>
        waitingBytes > 0 && waitingBytes < this.#waitingBytes;
      if (!this.#closeStalled(isOneOfMany, stalledWhenFullMs)) break;
    }
  }
}

/** Runs work at the end of a turn of the event loop. */
export type AtTurnsEnd = (work: () => void) => void;

/**
 * Collects the work of a turn. The code that reads requests, the code that answers them and the
 * code that writes are each large: a processor that runs one of them for all requests of a turn
 * before the next is up to twice as fast.
 */
export function turnsEnd(): AtTurnsEnd {
  let waiting: (() => void)[] = [];
  const workAll = () => {
    const all = waiting;
    waiting = [];
    for (const work of all) work();
  };
  return (work) => {
    if (waiting.push(work) === 1) setImmediate(workAll);
  };
}
