import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import { ANY_KEYS, type Emulator } from './read-client.ts';

const MOST_ATTEMPTS = 3;

/** Bounds of the back-off before each retry, with full jitter; the SDK's own is up to 3 s. */
const MOST_DELAY_MS = [0, 200, 400];

/**
 * A client of an emulator, which writes its tables; what takes longer than a second says so for
 * itself. Deployed tables are written by DynamoDB's import, and all are read by `ReadClient`.
 */
export function createClient({ endpoint, credentials = ANY_KEYS }: Emulator): DynamoDBClient {
  return new DynamoDBClient({
    endpoint,
    retryStrategy: new ConfiguredRetryStrategy(
      MOST_ATTEMPTS,
      (retry) => Math.random() * (MOST_DELAY_MS[retry] ?? 0),
    ),
    requestHandler: {
      connectionTimeout: 500,
      requestTimeout: 1000,
      throwOnRequestTimeout: true,
    },
    // An emulator requires a region but does not use it.
    region: 'local',
    credentials,
  });
}
