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

const SCRIPT = path.join(import.meta.dirname, 'data_package.py');

type Read = { readonly valid: boolean; readonly errors: string[]; readonly rows: Row[] };

async function read(url: string): Promise<Read> {
  const options = { cwd: ROOT, env: process.env };
  return JSON.parse(await commandThatWorks(toolPython(), [SCRIPT, url], options));
}

/** A row with its times as numbers, since they have several spellings. */
function comparable({ fields }: DatasetBlock, row: Row): Row {
  const spelt = (value: Value, name: string): Value => {
    const field = fields.find((one) => one.name === name);
    const isTime = field !== undefined && typeOf(field).format === 'date-time';
    return isTime && value !== null ? Date.parse(value as string) : value;
  };
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, spelt(value, name)]));
}

describe('frictionless takes a Data Package as valid, and reads the rows that the block has', () => {
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

  test.each(['business-directory', 'census-neighborhoods'] as const)('%s', async (name) => {
    const found = await read(`${service.url}/api_v2/blocks/${name}/datapackage.json`);
    const { block } = await shippedBlock(name);
    const { body } = await service.post(name, {});
    expect([found.valid, found.errors]).toEqual([true, []]);
    expect(found.rows).toEqual(body.params.results.map((row: Row) => comparable(block, row)));
  });

  test('values of every type, at the ends of what it has', async () => {
    const { port } = hostile.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/api_v2/blocks/typed/datapackage.json`;
    const found = await read(url);
    expect([found.valid, found.errors]).toEqual([true, []]);
    expect(found.rows.map((row) => comparable(hostileBlock, row))).toEqual(
      HOSTILE_ROWS.map((row) => comparable(hostileBlock, row)),
    );
  });
});
