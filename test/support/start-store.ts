import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createClient } from '../../src/dynamodb/client.ts';
import { ReadClient } from '../../src/dynamodb/read-client.ts';
import { startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import { AMPLE_MS } from './ample.ts';

/** A DynamoDB of a test's own, with what writes its tables and what reads them. */
export type TestStore = {
  readonly client: DynamoDBClient;
  readonly reader: ReadClient;
  stop(): Promise<void>;
};

export async function startStore(): Promise<TestStore> {
  const embedded = await startEmbeddedDynamodb();
  const client = createClient({ ...embedded, requestTimeout: AMPLE_MS });
  const reader = new ReadClient({ ...embedded, requestTimeout: AMPLE_MS });
  return {
    client,
    reader,
    stop: async () => {
      client.destroy();
      reader.destroy();
      await embedded.stop();
    },
  };
}
