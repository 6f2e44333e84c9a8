import { gzipSync } from 'node:zlib';
import type { Item } from '../dynamodb/item.ts';

/** Items as DynamoDB's import from S3 reads them: DynamoDB JSON, an item a line, gzipped. */
export function importFile(items: readonly Item[]): Uint8Array {
  return gzipSync(items.map((item) => `${JSON.stringify({ Item: item })}\n`).join(''));
}
