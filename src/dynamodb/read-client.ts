import {
  BatchGetItemCommand,
  type BatchGetItemCommandInput,
  type BatchGetItemCommandOutput,
  DynamoDBClient,
  type DynamoDBClientConfig,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  ScanCommand,
  type ScanCommandInput,
  type ScanCommandOutput,
} from '@aws-sdk/client-dynamodb';
import {
  ConfiguredRetryStrategy,
  isServerError,
  isThrottlingError,
  isTransientError,
} from '@smithy/core/retry';
import { backOff, valueWithin } from '../work/waiting.ts';

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
const ANY_KEYS = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Where DynamoDB is and how it is asked. Absent settings are those of an emulator. */
export type ClientSettings = Partial<DynamoDBClientConfig> & {
  /** The most times that a request is sent. */
  readonly mostAttempts?: number;
  /** The longest wait for an answer to begin, and again for it to end. */
  readonly requestTimeout?: number;
};

/** Attempts of one request that reads from DynamoDB, with jitter between them. */
const MOST_ATTEMPTS = 3;

/** An attempt to read from DynamoDB: until its answer begins, again until it ends; its connection. */
const REQUEST_WITHIN_MS = 1000;
const CONNECT_WITHIN_MS = 500;

/**
 * An answer of DynamoDB.
 *
 * A batch has at most 16 MB in at most 100 items, so it consists of long texts or base64, and makes
 * 21 MB of JSON. A page has 1 MB, which JSON may make nine times as long.
 */
const MOST_BYTES = 32 * 2 ** 20;

/**
 * How long a client waits before each retry. The SDK's own back-off after throttling, of up to 3 s,
 * would take longer than a whole read may.
 */
const retryDelayMs = backOff(200, 400);

/**
 * A logger without `info`, for which the SDK would copy each answer. Its own, which logs nothing, has
 * one: a page of 1 MB would take four times as long.
 */
const NO_LOGGER = { debug() {}, warn() {}, error() {} } as unknown as NonNullable<
  DynamoDBClientConfig['logger']
>;

/** Makes the SDK's client. */
export function dynamodbClient({
  mostAttempts = MOST_ATTEMPTS,
  requestTimeout = REQUEST_WITHIN_MS,
  ...settings
}: ClientSettings): DynamoDBClient {
  return new DynamoDBClient({
    // An emulator requires a region and keys but does not use them.
    region: 'local',
    credentials: ANY_KEYS,
    accountIdEndpointMode: 'disabled',
    logger: NO_LOGGER,
    maxAttempts: mostAttempts,
    retryStrategy: new ConfiguredRetryStrategy(mostAttempts, retryDelayMs),
    requestHandler: {
      connectionTimeout: Math.max(CONNECT_WITHIN_MS, requestTimeout / 2),
      requestTimeout,
      throwOnRequestTimeout: true,
    },
    streamCollector: (stream) => collect(stream, requestTimeout),
    ...settings,
  });
}

/**
 * Makes the calls that read DynamoDB by the SDK's client. It gives up soon; the caller's signal
 * bounds a whole read.
 */
export class ReadClient implements TableReads, TableScans {
  readonly #client: DynamoDBClient;

  constructor(settings: ClientSettings) {
    this.#client = dynamodbClient(settings);
  }

  query(input: QueryCommandInput, abortSignal: AbortSignal): Promise<QueryCommandOutput> {
    return this.#client.send(new QueryCommand(input), { abortSignal });
  }

  batchGetItem(
    input: BatchGetItemCommandInput,
    abortSignal: AbortSignal,
  ): Promise<BatchGetItemCommandOutput> {
    return this.#client.send(new BatchGetItemCommand(input), { abortSignal });
  }

  scan(input: ScanCommandInput, abortSignal: AbortSignal): Promise<ScanCommandOutput> {
    return this.#client.send(new ScanCommand(input), { abortSignal });
  }

  /** Closes its connections. */
  destroy(): void {
    this.#client.destroy();
  }
}

/** Reads an answer. The SDK would wait for its end for ever, and hold all of its bytes. */
async function collect(stream: Stream, withinMs: number): Promise<Uint8Array> {
  const bytes = await valueWithin(bytesOf(stream), withinMs);
  if (bytes !== undefined) return bytes;
  stream.destroy?.();
  // The name makes the SDK try again.
  throw Object.assign(new Error('The answer takes too long.'), { name: 'TimeoutError' });
}

type Stream = AsyncIterable<Uint8Array> & { destroy?(): void };

async function bytesOf(stream: Stream): Promise<Buffer> {
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
