import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rowSegment } from '../../src/block/row-key.ts';
import type { Row } from '../../src/fields/field.ts';
import { PATHS, type Service, startService } from '../support/service.ts';
import { shippedBlock } from '../support/shipped-blocks.ts';

const BLOCKS = '/api_v2/blocks';

describe.each(PATHS)('Addresses of rows on the %s path', (_, cacheBytes) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(cacheBytes);
  });
  afterAll(() => service.close());

  test.each(['business-directory', 'census-neighborhoods'] as const)(
    'lead to each row of %s, in each of its formats',
    async (name) => {
      const { block } = await shippedBlock(name);
      const { dataset } = (await service.get(`${BLOCKS}/${name}`)).body;
      const rows: Row[] = (await service.post(name, {})).body.params.results;
      const features = (await service.get(`${BLOCKS}/${name}?_format=geojson&_limit=1000`)).body;
      for (const [position, row] of rows.entries()) {
        if (position % 20 > 0) continue;
        const segment = rowSegment(block, dataset, row, position) as string;
        const address = `${BLOCKS}/${name}/rows/${segment}`;
        const { body } = await service.get(address);
        expect(body.params.row).toEqual(row);
        expect(new URL(body.params.address).pathname.endsWith(address)).toBe(true);
        const geojson = await service.get(address, { Accept: 'application/geo+json' });
        expect(geojson.headers.get('content-type')).toBe('application/geo+json');
        const { id, ...feature } = geojson.body;
        expect([id, feature]).toEqual([decodeURIComponent(segment), features.features[position]]);
      }
    },
  );

  test('tell what no row has, and which row is near', async () => {
    const { status, body } = await service.get(`${BLOCKS}/census-neighborhoods/rows/canton`);
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'unknown-row', errors: [{ suggestion: 'Canton' }] });
  });

  test('are of datasets alone', async () => {
    const { status, body } = await service.get(`${BLOCKS}/rgb-to-color-name/rows/Coral`);
    expect([status, body.code]).toEqual([404, 'not-found']);
  });
});
