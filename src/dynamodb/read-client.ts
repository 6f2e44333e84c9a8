import { createHash, createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type {
  AttributeValue,
  BatchGetItemCommandInput,
  BatchGetItemCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  ScanCommandInput,
  ScanCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { HttpRequest } from '@smithy/core/protocols';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import { Problem } from '../problem/errors.ts';
import { backOff, retry, valueWithin } from '../work/waiting.ts';
import { ID, type Item, SHARD } from './item.ts';

/** The calls by which DynamoDB reads a table. */
export type TableReads = {
  query(input: QueryCommandInput, signal: AbortSignal): Promise<Answer<QueryCommandOutput>>;
  batchGetItem(
    input: BatchGetItemCommandInput,
    signal: AbortSignal,
  ): Promise<Answer<BatchGetItemCommandOutput>>;
};

/** The call that counts an index. Functions that answer requests may not make it. */
export type TableScans = {
  scan(input: ScanCommandInput, signal: AbortSignal): Promise<Answer<ScanCommandOutput>>;
};

type Answer<Output> = Omit<Output, '$metadata'>;

/** An emulator to use instead of the account's DynamoDB: its address, and keys if it needs some. */
export type Emulator = {
  readonly endpoint: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
};

/** For emulators that require keys but use none. */
export const ANY_KEYS = { accessKeyId: 'local', secretAccessKey: 'local' };

export type ReadClientSettings = Partial<Emulator> & {
  /** Sends the requests. Tests replace it. */
  readonly requestHandler?: Pick<NodeHttpHandler, 'handle' | 'destroy'>;
  /** The most times that a request is sent. */
  readonly mostAttempts?: number;
  /** The longest time for one request, up to the last byte of its answer. */
  readonly requestTimeout?: number;
};

/** Attempts of one request that reads from DynamoDB, with jitter between them. */
export const MOST_ATTEMPTS = 3;

/** An attempt to read from DynamoDB, to the answer's last byte, and its connection. */
export const REQUEST_WITHIN_MS = 1000;
export const CONNECT_WITHIN_MS = 500;

/**
 * An answer of DynamoDB.
 *
 * A batch has at most 16 MB in at most 100 items, so it consists of long texts or base64, and makes
 * 21 MB of JSON. A page has 1 MB, which JSON may make nine times as long.
 */
const MOST_BYTES = 32 * 2 ** 20;

/**
 * How long a client waits before each retry. The SDK's own back-off of up to 3 s would take longer
 * than a whole read may.
 */
export const retryDelayMs = backOff(200, 400);

/**
 * An error in DynamoDB's answer. It has the name and the members of the SDK's errors, because the
 * SDK classifies it.
 */
class DynamodbError extends Error {
  readonly $metadata: { readonly httpStatusCode: number };

  constructor(name: string, message: string, httpStatusCode: number) {
    super(message);
    this.name = name;
    this.$metadata = { httpStatusCode };
  }
}

/**
 * Makes the calls that read DynamoDB, as signed requests. DynamoDB's SDK would take longer to load
 * than everything else that a function loads. It gives up soon; the caller's signal bounds a whole
 * read.
 */
export class ReadClient implements TableReads, TableScans {
  readonly #handler: Pick<NodeHttpHandler, 'handle' | 'destroy'>;
  readonly #endpoint: URL;
  readonly #signer: SignatureV4;
  readonly #mostAttempts: number;
  readonly #requestTimeout: number;

  constructor(settings: ReadClientSettings = {}) {
    const { endpoint, requestHandler, mostAttempts = MOST_ATTEMPTS } = settings;
    const { requestTimeout = REQUEST_WITHIN_MS, credentials = ANY_KEYS } = settings;
    const { env } = process;
    const isLocal = endpoint !== undefined || requestHandler !== undefined;
    const region = isLocal ? 'local' : (env.AWS_REGION ?? '');
    this.#mostAttempts = mostAttempts;
    this.#requestTimeout = requestTimeout;
    this.#endpoint = new URL(
      endpoint ?? env.AWS_ENDPOINT_URL_DYNAMODB ?? env.AWS_ENDPOINT_URL ?? endpointIn(region),
    );
    this.#handler =
      requestHandler ??
      new NodeHttpHandler({
        connectionTimeout: Math.max(CONNECT_WITHIN_MS, requestTimeout / 2),
        requestTimeout,
        throwOnRequestTimeout: true,
      });
    this.#signer = new SignatureV4({
      service: 'dynamodb',
      region,
      // A function's keys stay the same while it lives.
      credentials: isLocal
        ? credentials
        : {
            accessKeyId: env.AWS_ACCESS_KEY_ID ?? '',
            secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? '',
            ...(env.AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: env.AWS_SESSION_TOKEN }),
          },
      sha256: Sha256,
    });
  }

  async query(input: QueryCommandInput, signal: AbortSignal): Promise<Answer<QueryCommandOutput>> {
    const page = (await this.#call('Query', input, signal)) as QueryCommandOutput;
    readBinary(page.Items);
    return page;
  }

  async batchGetItem(
    input: BatchGetItemCommandInput,
    signal: AbortSignal,
  ): Promise<Answer<BatchGetItemCommandOutput>> {
    const batch = (await this.#call('BatchGetItem', input, signal)) as BatchGetItemCommandOutput;
    for (const items of Object.values(batch.Responses ?? {})) readBinary(items);
    return batch;
  }

  async scan(input: ScanCommandInput, signal: AbortSignal): Promise<Answer<ScanCommandOutput>> {
    return (await this.#call('Scan', input, signal)) as ScanCommandOutput;
  }

  /** Closes its connections. */
  destroy(): void {
    this.#handler.destroy();
  }

  #call(operation: string, input: object, signal: AbortSignal): Promise<object> {
    const body = JSON.stringify(input);
    const id = randomUUID();
    const mostTries = this.#mostAttempts;
    const send = (attempt: number) => {
      // AWS uses these headers to tell retries from other requests. Its SDK sends them too.
      const headers = {
        'amz-sdk-invocation-id': id,
        'amz-sdk-request': `attempt=${attempt}; max=${mostTries}`,
      };
      return this.#send(operation, body, headers, signal);
    };
    return retry(send, { isPassing, signal, mostTries, delayMs: retryDelayMs });
  }

  async #send(
    operation: string,
    body: string,
    more: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<object> {
    const { protocol, hostname, port, host, pathname } = this.#endpoint;
    const request = new HttpRequest({
      method: 'POST',
      protocol,
      hostname,
      ...(port === '' ? {} : { port: Number(port) }),
      path: pathname,
      headers: {
        host,
        'content-type': 'application/x-amz-json-1.0',
        'content-length': String(Buffer.byteLength(body)),
        'x-amz-target': `DynamoDB_20120810.${operation}`,
        ...more,
      },
      body,
    });
    const signed = (await this.#signer.sign(request)) as HttpRequest;
    const end = performance.now() + this.#requestTimeout;
    const { response } = await this.#handler.handle(signed, { abortSignal: signal });
    const { statusCode, headers, body: stream } = response;
    // The handler only bounds the time until the head of the answer has arrived.
    const bytes = await valueWithin(bytesOf(stream), end - performance.now());
    if (bytes === undefined) {
      stream.destroy?.();
      throw new DynamodbError('TimeoutError', 'The answer takes too long.', statusCode);
    }
    const sum = headers['x-amz-crc32'];
    if (sum !== undefined && Number(sum) !== crc32(bytes)) {
      throw new DynamodbError('CRC32CheckFailed', 'The answer was damaged on its way.', 500);
    }
    if (statusCode === 200) return JSON.parse(bytes.toString());
    const { __type: type = 'UnknownError', message, Message } = bodyOf(bytes);
    const name = type.slice(type.indexOf('#') + 1);
    throw new DynamodbError(name, message ?? Message ?? `status ${statusCode}`, statusCode);
  }
}

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    length += piece.length;
    if (length > MOST_BYTES) throw new Error(`The answer is over ${MOST_BYTES} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
}

/**
 * Tells whether an error says nothing about the data, so that a retry may help: the request was
 * throttled, cut off, given up or late, or the error is DynamoDB's own.
 */
export function isPassing(error: unknown): boolean {
  return (
    (error as Error)?.name === 'AbortError' ||
    isThrottlingError(error as never) ||
    isTransientError(error as never) ||
    isServerError(error as never)
  );
}

function endpointIn(region: string): string {
  return `https://dynamodb.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

/** The members of an error's body. None if the body is not JSON; a proxy's is not. */
function bodyOf(bytes: Buffer): { __type?: string; message?: string; Message?: string } {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return {};
  }
}

/** Decodes binary attributes, which are base64 on the wire. */
function readBinary(items: readonly Item[] | undefined): void {
  for (const item of items ?? []) {
    for (const value of Object.values(item)) {
      const { B: base64 } = value as { B?: unknown };
      if (typeof base64 === 'string') Object.assign(value, { B: Buffer.from(base64, 'base64') });
    }
  }
}

/** SHA-256, or its HMAC if there is a key, in the form that the signer expects. */
class Sha256 {
  readonly #hash: { update(data: string | Uint8Array): unknown; digest(): Buffer };

  constructor(key?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash =
      key === undefined ? createHash('sha256') : createHmac('sha256', key as string | Uint8Array);
  }

  update(data: string | Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {}
}

/** An item to read: its key, and its approximate size in bytes. */
export type AskedItem = {
  readonly key: Readonly<Record<string, AttributeValue>>;
  readonly bytes: number;
};

/**
 * Items that one request to DynamoDB reads, and their bytes, about. BatchGetItem takes 100 keys.
 *
 * Fewer bytes than its 16 MB arrive well within a request's time.
 */
const MOST_KEYS = 100;
const MOST_BYTES_ASKED = 4 * 2 ** 20;

/**
 * A read of items, whoever waits for it. Reads may go on after the run that wanted them has ended,
 * but not for ever.
 */
const WITHIN_MS = 20_000;

type Caller = {
  readonly resolve: (item: Item | undefined) => void;
  readonly reject: (error: unknown) => void;
};

/** An item to read, and the callers that wait for it. */
type Waiting = AskedItem & { readonly callers: Caller[] };

/**
 * Reads single items. All items that are wanted in one turn of the event loop are read together.
 */
export class ItemReader {
  readonly #client: TableReads;
  readonly #table: string;
  /** The items by the names of their keys. A request must not have the same key twice. */
  #waiting = new Map<string, Waiting>();

  constructor(client: TableReads, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Returns the item of a key. Undefined if there is none. */
  read(asked: AskedItem): Promise<Item | undefined> {
    return new Promise((resolve, reject) => {
      const name = nameOf(asked.key);
      const same = this.#waiting.get(name);
      if (same !== undefined) return same.callers.push({ resolve, reject });
      if (this.#waiting.size === 0) setImmediate(() => this.#readAll());
      this.#waiting.set(name, { ...asked, callers: [{ resolve, reject }] });
    });
  }

  #readAll(): void {
    const all = [...this.#waiting];
    this.#waiting = new Map();
    let [from, bytes] = [0, 0];
    for (const [i, [, asked]] of all.entries()) {
      if (i > from && (i - from === MOST_KEYS || bytes + asked.bytes > MOST_BYTES_ASKED)) {
        this.#readBatch(all.slice(from, i));
        [from, bytes] = [i, 0];
      }
      bytes += asked.bytes;
    }
    this.#readBatch(all.slice(from));
  }

  async #readBatch(batch: readonly (readonly [string, Waiting])[]): Promise<void> {
    const waiting = new Map(batch);
    const signal = AbortSignal.timeout(WITHIN_MS);
    try {
      let keys = batch.map(([, { key }]) => key);
      for (let attempt = 1; keys.length > 0; attempt++) {
        const { Responses, UnprocessedKeys } = await this.#client.batchGetItem(
          { RequestItems: { [this.#table]: { Keys: keys } } },
          signal,
        );
        const found = Responses?.[this.#table] ?? [];
        for (const item of found) {
          const name = nameOf(item);
          for (const { resolve } of waiting.get(name)?.callers ?? []) resolve(item);
          waiting.delete(name);
        }
        keys = (UnprocessedKeys?.[this.#table]?.Keys ?? []) as typeof keys;
        // An answer may lack items because of its size, which is no reason to wait. Throttling is
        // one.
        if (found.length === 0 && keys.length > 0) {
          await sleep(delayOfUnprocessed(attempt), undefined, { signal });
        }
      }
      for (const { callers } of waiting.values()) {
        for (const { resolve } of callers) resolve(undefined);
      }
    } catch (error) {
      for (const { callers } of waiting.values()) {
        for (const { reject } of callers) reject(error);
      }
    }
  }
}

/** How long to wait before asking again for the keys that a throttled table did not answer. */
const delayOfUnprocessed = backOff(25, 500);

function nameOf(key: Readonly<Record<string, AttributeValue>>): string {
  return `${key[SHARD]?.S}/${key[ID]?.S}`;
}

/**
 * Turns a failure of the store into a 503 that tells callers to try again. DynamoDB's
 * ValidationException is our own mistake, so it is returned unchanged.
 */
export function storeUnavailable(cause: unknown): unknown {
  if (cause instanceof Problem) return cause;
  if (cause instanceof Error && cause.name === 'ValidationException') return cause;
  return new Problem('store-unavailable', 'The data cannot be read just now. Try again soon.', {
    headers: { 'Retry-After': '1' },
    cause,
  });
}
