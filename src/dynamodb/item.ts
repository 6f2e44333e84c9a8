import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Field } from '../core/field.ts';
import type { KeyedRow } from '../core/predicate.ts';
import { ID, idOf, keyAttribute, SHARD, shardKey } from './table-shape.ts';

export type Item = Record<string, AttributeValue>;

/** The item of a row: what has no value has no attribute. The only place that makes one. */
export function makeItem(
  fields: readonly Field[],
  row: KeyedRow,
  position: number,
  rowsPerShard: number,
): Item {
  const item: Item = {
    [SHARD]: { S: shardKey(Math.floor(position / rowsPerShard)) },
    [ID]: { S: idOf(position) },
  };
  for (const { name } of fields) {
    const value = row.values[name];
    if (typeof value === 'number') item[name] = { N: String(value) };
    else if (typeof value === 'string') item[name] = { S: value };
    const key = row.keys[name];
    if (key !== undefined) item[keyAttribute(name)] = { S: key };
  }
  return item;
}

/** The row of an item, and its position. */
export function readItem(fields: readonly Field[], item: Item): KeyedRow & { position: number } {
  const values: Record<string, string | number | null> = Object.create(null);
  const keys: Record<string, string> = Object.create(null);
  for (const { name } of fields) {
    const attribute = item[name];
    values[name] = attribute?.N !== undefined ? Number(attribute.N) : (attribute?.S ?? null);
    const key = item[keyAttribute(name)]?.S;
    if (key !== undefined) keys[name] = key;
  }
  return { values, keys, position: Number(item[ID]?.S) };
}

/** An item's size as DynamoDB counts it: names and texts in UTF-8, two digits a byte, plus one. */
export function itemBytes(item: Item): number {
  return Object.entries(item).reduce(
    (sum, [name, { S, N }]) =>
      sum +
      Buffer.byteLength(name) +
      (S === undefined ? numberBytes(N ?? '') : Buffer.byteLength(S)),
    0,
  );
}

function numberBytes(text: string): number {
  return Math.ceil(text.replace(/[-.]|e.*$/g, '').length / 2) + (text.startsWith('-') ? 2 : 1);
}
