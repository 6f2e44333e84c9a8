import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { type Field, isIndexed } from '../values/field-types.ts';

/**
 * A dataset's table has one item per row, keyed by shard and id. Shards are contiguous ranges of
 * ids, so reading them in order gives the dataset's order. An index is keyed by a text's key, then
 * the id. Field names cannot contain `~`, so these names clash with none.
 */
export const SHARD = '~shard';
export const ID = '~id';

/** The attribute that holds a field's key. */
export function keyAttribute(field: string): string {
  return `${field}~key`;
}

export function indexName(field: string): string {
  return `by-${field}`;
}

export function indexedFields(fields: readonly Field[]): Field[] {
  return fields.filter(isIndexed);
}

/** Ids and shards are zero-padded, so that their order as text is their order as numbers. */
export function idOf(position: number): string {
  return String(position).padStart(9, '0');
}

export function shardKey(shard: number): string {
  return String(shard).padStart(5, '0');
}

/** Key schema, indexes and billing, which CreateTable and the stack both need. */
export type TableShape = Pick<
  CreateTableCommandInput,
  'AttributeDefinitions' | 'KeySchema' | 'GlobalSecondaryIndexes' | 'BillingMode'
>;

export function tableShape(fields: readonly Field[]): TableShape {
  const indexed = indexedFields(fields);
  const texts = [SHARD, ID, ...indexed.map(({ name }) => keyAttribute(name))];
  return {
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: texts.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [
      { AttributeName: SHARD, KeyType: 'HASH' },
      { AttributeName: ID, KeyType: 'RANGE' },
    ],
    ...(indexed.length === 0
      ? {}
      : {
          GlobalSecondaryIndexes: indexed.map(({ name }) => ({
            IndexName: indexName(name),
            KeySchema: [
              { AttributeName: keyAttribute(name), KeyType: 'HASH' },
              { AttributeName: ID, KeyType: 'RANGE' },
            ],
            Projection: { ProjectionType: 'ALL' },
          })),
        }),
  };
}
