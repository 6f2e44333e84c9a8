import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { HEAD_KEY } from '../../src/dynamodb/column-items.ts';
import { awsSettings } from '../../src/lambda/aws-settings.ts';

const { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME } = process.env;
const client = new DynamoDBClient({ ...awsSettings(), ...(endpoint && { endpoint }) });

/** What the SDK costs: a function that only makes its client and reads one item. */
export async function handler() {
  const { Item } = await client.send(new GetItemCommand({ TableName: TABLE_NAME, Key: HEAD_KEY }));
  return { statusCode: Item === undefined ? 404 : 200, body: '' };
}
