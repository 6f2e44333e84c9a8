import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { datasetOf } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import { startForPortals } from '../support/portals-service.ts';
import { randomBlocks } from '../support/random-blocks.ts';
import { readParquet } from '../support/read-parquet.ts';

const RANDOM = randomBlocks(12, 61);
const NAMES = [
  'business-directory',
  'census-neighborhoods',
  'typed',
  'nameless',
  'spots',
  ...RANDOM.map(([{ name }]) => name),
];

let service: Awaited<ReturnType<typeof startForPortals>>;
beforeAll(async () => {
  service = await startForPortals({}, RANDOM);
});
afterAll(() => service.close());

const bytesAt = async (below: string) => {
  const answer = await fetch(`${service.url}/api_v2/blocks/${below}`);
  expect([below, answer.status]).toEqual([below, 200]);
  return Buffer.from(await answer.arrayBuffer());
};
const linesOf = (bytes: Buffer): Row[] =>
  JSON.parse(`[${bytes.toString().trim().replaceAll('\n', ',')}]`);

/** All rows by JSON, page by page. */
async function rowsOf(block: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { params } = JSON.parse(
      (await bytesAt(`${block}?_limit=50&_cursor=${cursor}`)).toString(),
    );
    rows.push(...params.results);
    cursor = params.next;
  }
  return rows;
}

test('these are all blocks with rows', () => {
  const found = service.blocks.filter(({ block }) => datasetOf(block) !== undefined);
  expect(found.map(({ block }) => block.name)).toEqual(NAMES);
});

test.each(NAMES)('the files of %s have the rows of its answers by JSON', async (name) => {
  const rows = await rowsOf(name);
  expect(rows.length).toBeGreaterThan(50);
  expect(linesOf(await bytesAt(`${name}.ndjson`))).toEqual(rows);
  expect(linesOf(gunzipSync(await bytesAt(`${name}.ndjson.gz`)))).toEqual(rows);
  const cells = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([key, value]) => [key, `${value ?? ''}`])),
  );
  expect(parse(await bytesAt(`${name}.csv`), { columns: true })).toEqual(cells);
  const parquet = await readParquet(await bytesAt(`${name}.parquet`));
  // Its values are held to those of JSON by the tests of the format.
  const asked = await readParquet(await bytesAt(`${name}?_format=parquet`));
  expect(parquet.rows).toHaveLength(rows.length);
  expect(parquet.rows).toEqual(asked.rows);
  const { block } = service.blocks.find((one) => one.block.name === name) ?? {};
  if (!block?.formats.includes('geojson')) return;
  const { features } = JSON.parse((await bytesAt(`${name}.geojson`)).toString());
  expect(features.map(({ properties }: { properties: Row }) => properties)).toEqual(rows);
  const same = JSON.parse((await bytesAt(`${name}?_format=geojson`)).toString());
  expect(features).toEqual(same.features);
});
