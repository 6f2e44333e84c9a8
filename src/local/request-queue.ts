import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The requests of a connection, of which one at a time is answered. */
export class RequestQueue {
  latest: ServerResponse | undefined;
  /** How many wait for their turn. */
  waiting = 0;
  #beforeLatest: ServerResponse | undefined;

  /**
   * The turn of a request that came before an earlier one of its connection was answered
   * (pipelining, RFC 9112, section 9.3.2); undefined if it need not wait. Without turns, a client
   * that sends many requests and reads nothing would have all their answers in memory at once.
   */
  turnOf(outgoing: ServerResponse): Promise<void> | undefined {
    const earlier = this.latest;
    this.latest = outgoing;
    if (earlier === undefined || earlier.closed) {
      this.#beforeLatest = undefined;
      return undefined;
    }
    const { socket } = outgoing.req;
    this.#beforeLatest = earlier;
    this.waiting++;
    socket.pause();
    return closed(earlier).then(() => {
      this.waiting--;
      // The body of the last one may still be on its way.
      if (this.waiting === 0) socket.resume();
      else socket.pause();
    });
  }

  /** Lets go of answers that are done, and of what Node's pipeline keeps with them: their bodies. */
  forget(): void {
    if (this.#beforeLatest?.closed) this.#beforeLatest = undefined;
    if (this.latest?.closed && this.latest.req.complete) this.latest = undefined;
  }

  /**
   * Waits until all requests before one that cannot be read are answered: an answer is known by its
   * place alone. False if that request has an answer already, or nobody can get another.
   */
  async turnOfUnreadable(socket: Socket): Promise<boolean> {
    const { latest } = this;
    if (latest === undefined) return true;
    const isAnother = latest.req.complete;
    const earlier = isAnother ? latest : this.#beforeLatest;
    if (earlier !== undefined && !earlier.closed) await closed(earlier);
    return socket.writable && (isAnother || !latest.headersSent);
  }
}

function closed(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => outgoing.once('close', resolve));
}
