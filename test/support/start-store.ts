import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createClient } from '../../src/dynamodb/client.ts';
import { ReadClient } from '../../src/dynamodb/read-client.ts';
import { startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';

/** An embedded DynamoDB of a test's own, with what writes its tables and what reads them. */
export type TestStore = {
  readonly endpoint: string;
  readonly client: DynamoDBClient;
  readonly reader: ReadClient;
  stop(): Promise<void>;
};

export async function startStore(): Promise<TestStore> {
  const embedded = await startEmbeddedDynamodb();
  const { endpoint } = embedded;
  const client = createClient({ endpoint });
  const reader = new ReadClient({ endpoint });
  return {
    endpoint,
    client,
    reader,
    stop: async () => {
      client.destroy();
      reader.destroy();
      await embedded.stop();
    },
  };
}
