import { describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { itemBytes } from '../../src/dynamodb/item.ts';
import type { Row } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { datasetItems, makeDataset } from '../support/datasets.ts';
import { rowOf, sampleCells, typedBlock } from '../support/typed-block.ts';

const FIELDS: readonly Field[] = [
  { type: 'text', name: 'street', title: 'Street', indexed: true },
  { type: 'text', name: 'color', title: 'Colour' },
  { type: 'number', name: 'number', title: 'Number' },
  { type: 'number', name: 'latitude', title: 'Latitude', filterable: false },
  { type: 'number', name: 'unknown', title: 'Unknown' },
];

const ROWS: readonly Row[] = [
  { street: 'Main', color: 'red', number: 3, latitude: 40.5, unknown: null },
  { street: 'MAIN ', color: 'Red', number: -1.5, latitude: null, unknown: null },
  { street: 'Court', color: null, number: 3, latitude: -40, unknown: null },
  { street: null, color: 'blue', number: null, latitude: 1e-7, unknown: null },
];

const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };

const make = (fields = FIELDS, rows = ROWS, more: { source?: object; title?: string } = {}) =>
  makeDataset(
    datasetBlock({
      id: 'an-id',
      name: 'a-block',
      title: more.title ?? 'A block',
      description: 'Of a test.',
      fields,
      examples: [],
    }),
    rows,
    { ...SOURCE, ...more.source },
  );

/** The fields, one of them changed. */
const withField = (name: string, change: object): Field[] =>
  FIELDS.map((field) => (field.name === name ? ({ ...field, ...change } as Field) : field));

/** The rows, one cell changed. */
const withCell = (position: number, name: string, value: string | number | null): Row[] =>
  ROWS.map((row, i) => (i === position ? { ...row, [name]: value } : row));

describe("a dataset's version", () => {
  const { version } = make().manifest;

  test('is the same for the same dataset', () => {
    expect(version).toMatch(/^[0-9a-f]{20}$/);
    expect(make().manifest.version).toBe(version);
    // Held, so that it is the same on another machine and another day.
    expect(version).toBe('e46538532d7ac988da31');
  });

  test.each([
    ['a number', make(FIELDS, withCell(0, 'number', 3.0000000001))],
    ["a text's case", make(FIELDS, withCell(1, 'color', 'red'))],
    ['a cell that was null', make(FIELDS, withCell(2, 'color', 'red'))],
    ['a cell that is null now', make(FIELDS, withCell(0, 'latitude', null))],
    ['the order of rows', make(FIELDS, [...ROWS].reverse())],
    ['a row more', make(FIELDS, [...ROWS, ROWS[0] as Row])],
    ['an index more', make(withField('color', { indexed: true }))],
    ['an index less', make(withField('street', { indexed: false }))],
    ['another way to compare', make(withField('color', { type: 'phone' }))],
    [
      "a field's name",
      make(
        withField('color', { name: 'colour' }),
        ROWS.map(({ color = null, ...row }) => ({ ...row, colour: color })),
      ),
    ],
  ])('changes with %s', (_, other) => {
    expect(other.manifest.version).not.toBe(version);
  });

  test.each([
    ["a block's title", make(FIELDS, ROWS, { title: 'Another' })],
    ["a field's title", make(withField('street', { title: 'Road' }))],
    ["a field's description", make(withField('number', { description: 'Of the house.' }))],
    ["a field's unit", make(withField('number', { unit: 'metres' }))],
    ["the source's words", make(FIELDS, ROWS, { source: { title: 'u', date: '2027' } })],
    ['the order of fields', make([...FIELDS].reverse())],
  ])('stays with %s', (_, other) => {
    expect(other.manifest.version).toBe(version);
  });
});

describe('what is known of each field', () => {
  const { manifest, rows } = make();
  const items = [...datasetItems(make())];

  test('a range: ends, nulls, distinct values', () => {
    expect(manifest.fields.number).toEqual({ nulls: 1, distinct: 2, bytes: 6, min: -1.5, max: 3 });
    expect(manifest.fields.latitude).toEqual({
      nulls: 1,
      distinct: 3,
      bytes: 11,
      min: -40,
      max: 40.5,
    });
  });

  test('a field without any value has no ends', () => {
    expect(manifest.fields.unknown).toEqual({ nulls: 4, distinct: 0, bytes: 0 });
  });

  test('a text: its values as they are written, in order', () => {
    expect(manifest.fields.color).toEqual({
      nulls: 1,
      distinct: 3,
      bytes: 10,
      values: ['Red', 'blue', 'red'],
    });
  });

  test('values are listed up to 20 of them', () => {
    const streets = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ ...(ROWS[0] as Row), street: `s${i}` }));
    const few = make(FIELDS, streets(20)).manifest.fields.street;
    const many = make(FIELDS, streets(21)).manifest.fields.street;
    expect(few).toMatchObject({ distinct: 20, values: expect.any(Array) });
    expect(many).toMatchObject({ distinct: 21 });
    expect(many?.values).toBeUndefined();
  });

  test('an indexed text: the bytes of the items that share its commonest key', () => {
    const [first, second] = items;
    expect(Array.from(rows, ({ keys }) => keys.street)).toEqual([
      'main',
      'main',
      'court',
      undefined,
    ]);
    expect(manifest.fields.street).toMatchObject({
      nulls: 1,
      distinct: 3,
      mostBytesOfKey: itemBytes(first as never) + itemBytes(second as never),
    });
    expect(manifest.fields.color?.mostBytesOfKey).toBeUndefined();
  });

  test.each([1, 7, 40])('the same, whatever its type, in chunks of %i rows', (rowsPerChunk) => {
    const rows = sampleCells(90, 31).map(rowOf);
    const whole = makeDataset(typedBlock, rows, SOURCE);
    const cut = makeDataset(typedBlock, rows, SOURCE, { rowsPerChunk });
    expect({ ...cut.manifest, version: '', rowsPerChunk }).toEqual({
      ...whole.manifest,
      version: '',
      rowsPerChunk,
    });
    expect(cut.profile).toEqual(whole.profile);
    const items = [...datasetItems(cut)].slice(0, 90);
    expect(items).toEqual([...datasetItems(whole)].slice(0, 90));
    expect(cut.manifest.bytes).toBe(items.reduce((sum, item) => sum + itemBytes(item), 0));
    for (const { name } of typedBlock.fields) {
      const values = items.flatMap((item) => (item[name] === undefined ? [] : [item[name]]));
      expect(cut.manifest.fields[name]).toMatchObject({
        nulls: 90 - values.length,
        distinct: new Set(values.map((value) => JSON.stringify(value))).size,
        bytes: Buffer.byteLength(
          values.flatMap((value) => Object.values(value as object)).join(''),
        ),
      });
    }
  });

  test('the dataset: rows, bytes, and shards that are read in a page', () => {
    expect(manifest.rows).toBe(4);
    expect(manifest.bytes).toBe(items.slice(0, 4).reduce((sum, item) => sum + itemBytes(item), 0));
    const long = Array.from({ length: 3000 }, () => ({
      ...(ROWS[0] as Row),
      color: 'x'.repeat(1000),
    }));
    const large = make(FIELDS, long);
    const shards = new Map<string, number>();
    for (const item of [...datasetItems(large)].slice(0, 3000)) {
      const shard = item['~shard']?.S ?? '';
      shards.set(shard, (shards.get(shard) ?? 0) + itemBytes(item));
    }
    // A text is there twice, so that 3,000 rows are a little over 6 MB.
    expect([...shards.keys()]).toEqual(Array.from({ length: 7 }, (_, i) => `0000${i}`));
    expect(Math.max(...shards.values())).toBeLessThanOrEqual(2 ** 20);
    expect(large.manifest.rowsPerShard).toBe(Math.ceil(3000 / 7));
  });
});
