import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

export type ClientSettings = {
  /** Another DynamoDB than the account's own: an emulator. */
  readonly endpoint?: string;
  /** For tests: what sends the requests. */
  readonly requestHandler?: object;
};

/**
 * A client that gives up soon: two retries with jittered back-off (the SDK's standard mode), and
 * no request longer than a second. What a whole read may take is bounded by its caller's signal.
 */
export function createClient({ endpoint, requestHandler }: ClientSettings = {}): DynamoDBClient {
  const local = endpoint !== undefined || requestHandler !== undefined;
  return new DynamoDBClient({
    maxAttempts: 3,
    retryMode: 'standard',
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
