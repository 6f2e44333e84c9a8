import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ASSUMED, BOUNDS } from '../../bench/scaling/assumptions.ts';
import { disagreements } from '../../bench/scaling/compare.ts';
import { factsOf, type Kind, SHAPES } from '../../bench/scaling/dataset-shape.ts';
import { withTables } from '../../bench/scaling/document-tables.ts';
import { lastMeasured } from '../../bench/scaling/last-measured.ts';
import { PRICES } from '../../bench/scaling/prices.ts';
import { repeatedRows } from '../../bench/scaling/repeated-rows.ts';
import { scalingTables } from '../../bench/scaling/scaling-tables.ts';
import { capacityUnits } from '../../bench/scaling/table-read.ts';
import { dataset as directorySource } from '../../functions/business-directory/dataset.ts';
import { dataset as censusSource } from '../../functions/census-neighborhoods/dataset.ts';
import { renderEnvelope } from '../../src/core/envelope.ts';
import {
  type ImportedDataset,
  importDataset,
  makeDataset,
} from '../../src/importer/import-dataset.ts';
import { ROOT } from '../support/service.ts';
import { readDocument } from './markdown.ts';

const measured = lastMeasured();
const document = readDocument('docs/scaling.md');
const tables = scalingTables(measured);
const sources = { census: censusSource, directory: directorySource };
const kinds = Object.keys(SHAPES) as Kind[];

const shipped = (kind: Kind): Promise<ImportedDataset> =>
  importDataset(SHAPES[kind].block, sources[kind], path.join(ROOT, 'seed-data'));

describe('the tables of docs/scaling.md', () => {
  test.each(Object.entries(tables))('%s is what the model computes', (name, table) => {
    // `npm --prefix bench run bench:scaling -- --tables` writes them anew.
    expect(document.split('\n')).toEqual(withTables(document, { [name]: table }).split('\n'));
  });

  test('have no other place than those the model fills', () => {
    const places = [...document.matchAll(/<!-- begin ([\w-]+) -->/g)].map(([, name]) => name);
    expect(places.sort()).toEqual(Object.keys(tables).sort());
  });

  test('compare with runs at a thousand, ten thousand and a hundred thousand rows', () => {
    expect(new Set(measured.cases.map(({ rows }) => rows))).toEqual(new Set([1e3, 1e4, 1e5]));
    expect(disagreements(measured)).toEqual([]);
  });
});

describe('what the model takes for granted', () => {
  test.each(kinds)('%s items are as large as those that ship', async (kind) => {
    const { facts, items } = await shipped(kind);
    const { itemBytes, lineBytes } = SHAPES[kind];
    expect(itemBytes).toBeCloseTo(facts.bytes / facts.rows, 1);
    const lines = items.map((Item) => `${JSON.stringify({ Item })}\n`);
    expect(lineBytes).toBeCloseTo(Buffer.byteLength(lines.join('')) / facts.rows, 1);
  });

  test('the commonest type of business has its share of the directory', async () => {
    const { facts, rows } = await shipped('directory');
    const { rows: shareOfRows, bytes } = SHAPES.directory.commonest.type_of_business ?? {};
    const commonest = rows.filter(({ keys }) => keys.type_of_business === 'tobacco retail dealer');
    expect(shareOfRows).toBeCloseTo(commonest.length / rows.length, 3);
    const { mostBytesOfKey = 0 } = facts.fields.type_of_business ?? {};
    expect(bytes).toBeCloseTo(mostBytesOfKey / facts.bytes, 3);
  });

  test.each(kinds)('%s shards are as the importer cuts them', async (kind) => {
    const { block } = SHAPES[kind];
    const source = { title: '', publisher: '', license: '', date: '' };
    const { facts } = makeDataset(block, await repeatedRows(kind, 5000), source);
    const expected = factsOf(SHAPES[kind], 5000);
    expect({ rowsPerShard: expected.rowsPerShard }).toEqual({ rowsPerShard: facts.rowsPerShard });
    expect(Math.abs(expected.bytes / facts.bytes - 1)).toBeLessThan(0.005);
  });

  test.each([
    ['src/importer/import-dataset.ts', `SHARD_BYTES = ${BOUNDS.shardOfPage} * PAGE_BYTES;`],
    ['src/dynamodb/dynamodb-store.ts', `BEGIN_WITHIN_MS = ${BOUNDS.beginWithinMs};`],
    ['src/core/budget.ts', `RUN_WITHIN_MS = ${BOUNDS.runWithinMs};`],
    ['src/dynamodb/dataset-store.ts', 'LOAD_WITHIN_MS = 60_000;'],
  ])('%s has %s', (file, line) => {
    expect(BOUNDS.loadWithinMs).toBe(60_000);
    expect(readFileSync(path.join(ROOT, file), 'utf8')).toContain(line);
  });

  test('a read unit costs what _explain says', () => {
    const explain = { path: 'shards', itemsRead: 0, capacityUnits: 1e6 };
    const output = { kind: 'value', value: {}, warnings: [], explain } as never;
    const { _explain } = JSON.parse(String(renderEnvelope(output, [], 'params', true)));
    expect(_explain.usd).toBe(PRICES.usdPerMillionReadUnits);
  });

  test.each([
    [1, 0.5],
    [4096, 0.5],
    [4097, 1],
    [2 ** 20, 128],
  ])('a Query of %i bytes takes %d units', (bytes, units) => {
    expect(capacityUnits(bytes)).toBe(units);
  });

  test('docs/scaling.md states its assumptions', () => {
    const { memoryMb, mbPerVcpu, leastPageMs, fullPageMs } = ASSUMED;
    const stated = [
      `takes ${leastPageMs} ms`,
      `to ${fullPageMs} ms`,
      `${memoryMb.toLocaleString('en-US')} MB has ${(memoryMb / mbPerVcpu).toFixed(2)} of a core`,
      `${SHAPES.census.rowMicroseconds} µs for a census row, ${SHAPES.directory.rowMicroseconds} for a directory row`,
      `census item is ${SHAPES.census.itemBytes.toFixed(0)} bytes, a directory item ${SHAPES.directory.itemBytes.toFixed(0)}`,
      `${PRICES.usdPerMillionReadUnits} for a million read units`,
      `${PRICES.usdPerMillionInvocations.toFixed(2)} for a million invocations`,
      `${PRICES.usdPerGbSecond} a GB-second`,
      `${PRICES.usdPerGbMonth} USD a GB-month`,
      `${PRICES.usdPerImportedGb} USD a GB of uncompressed file`,
    ];
    expect(stated.filter((text) => !document.includes(text))).toEqual([]);
  });
});
