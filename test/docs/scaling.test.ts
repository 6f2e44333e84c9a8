import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { BOUNDS } from '../../bench/scaling/assumptions.ts';
import { disagreements } from '../../bench/scaling/compare.ts';
import { type Kind, SHAPES, statisticsOf } from '../../bench/scaling/dataset-shape.ts';
import { lastMeasured } from '../../bench/scaling/last-measured.ts';
import { repeatedRows } from '../../bench/scaling/repeated-rows.ts';
import { capacityUnits } from '../../bench/scaling/table-read.ts';
import { dataset as directorySource } from '../../functions/business-directory/dataset.ts';
import { dataset as censusSource } from '../../functions/census-neighborhoods/dataset.ts';
import {
  type ImportedDataset,
  importDataset,
  makeDataset,
} from '../../src/importer/import-dataset.ts';
import { ROOT } from '../support/service.ts';

const measured = lastMeasured();
const sources = { census: censusSource, directory: directorySource };
const kinds = Object.keys(SHAPES) as Kind[];

const shipped = (kind: Kind): Promise<ImportedDataset> =>
  importDataset(SHAPES[kind].block, sources[kind], path.join(ROOT, 'seed-data'));

describe('the model', () => {
  test('compare with runs at a thousand, ten thousand and a hundred thousand rows', () => {
    expect(new Set(measured.cases.map(({ rows }) => rows))).toEqual(new Set([1e3, 1e4, 1e5]));
    expect(disagreements(measured)).toEqual([]);
  });
});

describe('what the model takes for granted', () => {
  test.each(kinds)('%s items are as large as those that ship', async (kind) => {
    const { manifest, items } = await shipped(kind);
    const { itemBytes, lineBytes } = SHAPES[kind];
    expect(itemBytes).toBeCloseTo(manifest.bytes / manifest.rows, 1);
    const lines = items.map((Item) => `${JSON.stringify({ Item })}\n`);
    expect(lineBytes).toBeCloseTo(Buffer.byteLength(lines.join('')) / manifest.rows, 1);
  });

  test('the commonest type of business has its share of the directory', async () => {
    const { manifest, rows } = await shipped('directory');
    const { rows: shareOfRows, bytes } = SHAPES.directory.commonest.type_of_business ?? {};
    const commonest = rows.filter(({ keys }) => keys.type_of_business === 'tobacco retail dealer');
    expect(shareOfRows).toBeCloseTo(commonest.length / rows.length, 3);
    const { mostBytesOfKey = 0 } = manifest.fields.type_of_business ?? {};
    expect(bytes).toBeCloseTo(mostBytesOfKey / manifest.bytes, 3);
  });

  test.each(kinds)('%s shards are as the importer cuts them', async (kind) => {
    const { block } = SHAPES[kind];
    const source = { title: '', publisher: '', license: '', date: '' };
    const { manifest } = makeDataset(block, await repeatedRows(kind, 5000), source);
    const expected = statisticsOf(SHAPES[kind], 5000);
    expect({ rowsPerShard: expected.rowsPerShard }).toEqual({
      rowsPerShard: manifest.rowsPerShard,
    });
    expect(Math.abs(expected.bytes / manifest.bytes - 1)).toBeLessThan(0.005);
  });

  test.each([
    ['src/importer/import-dataset.ts', `SHARD_BYTES = ${BOUNDS.shardOfPage} * PAGE_BYTES;`],
    ['src/dynamodb/dynamodb-store.ts', `BEGIN_WITHIN_MS = ${BOUNDS.beginWithinMs};`],
    ['src/query/budget.ts', `RUN_WITHIN_MS = ${BOUNDS.runWithinMs};`],
    ['src/dynamodb/dataset-store.ts', 'LOAD_WITHIN_MS = 60_000;'],
  ])('%s has %s', (file, line) => {
    expect(BOUNDS.loadWithinMs).toBe(60_000);
    expect(readFileSync(path.join(ROOT, file), 'utf8')).toContain(line);
  });

  test.each([
    [1, 0.5],
    [4096, 0.5],
    [4097, 1],
    [2 ** 20, 128],
  ])('a Query of %i bytes takes %d units', (bytes, units) => {
    expect(capacityUnits(bytes)).toBe(units);
  });
});
