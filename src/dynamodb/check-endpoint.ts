import {
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { SEALS } from './seals.ts';

/** An emulator may have just been started. */
const ANSWERS_WITHIN_S = 10;

/** Throws, with the address and what to do, unless a DynamoDB answers there within some seconds. */
export async function checkEndpoint(client: DynamoDBClient, endpoint: string): Promise<void> {
  const reason = await reasonAgainst(client);
  if (reason === undefined) return;
  throw new Error(
    `no DynamoDB answers at ${endpoint} (${reason}); start one, or set DYNAMODB_ENDPOINT to its address.`,
  );
}

async function reasonAgainst(client: DynamoDBClient): Promise<string | undefined> {
  const signal = AbortSignal.timeout(ANSWERS_WITHIN_S * 1000);
  const settings = { requestTimeout: ANSWERS_WITHIN_S * 1000, abortSignal: signal };
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: SEALS }), settings);
    return Table?.TableName === SEALS ? undefined : 'what answers there is none';
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    if (signal.aborted) return `no answer within ${ANSWERS_WITHIN_S} s`;
    return (error as Error).message.split('\n', 1)[0];
  }
}
