import type { KeyedRow } from '../../src/query/predicate.ts';
import type { Key, Row } from '../../src/values/field-type.ts';
import { type Field, typeOf } from '../../src/values/field-types.ts';

/** Adds the keys to a row. A text that folds to nothing gets no key, so it counts as empty. */
export function keyRow(fields: readonly Field[], values: Row): KeyedRow {
  const keys: Record<string, Key> = Object.create(null);
  for (const field of fields) {
    const value = values[field.name] ?? null;
    if (value === null) continue;
    const key = typeOf(field).keyOf(value, field);
    if (key !== '') keys[field.name] = key;
  }
  return { values, keys };
}
