import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { checkExamples } from '../../src/arguments/arguments.ts';
import { firstOf } from '../../src/figure/first-question.ts';
import { loadDataBlock } from '../../src/import/load-blocks.ts';
import { importDataset } from '../support/datasets.ts';
import { OwnBlocks } from './own-blocks.ts';

let blocks: OwnBlocks;
beforeAll(async () => {
  blocks = await OwnBlocks.inNewFolder();
});

const chance = (row: number, salt = 0): number => {
  const x = Math.sin(row * 12.9898 + salt * 78.233) * 43_758.5453;
  return x - Math.floor(x);
};

const dayOf = (day: number) => new Date(Date.UTC(2020, 2, 1 + day)).toISOString().slice(0, 10);
const oneOf = (words: string, row: number, salt = 0) => {
  const all = words.split('|');
  return all[Math.floor(all.length * chance(row, salt) ** 2)] as string;
};

/** A file with a header and so many rows. */
function csv(header: string, rows: number, cells: (row: number) => readonly (string | number)[]) {
  const lines = Array.from({ length: rows }, (_, row) => cells(row).join(','));
  return `${[header, ...lines].join('\n')}\n`;
}

const square = (x: number, y: number) =>
  [
    [x, y],
    [x + 1, y],
    [x + 1, y + 1],
    [x, y + 1],
    [x, y],
  ].map(([a, b]) => [a, b]);

const regions = JSON.stringify({
  type: 'FeatureCollection',
  features: Array.from({ length: 12 }, (_, row) => ({
    type: 'Feature',
    properties: {
      name: `Ward ${'ABCDEFGHIJKL'[row]}`,
      aland: 90_000 + 7 * row,
      population: 1000 + Math.floor(9000 * chance(row)),
      people_per_acre: Number((5 + 20 * chance(row, 1)).toFixed(2)),
    },
    geometry: { type: 'Polygon', coordinates: [square(row % 4, 40 + Math.floor(row / 4))] },
  })),
});

const FILES: readonly (readonly [kind: string, file: string, content: string, opens: object])[] = [
  [
    'monthly measurements',
    'co2.csv',
    csv('month,trend_pct,ppm', 144, (row) => [
      `${2010 + Math.floor(row / 12)}-${String((row % 12) + 1).padStart(2, '0')}-01`,
      (chance(row) * 2).toFixed(2),
      (390 + row / 10 + chance(row)).toFixed(2),
    ]),
    { _view: 'chart', _group: ['month.month'], _measure: ['avg:ppm', 'count'] },
  ],
  [
    'daily ridership',
    'ridership.csv',
    csv('Date,Subways: % of a Usual Day,Subways: Riders', 900, (row) => [
      dayOf(row),
      Math.floor(40 + 60 * chance(row)),
      Math.floor(5e5 + 3e6 * chance(row, 1)),
    ]),
    { _view: 'chart', _group: ['date.month'], _measure: ['avg:subways_riders', 'count'] },
  ],
  [
    'sensors, a row each hour and station',
    'air.csv',
    csv('station,time,pm10', 3 * 24 * 30, (row) => [
      ['North', 'South', 'Harbour'][row % 3] as string,
      `${dayOf(Math.floor(row / 72))}T${String(Math.floor(row / 3) % 24).padStart(2, '0')}:00:00Z`,
      (5 + 40 * chance(row)).toFixed(1),
    ]),
    { _view: 'chart', _group: ['time.day', 'station'], _measure: ['avg:pm10', 'count'] },
  ],
  [
    'a log of events with timestamps',
    'requests.csv',
    csv('request_id,created_date,updated_at,agency,minutes', 800, (row) => [
      70_000 + row,
      `${dayOf(Math.floor(400 * chance(row, 1) ** 2))}T0${Math.floor(9 * chance(row))}:1${row % 10}:07Z`,
      `${dayOf(500 + (row % 9))}T00:00:00Z`,
      oneOf('Streets|Parks|Water|Police', row),
      Math.floor(600 * chance(row, 2)),
    ]),
    { _view: 'chart', _group: ['created_date.week'], _measure: ['count'] },
  ],
  [
    'a directory with places, and the date of a licence',
    'businesses.csv',
    csv('business_name,category,licensed,latitude,longitude', 120, (row) => [
      `${oneOf('Golden|Corner|Harbour|Old', row, 4)} Shop of ${'abcdefghij'[row % 10]}${'klmnopqrstuv'[Math.floor(row / 10)]}`,
      oneOf('Laundry|Bakery|Retail|Garage', row),
      dayOf(Math.floor(2000 * chance(row, 3))),
      (40.6 + chance(row, 1) / 10).toFixed(5),
      (-74 + chance(row, 2) / 10).toFixed(5),
    ]),
    { _view: 'map' },
  ],
  [
    'areas of a census',
    'wards.geojson',
    regions,
    { _view: 'map', _group: ['name'], _measure: ['avg:people_per_acre'] },
  ],
  [
    'a survey with categories only',
    'survey.csv',
    csv('answer_code,age_group,transport_type,satisfied', 300, (row) => [
      oneOf('A1|B2|C3', row, 1),
      oneOf('18 to 29|30 to 44|45 to 64|65 and over', row, 2),
      oneOf('Bus|Car|Bicycle|On foot', row, 3),
      oneOf('yes|no', row, 4),
    ]),
    { _view: 'chart', _group: ['age_group'], _measure: ['count'] },
  ],
  [
    'a number alone',
    'weights.csv',
    csv('weight', 200, (row) => [(40 + 60 * chance(row)).toFixed(1)]),
    { _view: 'chart', _group: ['weight.5'], _measure: ['count'] },
  ],
  [
    'texts that are all different',
    'words.csv',
    csv('word,meaning', 60, (row) => [`word${row}`, `What word ${row} means`]),
    { _view: 'table' },
  ],
  [
    'years as whole numbers',
    'harvest.csv',
    csv('Year,Wheat', 60, (row) => [1960 + row, (20 + 30 * chance(row)).toFixed(1)]),
    { _view: 'chart', _group: ['year'], _measure: ['avg:wheat', 'count'] },
  ],
  [
    'dates that are nearly all blank',
    'trees.csv',
    csv('species,felled', 300, (row) => [
      oneOf('Ginkgo|Oak|Plane|Lime', row),
      row % 20 === 0 ? dayOf(row) : '',
    ]),
    { _view: 'chart', _group: ['species'], _measure: ['count'] },
  ],
  [
    'few rows with names',
    'countries.csv',
    csv('iso,country,population', 12, (row) => [
      `${'ABCDEFGHIJKL'[row]}X`,
      `Land of ${'abcdefghijkl'[row]}${'uvw'[row % 3]}`,
      Math.floor(1e5 + 9e5 * chance(row)) / 10,
    ]),
    {
      ...{ _view: 'chart', _group: ['country'], _measure: ['avg:population'] },
      _sort: ['-avg_population'],
    },
  ],
  ['one row', 'one.csv', csv('day,amount', 1, () => ['2026-01-02', 5]), { _view: 'table' }],
  ['no rows', 'none.csv', 'day,amount\n', { _view: 'table' }],
];

test.each(FILES)('%s', async (_, file, content, opens) => {
  const name = path.parse(file).name;
  const added = await blocks.run('add', await blocks.file(file, content), '--yes');
  expect([added.code, added.err]).toEqual([0, '']);
  const { block, dataset } = await loadDataBlock(path.dirname(blocks.pathOf(name)));
  const seedData = path.join(blocks.folder, 'seed-data');
  const { manifest, profile } = await importDataset(block, dataset, seedData);
  const first = firstOf(block, manifest, profile);
  expect(first.arguments).toEqual(opens);
  expect(added.out).toContain(`\n${first.reason} "first" in block.json changes that.\n`);
  expect(() => checkExamples({ ...block, first: first.arguments })).not.toThrow();
  // Nothing is written: what follows from the data follows the next file's too.
  expect(blocks.blockFile(name).first).toBeUndefined();
});
