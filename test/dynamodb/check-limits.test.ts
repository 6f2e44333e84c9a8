import { describe, expect, test } from '@jest/globals';
import { itemBytes, makeItem, tableShape } from '../../src/dynamodb/item.ts';
import { itemFault, tableFaults } from '../../src/dynamodb/limits.ts';
import type { Field } from '../../src/values/field-types.ts';
import { keyRow } from '../support/key-row.ts';

const FIELDS: readonly Field[] = [
  { type: 'text', name: 'indexed', title: 'Indexed', indexed: true },
  { type: 'text', name: 'text', title: 'Text' },
  { type: 'number', name: 'number', title: 'Number' },
];

const itemOf = (values: Record<string, string | number | null>, fields = FIELDS) =>
  makeItem(fields, keyRow(fields, values), 0, 1);
const faultOf = (values: Record<string, string | number | null>) =>
  itemFault(itemOf(values), FIELDS);

describe('an index key', () => {
  test('takes 2,048 bytes, not one more', () => {
    expect(faultOf({ indexed: 'x'.repeat(2048) })).toBeUndefined();
    expect(faultOf({ indexed: 'x'.repeat(2049) })).toEqual({
      field: 'indexed',
      reason: '2,049 bytes as an index key; DynamoDB takes 2,048',
    });
  });

  test('is counted in UTF-8, as it is compared', () => {
    expect(faultOf({ indexed: '街'.repeat(682) })).toBeUndefined();
    expect(faultOf({ indexed: '街'.repeat(683) })?.reason).toContain('2,049 bytes');
    // One character of 3 bytes folds to 18, of 33.
    expect(faultOf({ indexed: 'ﷺ'.repeat(100) })?.reason).toContain('bytes as an index key');
    // Marks that folding drops do not count.
    expect(faultOf({ indexed: 'é'.repeat(2048) })).toBeUndefined();
  });

  test('bounds no text that has no index', () => {
    expect(faultOf({ text: 'x'.repeat(10_000) })).toBeUndefined();
  });

  test.each(['', ' ', '\u200b', ' \u200b\u00a0'])(
    'is absent for a text that folds to nothing: %j',
    (indexed) => {
      const item = itemOf({ indexed });
      expect(item).not.toHaveProperty('indexed~key');
      expect(itemFault(item, FIELDS)).toBeUndefined();
    },
  );

  test('that is empty is refused', () => {
    expect(itemFault({ ...itemOf({ indexed: 'a' }), 'indexed~key': { S: '' } }, FIELDS)).toEqual({
      field: 'indexed',
      reason: 'an empty text as an index key',
    });
  });
});

describe('an item', () => {
  // Amazon DynamoDB's "Item sizes and formats": a byte, one for two digits, and one for a minus.
  test.each([
    ['1', 2],
    ['12', 2],
    ['123', 3],
    ['1.23', 3],
    ['-12', 3],
    ['-123', 4],
    ['-1.5e21', 3],
  ])('has of the number %s %i bytes, and its name', (N, bytes) => {
    expect(itemBytes({ ab: { N } })).toBe(2 + bytes);
  });

  test('takes 400 KB, with its keys and the names of its attributes', () => {
    // A text is there twice: as it is, and as it is compared.
    const rest = itemBytes(itemOf({ text: 'x' })) - 2;
    const most = Math.floor((400 * 1024 - rest) / 2);
    const item = itemOf({ text: 'x'.repeat(most) });
    expect(400 * 1024 - itemBytes(item)).toBeLessThan(2);
    expect(itemFault(item, FIELDS)).toBeUndefined();
    expect(faultOf({ text: 'x'.repeat(most + 1) })?.reason).toMatch(
      /^the row is an item of 409,60[12] bytes; DynamoDB takes 409,600, so shorten its texts$/,
    );
  });
});

describe('a number', () => {
  test.each([0, 1, -1.5, 1e-130, -1e-130, 9.99e125, -9.99e125, Number.MAX_SAFE_INTEGER])(
    '%p can be held',
    (number) => {
      expect(faultOf({ number })).toBeUndefined();
    },
  );

  test.each([1e126, -1e126, 9e-131, -9e-131, Number.MAX_VALUE, Number.MIN_VALUE])(
    '%p is out of range',
    (number) => {
      expect(faultOf({ number })).toEqual({
        field: 'number',
        reason: `${number} is out of DynamoDB's range of numbers`,
      });
    },
  );
});

describe('a table', () => {
  const indexedFields = (count: number, nameOf = (i: number) => `f${i}`): Field[] =>
    Array.from({ length: count }, (_, i) => ({
      type: 'text',
      name: nameOf(i),
      title: 'Field',
      indexed: true,
    }));

  test('takes 20 indexes, not one more', () => {
    expect(tableFaults(indexedFields(20))).toEqual([]);
    expect(tableFaults(indexedFields(21))).toEqual([
      '21 indexed fields; DynamoDB takes 20 indexes a table',
    ]);
    expect(tableFaults(indexedFields(21).map((field) => ({ ...field, indexed: false })))).toEqual(
      [],
    );
  });

  test('takes index names of 255 characters, and key attributes of as many', () => {
    const ofLength = (length: number) => tableFaults(indexedFields(1, () => 'f'.repeat(length)));
    expect(ofLength(1)).toEqual([]);
    expect(ofLength(251)).toEqual([]);
    expect(ofLength(252)).toEqual([
      `the key attribute ${'f'.repeat(252)}~key is not of 1 to 255 characters`,
    ]);
    expect(ofLength(253)).toHaveLength(2);
    expect(ofLength(253)[0]).toBe(
      `the index name by-${'f'.repeat(253)} is not of 3 to 255 characters`,
    );
  });

  test('has index names of characters that DynamoDB takes, whatever a field may be called', () => {
    const { GlobalSecondaryIndexes = [] } = tableShape(
      indexedFields(3, (i) => ['_', 'A_1', 'z'][i] as string),
    );
    for (const { IndexName } of GlobalSecondaryIndexes) {
      expect(IndexName).toMatch(/^[A-Za-z0-9_.-]{3,255}$/);
    }
  });
});
