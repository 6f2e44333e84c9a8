import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';

export type ClientSettings = {
  /** Another DynamoDB than the account's own: an emulator. */
  readonly endpoint?: string;
  /** For tests: what sends the requests. */
  readonly requestHandler?: object;
};

const MOST_ATTEMPTS = 3;

/** Back-off with full jitter, by the retry: the SDK's own, of up to 3 s, outlives a whole read. */
const MOST_DELAY_MS = [0, 200, 400];

/**
 * A client that gives up soon: two retries, and no request longer than a second. What a whole
 * read may take is bounded by its caller's signal.
 */
export function createClient({ endpoint, requestHandler }: ClientSettings = {}): DynamoDBClient {
  const local = endpoint !== undefined || requestHandler !== undefined;
  return new DynamoDBClient({
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
    // An emulator wants a region and a key, and reads neither.
    ...(local
      ? { region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
      : {}),
  });
}
