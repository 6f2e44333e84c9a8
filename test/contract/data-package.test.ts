import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { LoadedDataset } from '../../src/import/load-blocks.ts';
import { PATHS, type Service, startService } from '../support/service.ts';
import { shippedBlock } from '../support/shipped-blocks.ts';

const BLOCKS = '/api_v2/blocks';

describe.each(PATHS)('Data Packages on the %s path', (_, cacheBytes) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(cacheBytes);
  });
  afterAll(() => service.close());

  describe.each(['business-directory', 'census-neighborhoods'] as const)('%s', (name) => {
    let loaded: LoadedDataset;
    beforeAll(async () => {
      loaded = await shippedBlock(name);
    });

    test('has its source, its licence, its version and its fields', async () => {
      const { block, dataset } = loaded;
      const { body } = await service.get(`${BLOCKS}/${name}/datapackage.json`);
      const { dataset: described } = (await service.get(`${BLOCKS}/${name}`)).body;
      const { title, description } = block;
      const { version } = described;
      expect(body).toMatchObject({ name, title, description, version, resources: [{ name }] });
      expect(body.sources).toEqual(dataset.sources);
      expect(body.licenses).toEqual(dataset.licenses);
      const { schema } = body.resources[0];
      expect(schema.fields.map((field: { name: string }) => field.name)).toEqual(
        block.fields.map((field) => field.name),
      );
      expect(schema.missingValues).toEqual(['']);
      expect(schema.primaryKey).toEqual(block.primaryKey);
    });

    test('leads to all rows as CSV, by the name and by the id', async () => {
      const { block } = loaded;
      const rows = (await service.post(name, {})).body.params.results;
      for (const address of [block.name, block.id]) {
        const { body } = await service.get(`${BLOCKS}/${address}/datapackage.json`);
        const { search, pathname } = new URL(body.resources[0].path);
        // A file of its own, or where there is none the answer with all rows.
        const below = pathname.slice(pathname.lastIndexOf(BLOCKS));
        expect(below).toMatch(new RegExp(`^${BLOCKS}/${name}(?:/files/[0-9a-f]{20}\\.csv)?$`));
        const csv = await service.get(`${below}${search}`);
        const found = parse(csv.text, { columns: true }) as Record<string, string>[];
        expect(found.length).toBe(Number(csv.headers.get('x-total-count')));
        expect(found.slice(0, rows.length)).toEqual(
          rows.map((row: object) =>
            Object.fromEntries(Object.entries(row).map(([key, value]) => [key, `${value ?? ''}`])),
          ),
        );
      }
    });
  });

  test('is not sent again to whoever has it', async () => {
    const address = `${BLOCKS}/census-neighborhoods/datapackage.json`;
    const { headers } = await service.get(address);
    const again = await service.get(address, { 'if-none-match': headers.get('etag') as string });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('takes no other method, and is there for a dataset alone', async () => {
    const address = `${BLOCKS}/census-neighborhoods/datapackage.json`;
    const posted = await service.send(address, { method: 'POST', body: '{}' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const none = await service.get(`${BLOCKS}/rgb-to-color-name/datapackage.json`);
    expect(none.status).toBe(404);
  });
});
