import { describe, expect, test } from '@jest/globals';
import { catalogRoutes } from '../../src/http/catalog-routes.ts';
import { serviceOf } from '../../src/http/service.ts';
import { listBlock } from '../../src/portals/listed-block.ts';
import { SETTINGS } from '../support/ample.ts';
import { requestOf } from '../support/request-of.ts';
import { tinyBlock } from '../support/tiny-block.ts';

const { name } = tinyBlock;
const ask = requestOf(
  serviceOf(
    catalogRoutes({
      ...{ blocks: [listBlock(tinyBlock)], files: {}, texts: () => [] },
      endings: { [name]: ['csv', 'ndjson.gz'] },
    }),
    SETTINGS,
  ),
);
const at = (below: string, method = 'GET') =>
  ask(`/api_v2/blocks/${below}`, { method, redirect: 'manual' });

describe("the catalogue, which API Gateway asks for what is beside a block's address", () => {
  test.each(['csv', 'ndjson.gz'])('leads to the file below the block: %s', async (end) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await at(`${name}.${end}`, method);
      expect([status, headers.get('cache-control')]).toEqual([302, 'private, no-store']);
      const base = `https://example.org/prod/api_v2/blocks/${name}.${end}`;
      expect(new URL(headers.get('location') ?? '', base).href).toBe(
        `https://example.org/prod/api_v2/blocks/${name}/files/current.${end}`,
      );
    }
  });

  test('keeps the key of the address, since it leads to the same service', async () => {
    const { headers } = await at(`${name}.csv?api_key=a%26b`);
    expect(headers.get('location')).toMatch(/\/files\/current\.csv\?api_key=a%26b$/);
  });

  test('leads to no file that there is not, and with no filter, and no old client', async () => {
    expect((await at(`${name}.pdf`)).status).toBe(404);
    expect((await at('other.csv')).status).toBe(404);
    expect((await at(`${name}.csv?street=a`)).status).toBe(400);
    expect((await at(`${name}.csv?cache=1`)).headers.get('location')).toBeNull();
    expect((await at(`${name}.csv`, 'POST')).status).toBe(405);
  });
});
