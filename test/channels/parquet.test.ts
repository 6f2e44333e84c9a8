import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DatasetBlock } from '../../src/block/block.ts';
import type { Row, Value } from '../../src/values/field-type.ts';
import { typeOf } from '../../src/values/field-types.ts';
import { commandThatWorks } from '../support/command.ts';
import { HOSTILE_ROWS, hostileBlock } from '../support/hostile-dataset.ts';
import { startHostile } from '../support/hostile-service.ts';
import { ROOT, type Service, startService } from '../support/service.ts';
import { shippedBlock } from '../support/shipped-blocks.ts';
import { toolPython } from '../support/tools.ts';

const SCRIPT = path.join(import.meta.dirname, 'parquet_file.py');

type Read = { readonly types: Record<string, string>; readonly rows: readonly Row[] };
type Places = { readonly crs: string; readonly box: unknown; readonly shapes: readonly unknown[] };

const READERS = ['duckdb', 'pandas', 'polars', 'pyarrow'] as const;
type ReadByAll = Record<(typeof READERS)[number], Read> & { readonly geopandas: Places | null };

const NAMES = ['business-directory', 'census-neighborhoods'] as const;
const QUERIES = ['', '&place=nobody'];

const ofBlock = (name: string) => `${service.url}/api_v2/blocks/${name}?_format=parquet`;
const ofTypes = (query: string) =>
  `http://127.0.0.1:${(hostile.address() as AddressInfo).port}/api_v2/blocks/typed?_format=parquet${query}`;

/** What was read, by address: to load the readers takes longer than to read all of the files. */
let read: Readonly<Record<string, ReadByAll>>;
const readFrom = (address: string) => read[address] as (typeof read)[string];

/** A row with its times as milliseconds since 1970; local ones as if they were in UTC. */
function comparable({ fields }: DatasetBlock, row: Row): Row {
  return Object.fromEntries(
    fields.map((field): [string, Value] => {
      const value = row[field.name] ?? null;
      const isTime = typeOf(field).format === 'date-time' && value !== null;
      return [field.name, isTime ? Date.parse(field.local ? `${value}Z` : `${value}`) : value];
    }),
  );
}

let service: Service;
let hostile: Server;
beforeAll(async () => {
  service = await startService();
  hostile = await startHostile();
  const addresses = [...NAMES.map(ofBlock), ...QUERIES.map(ofTypes)];
  const options = { cwd: ROOT, env: process.env };
  read = JSON.parse(await commandThatWorks(toolPython(), [SCRIPT, ...addresses], options));
});
afterAll(async () => {
  hostile.closeAllConnections();
  hostile.close();
  await service.close();
});

describe('DuckDB, pandas, Polars and pyarrow read Parquet with the values of JSON', () => {
  test.each(NAMES)('%s', async (name) => {
    const { block } = await shippedBlock(name);
    const { body } = await service.post(name, {});
    const places = await service.post(name, { _format: 'geojson' });
    const shapes: unknown[] = places.body.features.map(
      (one: { geometry: unknown }) => one.geometry,
    );
    const expected = body.params.results.map((row: Row, i: number) => ({
      ...comparable(block, row),
      geometry: shapes[i],
    }));
    const found = readFrom(ofBlock(name));
    for (const reader of READERS) expect([reader, found[reader].rows]).toEqual([reader, expected]);
    expect(found.duckdb.types.geometry).toBe("GEOMETRY('OGC:CRS84')");
    const { geopandas } = found;
    expect([geopandas?.crs, geopandas?.shapes]).toEqual(['OGC:CRS84', shapes]);
  });

  test.each(QUERIES)('of every type, at the ends of what it has: %j', async (query) => {
    const found = readFrom(ofTypes(query));
    const { duckdb, pandas } = found;
    const given: readonly Row[] = query === '' ? HOSTILE_ROWS : [];
    const expected = given.map((row) => comparable(hostileBlock, row));
    for (const reader of READERS) expect([reader, found[reader].rows]).toEqual([reader, expected]);
    expect(found.geopandas).toBeNull();
    expect(duckdb.types).toEqual({
      place: 'VARCHAR',
      phone: 'VARCHAR',
      website: 'VARCHAR',
      score: 'DOUBLE',
      // One of them is beyond 64 bits.
      seats: 'DOUBLE',
      opened: 'DATE',
      inspected: 'TIMESTAMP WITH TIME ZONE',
      seen: 'TIMESTAMP WITH TIME ZONE',
      clock: 'TIMESTAMP',
      outdoors: 'BOOLEAN',
      checked: 'DATE',
    });
    expect(pandas.types).toMatchObject({
      place: 'str',
      score: 'float64',
      inspected: 'datetime64[ms, UTC]',
      seen: 'datetime64[ms, UTC]',
      clock: 'datetime64[ms]',
    });
  });
});
