import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';

export type ClientSettings = {
  /** The address of an emulator to use instead of the account's DynamoDB. */
  readonly endpoint?: string;
  /** Sends the requests, in tests. */
  readonly requestHandler?: object;
};

const MOST_ATTEMPTS = 3;

/**
 * Bounds of the back-off before each retry, with full jitter. The SDK's own, of up to 3 s, would
 * outlast a whole read.
 */
const MOST_DELAY_MS = [0, 200, 400];

/**
 * A client that gives up soon: two retries, and at most a second per request. The caller's signal
 * bounds a whole read.
 */
export function createClient({ endpoint, requestHandler }: ClientSettings = {}): DynamoDBClient {
  const local = endpoint !== undefined || requestHandler !== undefined;
  const client = new DynamoDBClient({
    retryStrategy: new ConfiguredRetryStrategy(
      MOST_ATTEMPTS,
      (retry) => Math.random() * (MOST_DELAY_MS[retry] ?? 0),
    ),
    requestHandler: (requestHandler as never) ?? {
      connectionTimeout: 500,
      requestTimeout: 1000,
      throwOnRequestTimeout: true,
    },
    ...(endpoint === undefined ? {} : { endpoint }),
    // An emulator requires a region and a key but uses neither.
    ...(local
      ? { region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
      : {}),
  });
  // It copies each answer, item by item, for a logger that does not write.
  client.middlewareStack.removeByTag('LOGGER');
  return client;
}
