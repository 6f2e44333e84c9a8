import type { Row } from '../../src/fields/field.ts';
import type { Key } from '../../src/fields/field-type.ts';
import type { Field } from '../../src/fields/field-types.ts';
import { typeOf } from '../../src/fields/field-types.ts';
import type { KeyedRow } from '../../src/query/predicate.ts';

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
