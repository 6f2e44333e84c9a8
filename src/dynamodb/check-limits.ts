import type { Field } from '../values/field-types.ts';
import { numberText } from '../values/wording.ts';
import { type Item, itemBytes } from './item.ts';
import { isHoldable, LIMITS } from './limits.ts';
import { indexedFields, indexName, keyAttribute } from './table-shape.ts';

/** What DynamoDB would refuse in a table with these fields; empty if nothing. */
export function tableFaults(fields: readonly Field[]): string[] {
  const indexed = indexedFields(fields);
  const { least, most } = LIMITS.indexNameLength;
  return [
    ...(indexed.length > LIMITS.indexesPerTable
      ? [
          `${indexed.length} indexed fields; DynamoDB takes ${LIMITS.indexesPerTable} indexes a table`,
        ]
      : []),
    ...indexed
      .map(({ name }) => indexName(name))
      .filter(({ length }) => length < least || length > most)
      .map((name) => `the index name ${name} is not of ${least} to ${most} characters`),
    ...indexed
      .map(({ name }) => keyAttribute(name))
      .filter(({ length }) => length > LIMITS.keyAttributeNameLength)
      .map(
        (name) =>
          `the key attribute ${name} is not of 1 to ${LIMITS.keyAttributeNameLength} characters`,
      ),
  ];
}

/**
 * Why DynamoDB would refuse an item, or silently drop it in an import; undefined if it is fine.
 * `field` is the field at fault, if it is a single one.
 */
export function itemFault(
  item: Item,
  fields: readonly Field[],
): { reason: string; field?: string } | undefined {
  for (const { name } of indexedFields(fields)) {
    const key = item[keyAttribute(name)]?.S;
    if (key === '') return { reason: 'an empty text as an index key', field: name };
    const bytes = Buffer.byteLength(key ?? '');
    if (bytes > LIMITS.partitionKeyBytes) {
      const reason = `${numberText(bytes)} bytes as an index key; DynamoDB takes ${numberText(LIMITS.partitionKeyBytes)}`;
      return { reason, field: name };
    }
  }
  for (const { name } of fields) {
    const number = item[name]?.N;
    if (number !== undefined && !isHoldable(Number(number))) {
      return { reason: `${number} is out of DynamoDB's range of numbers`, field: name };
    }
  }
  const bytes = itemBytes(item);
  if (bytes <= LIMITS.itemBytes) return undefined;
  return {
    reason: `the row is an item of ${numberText(bytes)} bytes; DynamoDB takes ${numberText(LIMITS.itemBytes)}`,
  };
}
