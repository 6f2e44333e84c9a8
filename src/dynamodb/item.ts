import type { AttributeValue, CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import type { KeyedRow } from '../query/predicate.ts';
import { plainDecimals, wholeDigits } from '../text/decimal.ts';
import type { FieldType, Key, Value } from '../values/field-type.ts';
import { type Field, isIndexed, typeOf } from '../values/field-types.ts';

export type Item = Record<string, AttributeValue>;

/** Makes the item of a row. A missing value has no attribute. No other code makes items. */
export function makeItem(
  fields: readonly Field[],
  row: KeyedRow,
  position: number,
  rowsPerShard: number,
): Item {
  const item: Item = rowKey(position, rowsPerShard);
  for (const { name } of fields) addField(item, name, row.values[name] ?? null, row.keys[name]);
  return item;
}

/** Adds a field's attributes to a row's item. */
function addField(item: Item, name: string, value: Value, key: Key | undefined): Item {
  if (value !== null) item[name] = attributeOf(value);
  // A number is its own key.
  if (typeof key === 'string' || (key !== undefined && key !== value)) {
    item[keyAttribute(name)] = attributeOf(key);
  }
  return item;
}

/** The key of a row's item. */
export function rowKey(position: number, rowsPerShard: number): Item {
  return {
    [SHARD]: { S: shardKey(Math.floor(position / rowsPerShard)) },
    [ID]: { S: idOf(position) },
  };
}

function attributeOf(value: string | number | boolean): AttributeValue {
  if (typeof value === 'number') return { N: String(value) };
  return typeof value === 'boolean' ? { BOOL: value } : { S: value };
}

/**
 * Reads the row in an item, and its position. Throws if an attribute is not of its field's type.
 */
export function readItem(fields: readonly Field[], item: Item): KeyedRow & { position: number } {
  const values: Record<string, Value> = Object.create(null);
  const keys: Record<string, Key> = Object.create(null);
  for (const field of fields) {
    const { name } = field;
    const { json, comparedBy } = typeOf(field);
    const value = readAttribute(item, name, json);
    const key =
      readAttribute(item, keyAttribute(name), comparedBy === 'text' ? 'string' : 'number') ??
      (typeof value === 'number' ? value : null);
    values[name] = value;
    if (key !== null) keys[name] = key as Key;
  }
  const id = item[ID]?.S ?? '';
  if (!/^\d{9}$/.test(id)) throw new TypeError('An item has no position.');
  return { values, keys, position: Number(id) };
}

function readAttribute(item: Item, name: string, json: FieldType['json']): Value {
  const attribute = item[name];
  if (attribute === undefined) return null;
  const { S, N, BOOL } = attribute;
  if (json === 'string' && typeof S === 'string') return S;
  if (json === 'boolean' && typeof BOOL === 'boolean') return BOOL;
  const number = typeof N === 'string' ? Number(N) : Number.NaN;
  const isNumber = json === 'number' || json === 'integer';
  if (isNumber && Number.isFinite(number)) return number;
  throw new TypeError(`The attribute ${name} of an item is not of its type.`);
}

/**
 * An item's size as DynamoDB counts it: names and texts in UTF-8, and numbers with two digits in a
 * byte, plus one byte.
 */
export function itemBytes(item: Item): number {
  return Object.entries(item).reduce(
    (sum, [name, attribute]) => sum + Buffer.byteLength(name) + attributeBytes(attribute),
    0,
  );
}

function attributeBytes({ S, N, B, BOOL }: AttributeValue): number {
  if (BOOL !== undefined) return 1;
  if (B !== undefined) return B.length;
  return S === undefined ? numberBytes(N ?? '') : Buffer.byteLength(S);
}

/** The bytes of a number in an item, without its name. At most `most` decimals write it, if given. */
export function bytesOfNumber(value: number, most?: number): number {
  const size = Math.abs(value);
  const decimals = plainDecimals(size, most);
  if (decimals === undefined) return numberBytes(String(value));
  return Math.ceil((wholeDigits(size) + decimals) / 2) + (value < 0 ? 2 : 1);
}

function numberBytes(text: string): number {
  const end = text.indexOf('e');
  let digits = end < 0 ? text.length : end;
  if (text.includes('.')) digits--;
  if (!text.startsWith('-')) return Math.ceil(digits / 2) + 1;
  return Math.ceil((digits - 1) / 2) + 2;
}

/**
 * A dataset's table has one item per row, with shard and id as its key. A shard is a contiguous
 * range of ids, so reading the shards in order gives the rows in the dataset's order. An index has
 * a text's key and the id as its key. Field names cannot contain `~`, so these names differ from
 * all of them.
 */
export const SHARD = '~shard';
export const ID = '~id';

/** The attribute with a field's key. */
export function keyAttribute(field: string): string {
  return `${field}~key`;
}

export function indexName(field: string): string {
  return `by-${field}`;
}

export function indexedFields(fields: readonly Field[]): Field[] {
  return fields.filter(isIndexed);
}

/**
 * Ids and shards are padded with zeros, so that they have the same order as texts and as numbers.
 */
export function idOf(position: number): string {
  return String(position).padStart(9, '0');
}

export function shardKey(shard: number): string {
  return String(shard).padStart(5, '0');
}

/** Key schema, indexes and billing. CreateTable and the stack both need them. */
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
