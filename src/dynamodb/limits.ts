import { numberText } from '../text/wording.ts';
import type { Field } from '../values/field-types.ts';
import { type Item, indexedFields, indexName, itemBytes, keyAttribute } from './item.ts';

/**
 * Lists what DynamoDB would refuse in a table with these fields. Empty if it would refuse nothing.
 */
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
 * Says why DynamoDB would refuse an item, or drop it silently in an import. Undefined if it would
 * do neither. `field` is present if a single field is at fault.
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
    reason: `the row is an item of ${numberText(bytes)} bytes; DynamoDB takes ${numberText(LIMITS.itemBytes)}, so shorten its texts`,
  };
}

/**
 * Limits that DynamoDB enforces and emulators do not (AWS: "Quotas in Amazon DynamoDB", "Service,
 * account, and table quotas"). Sizes are in bytes.
 */
export const LIMITS = {
  /** The limit also applies to the partition key of an index. */
  partitionKeyBytes: 2048,
  itemBytes: 400 * 1024,
  indexesPerTable: 20,
  indexNameLength: { least: 3, most: 255 },
  /** The limit applies to an attribute that is the key of an index. */
  keyAttributeNameLength: 255,
  /** Zero, and magnitudes from 1e-130 to 9.99…e125. */
  leastNumber: 1e-130,
  mostNumber: 9.99e125,
} as const;

/** Whether DynamoDB can hold this number. */
export function isHoldable(value: number): boolean {
  const size = Math.abs(value);
  return size === 0 || (size >= LIMITS.leastNumber && size <= LIMITS.mostNumber);
}

/**
 * DynamoDB's price of a million read units on demand in USD, us-east-1, as of November 2026.
 * docs/scaling.md names its source page.
 */
export const USD_OF_MILLION_READ_UNITS = 0.125;
