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

async function read(url: string): Promise<Record<'duckdb' | 'pandas', Read>> {
  const options = { cwd: ROOT, env: process.env };
  return JSON.parse(await commandThatWorks(toolPython(), [SCRIPT, url], options));
}

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
});
afterAll(async () => {
  hostile.closeAllConnections();
  hostile.close();
  await service.close();
});

describe('DuckDB and pandas read Parquet with the values of JSON', () => {
  test.each(['business-directory', 'census-neighborhoods'] as const)('%s', async (name) => {
    const { block } = await shippedBlock(name);
    const { body } = await service.post(name, {});
    const expected = body.params.results.map((row: Row) => comparable(block, row));
    const found = await read(`${service.url}/api_v2/blocks/${name}?_format=parquet`);
    expect(found.duckdb.rows).toEqual(expected);
    expect(found.pandas.rows).toEqual(expected);
  });

  test.each(['', '&place=nobody'])(
    'of every type, at the ends of what it has: %j',
    async (query) => {
      const { port } = hostile.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/api_v2/blocks/typed?_format=parquet${query}`;
      const { duckdb, pandas } = await read(url);
      const given: readonly Row[] = query === '' ? HOSTILE_ROWS : [];
      const expected = given.map((row) => comparable(hostileBlock, row));
      expect(duckdb.rows).toEqual(expected);
      expect(pandas.rows).toEqual(expected);
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
    },
  );
});
