import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { checkExamples } from '../../src/arguments/check-examples.ts';
import { firstOf } from '../../src/first/first-question.ts';
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

const SYMBOLS = ['MSFT', 'AMZN', 'IBM', 'AAPL'] as const;
const monthOf = (year: number, month: number) =>
  `${year + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;

const INDUSTRIES = [
  ...['nonfarm', 'private', 'goods_producing', 'service_providing', 'private_service_providing'],
  ...['mining_and_logging', 'construction', 'manufacturing', 'durable_goods', 'nondurable_goods'],
  ...['trade_transportation_utilties', 'wholesale_trade', 'retail_trade', 'utilities'],
  ...['information', 'financial_activities', 'professional_and_business_services', 'government'],
  ...['education_and_health_services', 'leisure_and_hospitality', 'other_services'],
];

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
  [
    'months of sixty years (co2)',
    'keeling.csv',
    csv('Date,CO2,adjusted CO2', 741, (row) => [
      monthOf(1958, row),
      (313 + row / 7).toFixed(2),
      (314 + row / 7).toFixed(2),
    ]),
    { _view: 'chart', _group: ['date.year'], _measure: ['avg:co2', 'count'] },
  ],
  [
    'days with a least and a greatest temperature (seattle-weather)',
    'weather.csv',
    csv('date,precipitation,temp_max,temp_min,wind,weather', 1461, (row) => [
      dayOf(row),
      chance(row) < 0.8 ? 0 : (40 * chance(row, 1) ** 3).toFixed(1),
      (12 + 20 * chance(row, 2)).toFixed(1),
      (2 + 9 * chance(row, 2)).toFixed(1),
      (9 * chance(row, 3)).toFixed(1),
      oneOf('rain|sun|fog|drizzle|snow', row),
    ]),
    {
      ...{ _view: 'chart', _group: ['date.month'] },
      _measure: ['avg:temp_min', 'avg:temp_max', 'count'],
    },
  ],
  [
    'a few series by month, one of which begins late (stocks)',
    'stocks.csv',
    csv('symbol,date,price', 560, (row) => {
      const [symbol, month] = row < 68 ? ['GOOG', 55 + row] : [SYMBOLS[row % 4], (row - 68) >> 2];
      return [symbol as string, monthOf(2000, month as number), (9 + 90 * chance(row)).toFixed(2)];
    }),
    { _view: 'chart', _group: ['date.month', 'symbol'], _measure: ['avg:price', 'count'] },
  ],
  [
    'countries every five years, whose people are far apart (gapminder)',
    'gapminder.csv',
    csv('year,country,cluster,pop,life_expect,fertility', 11 * 62, (row) => [
      1955 + 5 * Math.floor(row / 62),
      `Land ${'abcdefghijkl'[row % 12]}${'mnopqr'[Math.floor((row % 62) / 12)]}`,
      row % 6,
      Math.floor(5e4 * 3 ** ((row % 62) / 7)),
      (40 + 40 * chance(row)).toFixed(1),
      (1 + 6 * chance(row, 1)).toFixed(2),
    ]),
    { _view: 'chart', _group: ['year', 'country'], _measure: ['avg:life_expect', 'count'] },
  ],
  [
    'counts of fourteen industries by month (unemployment)',
    'unemployment.csv',
    csv('series,date,count,rate', 14 * 122, (row) => [
      `Industry ${'abcdefghijklmn'[row % 14]}`,
      monthOf(2000, Math.floor(row / 14)),
      Math.floor(9 + 2000 * chance(row)),
      (2 + 9 * chance(row, 1)).toFixed(1),
    ]),
    { _view: 'chart', _group: ['date.month'], _measure: ['sum:count', 'count'] },
  ],
  [
    'people by year, age and sex (population)',
    'population.csv',
    csv('year,age,sex,people', 15 * 19 * 2, (row) => [
      1850 + 10 * Math.floor(row / 38) + (row < 4 * 38 ? 0 : 10),
      5 * Math.floor((row % 38) / 2),
      1 + (row % 2),
      Math.floor(1e5 + 9e6 * chance(row)),
    ]),
    { _view: 'chart', _group: ['year'], _measure: ['sum:people', 'count'] },
  ],
  [
    'deaths by year and kind, and of all kinds (disasters)',
    'disasters.csv',
    csv('Entity,Year,Deaths', 60 * 5, (row) => {
      const [kind, year] = [row % 5, 1950 + Math.floor(row / 5)];
      const of = (one: number) => Math.floor(9e4 * chance(5 * Math.floor(row / 5) + one) ** 9);
      const all = of(1) + of(2) + of(3) + of(4);
      return [
        ['All natural disasters', 'Flood', 'Drought', 'Storm', 'Heat'][kind] as string,
        year,
        kind === 0 ? all : of(kind),
      ];
    }),
    {
      ...{ _view: 'chart', _group: ['year', 'entity'], _measure: ['avg:deaths', 'count'] },
    },
  ],
  [
    'deaths by year and ten kinds, and of all kinds (disasters)',
    'many-disasters.csv',
    csv('Entity,Year,Deaths', 60 * 11, (row) => {
      const [kind, year] = [row % 11, 1950 + Math.floor(row / 11)];
      const of = (one: number) => Math.floor(9e4 * chance(11 * Math.floor(row / 11) + one) ** 9);
      const all = Array.from({ length: 10 }, (_, i) => of(i + 1)).reduce((a, b) => a + b);
      const name = kind === 0 ? 'All natural disasters' : `Kind ${'abcdefghij'[kind - 1]}`;
      return [name, year, kind === 0 ? all : of(kind)];
    }),
    {
      ...{ _view: 'chart', _group: ['year'], _measure: ['sum:deaths', 'count'] },
      '_not.entity': ['All natural disasters'],
    },
  ],
  [
    'quakes of a year, with places (earthquakes)',
    'quakes.csv',
    csv('time,mag,place,longitude,latitude', 400, (row) => [
      `${dayOf(Math.floor(365 * chance(row)))}T0${row % 10}:10:00Z`,
      (1 + 5 * chance(row, 1)).toFixed(1),
      `${row} km of ${oneOf('Alaska|Chile|Fiji|Japan', row)}`,
      (-180 + 360 * chance(row, 2)).toFixed(3),
      (-60 + 130 * chance(row, 3)).toFixed(3),
    ]),
    { _view: 'map' },
  ],
  [
    'sightings of two weeks, with places (squirrels)',
    'squirrels.csv',
    csv('id,date,shift,age,lon,lat', 900, (row) => [
      `${10 + (row % 30)}A-${row}`,
      dayOf(Math.floor(14 * chance(row))),
      oneOf('AM|PM', row),
      oneOf('Adult|Juvenile', row, 1),
      (-73.98 + chance(row, 2) / 50).toFixed(5),
      (40.77 + chance(row, 3) / 50).toFixed(5),
    ]),
    { _view: 'map' },
  ],
  [
    'reports of ten years (birdstrikes)',
    'birdstrikes.csv',
    csv('Airport,Flight Date,Phase,Cost Total', 4000, (row) => [
      `Airport ${row % 90}`,
      dayOf(Math.floor(3650 * chance(row) ** 0.6)),
      oneOf('Climb|Approach|Landing roll|Take-off run', row),
      row % 30 ? 0 : Math.floor(1e6 * chance(row, 2)),
    ]),
    { _view: 'chart', _group: ['flight_date.month'], _measure: ['count'] },
  ],
  [
    'as many events in each week (flights)',
    'flights.csv',
    csv('date,delay,distance,origin', 4000, (row) => [
      `${dayOf(Math.floor(90 * chance(row)))}T${String(Math.floor(24 * chance(row, 1))).padStart(2, '0')}:${10 + (row % 50)}:00Z`,
      Math.floor(400 * chance(row, 2) ** 9) - 9,
      100 + Math.floor(900 * chance(row, 3)),
      oneOf('SEA|LAX|JFK|ORD', row),
    ]),
    { _view: 'chart', _group: ['date.hour'], _measure: ['avg:delay', 'count'] },
  ],
  [
    'fifty states and a rate (obesity)',
    'obesity.csv',
    csv('state,rate', 50, (row) => [
      `State of ${'abcdefghij'[row % 10]}${'klmno'[Math.floor(row / 10)]}`,
      (0.2 + chance(row) / 10).toFixed(3),
    ]),
    {
      ...{ _view: 'chart', _group: ['state'], _measure: ['avg:rate'], _sort: ['-avg_rate'] },
    },
  ],
  [
    'films by name (movies)',
    'movies.csv',
    csv('Title,Release Date,US Gross,Budget,Major Genre', 1500, (row) => [
      `The ${oneOf('Long|Last|Lost', row)} film of ${row} ${'abcdefghij'[row % 10]}`,
      dayOf(Math.floor(9000 * chance(row)) - 8000),
      Math.floor(1e8 * chance(row, 1) ** 4),
      Math.floor(1e8 * chance(row, 2) ** 2),
      oneOf('Drama|Comedy|Action|Horror|Western', row),
    ]),
    { _view: 'chart', _group: ['major_genre'], _measure: ['count'] },
  ],
  [
    'measured animals (penguins)',
    'penguins.csv',
    csv('Species,Island,Beak Length,Sex', 344, (row) => [
      ['Adelie', 'Adelie', 'Gentoo', 'Chinstrap'][row % 4] as string,
      oneOf('Biscoe|Dream|Torgersen', row),
      (32 + 20 * chance(row)).toFixed(1),
      oneOf('male|female', row, 1),
    ]),
    { _view: 'chart', _group: ['species'], _measure: ['count'] },
  ],
  [
    'models of twelve years (cars)',
    'cars.csv',
    csv('Name,Cylinders,Year,Origin', 406, (row) => [
      `model ${row % 311}`,
      [4, 4, 6, 8, 3][row % 5] as number,
      `${row % 9 ? 1970 + (row % 12) : 1982}-01-01`,
      oneOf('USA|Europe|Japan', row),
    ]),
    { _view: 'chart', _group: ['origin'], _measure: ['count'] },
  ],
  [
    'countries with income and health (health-income), which go together',
    'health-income.csv',
    csv('country,income,health,population,region', 187, (row) => [
      `Land ${'abcdefghijkl'[row % 12]}${'mnopqrstuvwxyz'[Math.floor(row / 12) % 14]}${row > 167 ? 'a' : ''}`,
      600 + Math.floor(1e5 * chance(row) ** 3),
      (50 + 30 * chance(row)).toFixed(1),
      Math.floor(1e5 + 9e7 * chance(row, 1) ** 3),
      oneOf('africa|asia|america|europe', row),
    ]),
    { _view: 'chart', _xy: ['income', 'health'], _scale: ['log', 'linear'] },
  ],
  [
    '22 columns of employment, of as many digits each (us-employment)',
    'us-employment.csv',
    csv(['month', ...INDUSTRIES, 'nonfarm_change'].join(','), 120, (row) => [
      monthOf(2006, row),
      ...INDUSTRIES.map((_, i) => Math.floor((140_000 / (i + 1)) * (1 + chance(row, i) / 20))),
      Math.floor(400 * chance(row, 40)) - 200,
    ]),
    { _view: 'chart', _group: ['month.month'], _measure: ['avg:nonfarm', 'count'] },
  ],
  [
    'quakes whose times are in milliseconds since 1970 (earthquakes)',
    'millisecond-quakes.json',
    JSON.stringify(
      Array.from({ length: 400 }, (_, row) => ({
        mag: Math.floor(10 + 50 * chance(row, 1)) / 10,
        place: `${row} km of ${oneOf('Alaska|Chile|Fiji|Japan', row)}`,
        time: Date.UTC(2018, 0, 1) + Math.floor(28 * 86_400_000 * chance(row)),
      })),
    ),
    { _view: 'chart', _group: ['time.hour'], _measure: ['avg:mag', 'count'] },
  ],
  [
    'a flag and a quality code before the number that they are of',
    'stations.csv',
    csv('date,tmax_flag,tmax_quality,tmax', 700, (row) => [
      dayOf(row),
      [0, 16, 32, 128, 4096][Math.floor(5 * chance(row, 1))] as number,
      [1, 2, 5, 9, 22, 31][Math.floor(6 * chance(row, 2))] as number,
      (5 + 20 * chance(row)).toFixed(1),
    ]),
    { _view: 'chart', _group: ['date.week'], _measure: ['avg:tmax', 'count'] },
  ],
  [
    'repeated measurements with the number of each repetition',
    'repeats.csv',
    csv('redcap_repeat_instance,weight', 600, (row) => [
      1 + (row % 20),
      (40 + 60 * chance(row)).toFixed(1),
    ]),
    { _view: 'chart', _group: ['weight.5'], _measure: ['count'] },
  ],
  [
    'rates of age groups that are called by their first year',
    'mortality.csv',
    csv('region,age,rate_per_1000', 6 * 19, (row) => [
      `Region ${'ABCDEF'[row % 6]}`,
      [0, 1, ...Array.from({ length: 17 }, (_, i) => 5 + 5 * i)][Math.floor(row / 6)] as number,
      (2 + 20 * chance(row)).toFixed(1),
    ]),
    {
      ...{ _view: 'chart', _group: ['region'], _measure: ['avg:rate_per_1000'] },
      _sort: ['-avg_rate_per_1000'],
    },
  ],
  [
    'plots in the rows and columns of a field',
    'field.csv',
    csv('row,col,crop', 24 * 12, (row) => [
      1 + Math.floor(row / 12),
      1 + (row % 12),
      (500 + 99 * chance(row)).toFixed(1),
    ]),
    { _view: 'chart', _group: ['crop.5'], _measure: ['count'] },
  ],
  [
    'years with a fraction for the month',
    'power.csv',
    csv('time,output', 300, (row) => [
      (1990 + row / 12).toFixed(4),
      (150 + 99 * chance(row)).toFixed(1),
    ]),
    { _view: 'chart', _group: ['output.5'], _measure: ['count'] },
  ],
  [
    'an index below no header, of a table for each stock',
    'index.csv',
    csv(',close,stock', 299, (row) => [
      row % 100,
      (90 + 99 * chance(row)).toFixed(2),
      ['AAA', 'BBB', 'CCC'][Math.floor(row / 100)] as string,
    ]),
    {
      ...{ _view: 'chart', _group: ['stock'], _measure: ['avg:close'] },
      _sort: ['-avg_close'],
    },
  ],
  [
    'codes whose first word says so, and keys of another table',
    'codes.csv',
    csv('cod_articolo,part_pk,pageid,kg', 400, (row) => [
      Math.floor(1 + 300 * chance(row)),
      Math.floor(1 + 900 * chance(row, 1)),
      Math.floor(5000 + 90_000 * chance(row, 2)),
      (2 + 9 * chance(row, 3)).toFixed(2),
    ]),
    { _view: 'chart', _group: ['kg.0.5'], _measure: ['count'] },
  ],
  [
    'what has come together until each day, by region',
    'cumul.csv',
    csv('date,region,cumul_cases', 12 * 90, (row) => [
      dayOf(Math.floor(row / 12)),
      `Region ${'ABCDEFGHIJKL'[row % 12]}`,
      Math.floor(row / 12) * (40 + (row % 12)),
    ]),
    { _view: 'chart', _group: ['date.day', 'region'], _measure: ['avg:cumul_cases', 'count'] },
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
  const examples = [{ title: 'First', arguments: first.arguments }];
  expect(() => checkExamples({ ...block, examples })).not.toThrow();
  // Nothing is written: what follows from the data follows the next file's too.
  expect(blocks.blockFile(name).first).toBeUndefined();
});
