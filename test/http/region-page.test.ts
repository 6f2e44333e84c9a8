import { describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { blockRoutes } from '../../src/http/block-routes.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { serviceOf } from '../../src/http/service.ts';
import { SETTINGS } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { requestOf } from '../support/request-of.ts';

const COUNT = 2500;
const block = datasetBlock({
  ...{ id: 'areas', name: 'areas', title: 'Areas', description: '', examples: [] },
  fields: [
    { type: 'text', name: 'name', title: 'Name' },
    { type: 'integer', name: 'people', title: 'People' },
    { type: 'number', name: 'x', title: 'X' },
    { type: 'number', name: 'y', title: 'Y' },
  ],
  geometry: { kind: 'regions', region: 'name', longitude: 'x', latitude: 'y', simplifiedTo: 9000 },
});
const rows = Array.from({ length: COUNT }, (_, i) => {
  return { name: `a${i}`, people: i, x: i % 50, y: Math.floor(i / 50) };
});
const boundaries = Object.fromEntries(
  rows.map(({ name, x, y }) => {
    const ring = [
      [x, y],
      [x + 1, y],
      [x + 1, y + 1],
      [x, y],
    ];
    return [name, JSON.stringify({ type: 'Polygon', coordinates: [ring] })];
  }),
);
const made = makeDataset(block, rows, { title: 'Made' }, { boundaries });
const served = serveDataset(
  { block, manifest: made.manifest, store: memoryRows(block.fields, made.rows) },
  { profile: () => made.profile, boundaries: () => boundaries },
);
const request = requestOf(serviceOf(blockRoutes(served), SETTINGS));

describe('a block of 2,500 regions', () => {
  test('has a colour for as many as a figure may have, and says how many more there are', async () => {
    const html = await (
      await request('/api_v2/blocks/areas?_format=html&_view=map&_group=name&_measure=avg:people')
    ).text();
    expect(html.match(/<path class="area s\d"/g)).toHaveLength(2000);
    expect(html).toContain('500 more areas are not drawn.');
  });

  test('has each area in GeoJSON, and says that they are simplified', async () => {
    const answer = await request('/api_v2/blocks/areas?_format=geojson');
    const { features } = JSON.parse(await answer.text());
    expect(features).toHaveLength(COUNT);
    expect(features[7].geometry).toEqual(JSON.parse(boundaries.a7 as string));
    const { description } = block.options.find(({ name }) => name === '_geometry') ?? {};
    expect(description).toContain('simplified: about 9,000 positions of all regions together');
  });
});
