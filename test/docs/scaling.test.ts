import { describe, expect, test } from '@jest/globals';
import {
  allColumns,
  columnItemSizes,
  heldBytes,
  readUnits,
} from '../../bench/scaling/column-model.ts';
import { disagreements } from '../../bench/scaling/compare.ts';
import { withTables } from '../../bench/scaling/document-tables.ts';
import { measureColumns } from '../../bench/scaling/measure-columns.ts';
import { BLOCKS, KINDS, lastMeasured } from '../../bench/scaling/measured.ts';
import { CASE_NAMES } from '../../bench/scaling/request-case.ts';
import { ASSUMED, requestCost } from '../../bench/scaling/request-cost.ts';
import { scalingTables } from '../../bench/scaling/scaling-tables.ts';
import { readDocument } from './markdown.ts';

const measured = lastMeasured();

describe('the model', () => {
  test('agrees with the columns of a thousand to a million rows, and with requests', () => {
    expect(new Set(measured.columns.map(({ rows }) => rows))).toEqual(
      new Set([1e3, 1e4, 1e5, 1e6]),
    );
    expect(new Set(measured.requests.map(({ rows }) => rows))).toEqual(new Set([1e3, 1e4, 1e5]));
    expect(new Set(measured.requests.map(({ name }) => name))).toEqual(new Set(CASE_NAMES));
    expect(disagreements(measured)).toEqual([]);
  });

  test.each(KINDS)('agrees with %s columns as they are packed now', (kind) => {
    const found = measureColumns(kind, 2000);
    const { items, bytes, units } = allColumns(measured.datasets[kind], 2000);
    const held = heldBytes(Object.values(measured.datasets[kind].columns), 2000);
    expect(Object.keys(measured.datasets[kind].columns)).toEqual(
      BLOCKS[kind].fields.map(({ name }) => name),
    );
    expect(items).toBe(found.items);
    for (const ratio of [bytes / found.bytes, units / found.units, held / found.held]) {
      expect(Math.abs(ratio - 1)).toBeLessThan(0.2);
    }
  });

  test.each([
    [1, 0.5],
    [4096, 0.5],
    [4097, 1],
    [400 * 1024, 50],
  ])('an item of %i bytes takes %d units', (bytes, units) => {
    expect(readUnits(bytes)).toBe(units);
  });

  test('a column is one item up to a chunk, and then a directory and its chunks', () => {
    const sizes = measured.datasets.census.columns.households as never;
    const datasetItems = (rows: number) => columnItemSizes('households', sizes, rows).length;
    expect([1, 65_536, 65_537, 1e6].map(datasetItems)).toEqual([1, 1, 3, 17]);
  });

  test('two columns of a million rows are read in half a second, of ten million in 2.5 s', () => {
    expect(requestCost('two', 1e6, measured).coldMs).toBeLessThan(500);
    expect(requestCost('two', 1e7, measured).coldMs).toBeLessThan(2500);
  });

  test('an index is asked where the dataset has several chunks and few rows match', () => {
    const paths = [1e4, 1e5, 1e6].map((rows) => requestCost('type', rows, measured).path);
    expect(paths).toEqual(['columns', 'index:type_of_business', 'columns']);
  });
});

describe('docs/scaling.md', () => {
  test('has the tables of the model', () => {
    const document = readDocument('docs/scaling.md');
    expect(document).toBe(withTables(document, scalingTables(measured)));
    expect(document).toContain(`${ASSUMED.memoryMb.toLocaleString('en-US')} MB, arm64`);
  });

  test('has no place for a table twice, and a place for each', () => {
    const place = '<!-- begin a -->\n<!-- end a -->';
    expect(withTables(place, { a: 'new\n' })).toBe('<!-- begin a -->\nnew\n<!-- end a -->');
    expect(() => withTables('', { a: '' })).toThrow('no place for a');
    expect(() => withTables(`${place}\n${place}`, { a: '' })).toThrow('there is no table a');
  });
});
