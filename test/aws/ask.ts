import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** A request as it is sent: `path` goes out unchanged, so that raw characters reach the other side. */
export type Asked = {
  /** Below the base URL. */
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Hang up after this many bytes of the answer. */
  readonly hangUpAfter?: number;
  /** Without the key, though there is one. */
  readonly isKeyless?: boolean;
  /** Without an `Accept`, as Python's urllib and pandas ask. */
  readonly hasNoAccept?: boolean;
};

export type Answer = {
  /** 0 if the connection ended before an answer began; `failure` says how. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The length of the body. */
  readonly bytes: number;
  /** The beginning of the body, at most `KEPT_BYTES`. */
  readonly body: Buffer;
  /** The last four bytes of the body. */
  readonly end: Buffer;
  /** Whether the answer ended as its framing says. */
  readonly isWhole: boolean;
  /** In seconds, from the request to the first and to the last byte. */
  readonly begins: number;
  readonly ends: number;
  readonly failure?: string;
};

export type Ask = (asked: Asked) => Promise<Answer>;

/** Of an answer that is kept, in bytes; the rest is counted and dropped. */
const KEPT_BYTES = 2 ** 23;

/** What is read of one answer, in bytes: beyond Lambda's 200 MB. What is longer is hung up on. */
const MOST_BYTES = 260e6;

/** How long an answer may take: API Gateway ends a stream after 15 minutes. */
const MOST_MS = 960_000;

/** Returns what sends requests to a service, with its key if there is one. */
export function askerOf(baseUrl: string, key: string | undefined): Ask {
  const { protocol, hostname, port, pathname } = new URL(baseUrl);
  const send = protocol === 'https:' ? requestHttps : requestHttp;
  const root = pathname.replace(/\/+$/, '');
  return async (asked) => {
    const { path, method = 'GET', headers = {}, body, isKeyless = false } = asked;
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1000;
    const sent = send({
      ...{ protocol, hostname, port, method, path: root + path, timeout: MOST_MS },
      // A connection of its own: one that was hung up on, or refused, says nothing of the next request.
      agent: false,
      headers: {
        // Or the other side would cut a body that it refuses, and its answer with it.
        Connection: 'keep-alive',
        // As curl does: API Gateway unpacks the bytes of an answer only for those who accept them.
        ...(asked.hasNoAccept ? {} : { Accept: '*/*' }),
        ...(key === undefined || isKeyless ? {} : { 'x-api-key': key }),
        ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
        ...headers,
      },
    });
    sent.once('timeout', () => sent.destroy(new Error('no byte in 16 minutes')));
    // What is left to send when the answer has come is of no interest.
    sent.end(body);
    return answerOf(sent, asked.hangUpAfter ?? MOST_BYTES, seconds);
  };
}

function answerOf(sent: ClientRequest, most: number, seconds: () => number): Promise<Answer> {
  return new Promise((resolve) => {
    const kept: Buffer[] = [];
    let [bytes, keptBytes, begins] = [0, 0, 0];
    let end = Buffer.alloc(0);
    let response: IncomingMessage | undefined;
    const finish = (failure?: string) => {
      resolve({
        status: response?.statusCode ?? 0,
        headers: Object.fromEntries(
          Object.entries(response?.headers ?? {}).map(([name, value]) => [name, String(value)]),
        ),
        ...{ bytes, body: Buffer.concat(kept), end, begins, ends: seconds() },
        isWhole: response?.complete === true,
        ...(failure === undefined ? {} : { failure }),
      });
      sent.destroy();
    };
    // An answer that has begun ends by itself, also where the rest of the body is refused.
    sent.on('error', (error) => {
      if (response === undefined) finish((error as NodeJS.ErrnoException).code ?? error.message);
    });
    sent.once('response', (message) => {
      response = message;
      message.on('data', (piece: Buffer) => {
        if (bytes === 0) begins = seconds();
        bytes += piece.length;
        end = Buffer.concat([end, piece.subarray(-4)]).subarray(-4);
        if (keptBytes < KEPT_BYTES) {
          kept.push(piece);
          keptBytes += piece.length;
        }
        if (bytes > most) finish('we hung up');
      });
      message.once('end', () => finish());
      message.once('error', (error) => finish((error as NodeJS.ErrnoException).code));
      message.once('close', () => finish('the connection was cut'));
    });
  });
}

/** The body as JSON; undefined if it is none. */
// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
export function jsonOf({ body }: Answer): any {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
