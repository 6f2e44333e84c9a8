import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { packedRows } from '../../src/columns/memory-rows.ts';
import { blockRoutes } from '../../src/http/block-routes.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { serviceOf } from '../../src/http/service.ts';
import { SETTINGS } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { HOSTILE_ROWS, hostileBlock, hostileDataset } from '../support/hostile-dataset.ts';
import { requestOf } from '../support/request-of.ts';

const ADDRESS = '/api_v2/blocks/typed/datapackage.json';

function ask({ manifest, columns } = hostileDataset) {
  const store = packedRows(hostileBlock.fields, columns);
  const served = serveDataset({ block: hostileBlock, manifest, store });
  return requestOf(serviceOf(blockRoutes(served), SETTINGS));
}
// biome-ignore lint/suspicious/noExplicitAny: an answer is of any shape
const packageOf = async (...asked: Parameters<ReturnType<typeof ask>>): Promise<any> =>
  (await ask()(...asked)).json();

test('each type is one of Table Schema', async () => {
  const { resources } = await packageOf(ADDRESS);
  expect(resources[0].schema.fields).toEqual([
    { name: 'place', title: 'Place', type: 'string' },
    { name: 'phone', title: 'Phone', type: 'string' },
    { name: 'website', title: 'Website', type: 'string', format: 'uri' },
    { name: 'score', title: 'Score', type: 'number' },
    { name: 'seats', title: 'Seats', type: 'integer', unit: 'chairs' },
    { name: 'opened', title: 'Opened', type: 'date' },
    { name: 'inspected', title: 'Inspected', type: 'datetime' },
    { name: 'seen', title: 'Seen', type: 'datetime' },
    { name: 'clock', title: 'Clock', type: 'datetime' },
    { name: 'outdoors', title: 'Outdoors', type: 'boolean' },
    { name: 'checked', title: 'Checked', type: 'date' },
  ]);
});

test('whole numbers that are written with an exponent are numbers there', async () => {
  const rows = HOSTILE_ROWS.map((row) => ({ ...row, seats: -1e21 }));
  const dataset = makeDataset(hostileBlock, rows, { title: 't' });
  const { resources } = await (await ask(dataset)(ADDRESS)).json();
  expect(resources[0].schema.fields[4]).toMatchObject({ name: 'seats', type: 'number' });
});

test('its CSV has every text as it is; a plain one defuses formulas', async () => {
  const { resources } = await packageOf(ADDRESS);
  const placesOf = async (address: string) => {
    const csv = await (await ask()(address)).text();
    return parse(csv, { columns: true }).map((row) => (row as { place: string }).place);
  };
  const places = HOSTILE_ROWS.map(({ place }) => place ?? '');
  expect(await placesOf(resources[0].path)).toEqual(places);
  const plain = await placesOf('/api_v2/blocks/typed?_format=csv');
  expect(plain.filter((place, i) => place !== places[i])).toEqual([
    "'=1+1",
    "'+1 410",
    "'-x",
    "'@b\nc\r\nd",
  ]);
});

test.each([
  ['its own', ADDRESS],
  ['with a slash behind it', `${ADDRESS}/`],
  ['escaped', ADDRESS.replace('.', '%2E')],
])('its path is whole, from an address %s', async (_, address) => {
  const { resources } = await packageOf(`http://data.example${address}`);
  expect(resources[0].path).toBe('http://data.example/api_v2/blocks/typed?_format=csv&_raw=true');
});
