import { writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { blockText } from '../../src/channels/mcp/block-text.ts';
import { answerSchemas } from '../../src/channels/openapi/answer-schema.ts';
import { blockRoutes } from '../../src/http/block-routes.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import type { ServedBlock } from '../../src/http/served-block.ts';
import { serviceOf } from '../../src/http/service.ts';
import { SETTINGS } from '../support/ample.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { requestOf } from '../support/request-of.ts';
import { WARDS, wardAt } from '../support/ward-squares.ts';
import { OwnBlocks } from './own-blocks.ts';

/** Groups of areas as GeoJSON, of blocks that `add` made. */

let blocks: OwnBlocks;
let states: Asking;
beforeAll(async () => {
  blocks = await OwnBlocks.inNewFolder();
  const rows = ['Georgia,4,1', 'GA,6,2', 'Texas,9,2', 'Ohio,1,1', 'Puerto Rico,7,1', ',3,2'];
  await blocks.add('sales', `State,Amount,Half\n${rows.join('\n')}\n`);
  states = await served('sales');
});

type Asking = { readonly block: ServedBlock; readonly ask: ReturnType<typeof requestOf> };

async function served(name: string): Promise<Asking> {
  const { block, imported } = await blocks.imported(name);
  const { manifest, profile, rows, boundaries } = imported;
  const all = serveDataset(
    { block, manifest, store: memoryRows(block.fields, rows) },
    { profile: () => profile, boundaries: boundaries && (() => boundaries) },
  );
  return { block: all, ask: requestOf(serviceOf(blockRoutes(all), SETTINGS)) };
}

const ADDRESS = '/api_v2/blocks/sales';

type Feature = {
  readonly geometry: { readonly type: string; readonly coordinates: never } | null;
  readonly properties: Readonly<Record<string, unknown>>;
};

async function featuresOf(answer: Response | Promise<Response>): Promise<readonly Feature[]> {
  const { type, features } = (await (await answer).json()) as never;
  expect(type).toBe('FeatureCollection');
  return features;
}

type Ring = readonly (readonly [number, number])[];

/** The outer rings of a shape. */
function ringsOf({ geometry }: Feature): Ring[] {
  const { type, coordinates = [] } = (geometry ?? {}) as { type?: string; coordinates?: unknown };
  const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as Ring[][];
  return polygons.map(([ring = []]) => ring);
}

/** Twice the area of a ring in degrees: more than 0 if it is counterclockwise. */
const turnOf = (ring: Ring) =>
  ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length] as Ring[0];
    return sum + x * nextY - nextX * y;
  }, 0);

describe('groups of a field that names areas, as GeoJSON', () => {
  test('have the members of the answer in JSON, each with the area that it names', async () => {
    for (const question of [
      '_group=state',
      '_group=state&_measure=count,avg:amount&_sort=-count',
      '_group=half,state&_measure=sum:amount',
      '_group=state&_measure=sum:amount&_fields=sum_amount&_limit=3',
      '_group=state&amount_min=4&_having.count_min=1',
    ]) {
      const json = (await (await states.ask(`${ADDRESS}?${question}`)).json()) as never;
      const { results } = (json as { params: { results: object[] } }).params;
      const features = await featuresOf(states.ask(`${ADDRESS}?${question}&_format=geojson`));
      expect(features.map(({ properties }) => properties)).toEqual(results);
    }
  });

  test('have shapes that enclose their area, outer rings counterclockwise, and null where no area is named', async () => {
    const features = await featuresOf(states.ask(`${ADDRESS}?_group=state&_format=geojson`));
    const byName = new Map(features.map((one) => [one.properties.state, one]));
    expect(
      [...byName].filter(([, { geometry }]) => geometry === null).map(([name]) => name),
    ).toEqual(['Puerto Rico', null]);
    // Two names of an area have the same shape.
    expect(byName.get('GA')?.geometry).toEqual(byName.get('Georgia')?.geometry);
    for (const [name, west, south, east, north] of [
      ['Georgia', -85.7, 30.3, -80.8, 35.1],
      ['Texas', -106.7, 25.8, -93.5, 36.6],
      ['Ohio', -84.9, 38.4, -80.5, 42],
    ] as const) {
      const rings = ringsOf(byName.get(name) as Feature);
      const [xs, ys] = [0, 1].map((axis) => rings.flat().map((at) => at[axis as 0 | 1])) as [
        number[],
        number[],
      ];
      const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
      for (const [i, side] of [west, south, east, north].entries())
        expect(box[i]).toBeCloseTo(side, 0);
      for (const ring of rings) {
        expect(turnOf(ring)).toBeGreaterThan(0);
        expect(ring.at(-1)).toEqual(ring[0]);
      }
    }
  });

  test('are the same by a GET, its Accept header, a form and a POST', async () => {
    const json = 'application/json';
    const answers = [
      states.ask(`${ADDRESS}?_group=state&_format=geojson`),
      states.ask(`${ADDRESS}?_group=state`, { headers: { accept: 'application/geo+json' } }),
      states.ask(ADDRESS, {
        method: 'POST',
        headers: { 'content-type': json },
        body: JSON.stringify({ _group: ['state'], _format: 'geojson' }),
      }),
      states.ask(ADDRESS, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: '_group=state&_format=geojson',
      }),
    ];
    const texts = await Promise.all(
      answers.map(async (answer) => {
        const { status, headers } = await answer;
        expect([status, headers.get('content-type')]).toEqual([200, 'application/geo+json']);
        return (await answer).text();
      }),
    );
    expect(new Set(texts).size).toBe(1);
  });

  test.each([
    ['', 'missing-parameter', '_group', 'state'],
    ['&amount_min=4', 'missing-parameter', '_group', 'state'],
    ['&_group=half', 'option-of-another-format', '_group', undefined],
    ['&_measure=sum:amount', 'option-of-another-format', '_measure', undefined],
    ['&_xy=amount,half', 'option-of-another-format', '_xy', undefined],
  ])(
    'without that field are refused, with the likely fix: %s',
    async (more, code, parameter, suggestion) => {
      const answer = await states.ask(`${ADDRESS}?_format=geojson${more}`);
      const { errors } = (await answer.json()) as { errors: Record<string, string>[] };
      expect(answer.status).toBe(400);
      expect(errors[0]).toMatchObject({ code, parameter });
      expect(errors[0]?.suggestion).toBe(suggestion);
      if (parameter !== '_xy') expect(errors[0]?.detail).toContain('state');
    },
  );

  test('are asked for by an Accept header with groups alone: rows are JSON', async () => {
    const headers = { accept: 'application/geo+json, application/json;q=0.5' };
    const { status, headers: given } = await states.ask(`${ADDRESS}?amount_min=4`, { headers });
    expect([status, given.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  });

  test('are named by the description, OpenAPI and MCP, and no file of all rows is', async () => {
    const description = JSON.parse(states.block.description());
    expect(description.boundaries).toEqual({
      field: 'state',
      areas: 'us-states',
      found: 4,
      not_found: { values: 1, rows: 1 },
      geojson: `${ADDRESS}?_group=state&_format=geojson`,
    });
    expect((await states.ask(description.boundaries.geojson)).status).toBe(200);
    expect(Object.keys(description.downloads)).not.toContain('geojson');
    const options = description.options as { name: string; choices: string[] }[];
    expect(options.find(({ name }) => name === '_format')?.choices).toContain('geojson');
    const schemas = answerSchemas(states.block.block);
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['sales.geojson', 'sales.area']));
    // A row has no place of its own.
    expect(Object.keys(schemas)).not.toContain('sales.feature');
    const [line] = blockText(
      { block: states.block.block, manifest: states.block.manifest },
      0,
    ).filter((text) => text.includes('geojson'));
    expect(line).toBe(
      `state names areas of us-states: 4 of 5 values, and 1 row has none. As GeoJSON, with any _measure: ${ADDRESS}?_group=state&_format=geojson`,
    );
  });

  test('lead from the figure and from the table of the groups', async () => {
    for (const view of ['map', 'table']) {
      const page = await states.ask(`${ADDRESS}?_format=html&_view=${view}&_group=state`);
      expect(await page.text()).toMatch(/<a href="\?[^"]*_format=geojson[^"]*">GeoJSON<\/a>/);
    }
    const rows = await states.ask(`${ADDRESS}?_format=html&_view=table`);
    expect(await rows.text()).not.toContain('_format=geojson');
  });
});

test('areas of a file of the publisher have the shapes of that file', async () => {
  await blocks.add('wards', 'Ward,Sales\nNORTH,1\nnorth,2\nSouth,4\nNowhere,8\n');
  await writeFile(`${blocks.folder}/seed-data/wards.geojson`, WARDS);
  const boundaries = {
    file: 'wards.geojson',
    property: 'name',
    field: 'ward',
    sources: [{ title: 'A' }],
  };
  await writeFile(
    blocks.pathOf('wards'),
    JSON.stringify({ ...blocks.blockFile('wards'), boundaries }),
  );
  const { ask } = await served('wards');
  const answer = ask('/api_v2/blocks/wards?_group=ward&_measure=sum:sales&_format=geojson');
  const featureOf = (ward: string, sum: number, geometry: object | null) => ({
    type: 'Feature',
    geometry,
    properties: { ward, sum_sales: sum },
  });
  expect(await featuresOf(answer)).toEqual([
    featureOf('NORTH', 3, wardAt(0)),
    featureOf('Nowhere', 8, null),
    featureOf('South', 4, wardAt(1)),
  ]);
});
