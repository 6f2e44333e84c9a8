import { describe, expect, test } from '@jest/globals';
import { checkExamples } from '../../src/arguments/check-examples.ts';
import { datasetBlock } from '../../src/block/block.ts';
import { titleOf, wordsOf } from '../../src/recipe/column-names.ts';
import { ColumnEvidence } from '../../src/recipe/evidence/column.ts';
import { PlaceEvidence, placeColumns } from '../../src/recipe/evidence/place.ts';
import { proposeRoles } from '../../src/recipe/propose-roles.ts';
import type { Row } from '../../src/values/field-type.ts';
import { cellReader } from '../../src/values/spelling.ts';
import { naiveRows } from '../support/naive.ts';

/** What is proposed of a file, and its rows as they are then read. */
function proposed(headers: readonly string[], records: readonly (readonly string[])[]) {
  const evidence = headers.map((header) => new ColumnEvidence(header));
  const columns = placeColumns(headers);
  const places = columns === undefined ? undefined : new PlaceEvidence(columns);
  for (const [i, cells] of records.entries()) {
    for (const [at, one] of evidence.entries()) one.add(cells[at] as string, i + 2);
    places?.add(cells, i + 2);
  }
  const inferred = headers.map((header, i) => ({
    name: header.toLowerCase().replace(/\W+/g, '_').replace(/_$/, ''),
    header,
    decision: (evidence[i] as ColumnEvidence).decide(),
  }));
  const roles = proposeRoles(
    inferred,
    columns === undefined || places === undefined
      ? undefined
      : { columns, evidence: places, counts: 'feature' },
  );
  const readers = roles.fields.map((field) => cellReader(field, field));
  const rows = records.map(
    (cells): Row =>
      Object.fromEntries(
        roles.fields.map(({ name }, at) => {
          const value = readers[at]?.(cells[at] as string);
          if (value === undefined) throw new Error(`${name}: ${cells[at]}`);
          return [name, value];
        }),
      ),
  );
  return { ...roles, rows };
}

const HEADERS = [
  ...['PERMIT_NO', 'Business Name', 'category', 'phone', 'Fee (USD)', 'opened_at', 'website'],
  ...['latitude', 'longitude', 'remarks'],
];

const RECORDS = Array.from({ length: 400 }, (_, i) => [
  String(10_000_000 + i * 7),
  `Shop ${i % 350} & Sons`,
  ['Retail', 'Food', 'RETAIL', 'Services'][i % 4] as string,
  i % 9 === 0 ? 'N/A' : `718-555-${String(1000 + i)}`,
  `${i % 50},50`,
  `${String((i % 28) + 1).padStart(2, '0')}.${String((i % 12) + 1).padStart(2, '0')}.${2015 + (i % 6)}`,
  `https://example.org/${i}`,
  i === 5 || i === 90 ? '0' : i === 7 ? '440.7' : String(40 + i / 1000),
  i === 5 || i === 90 ? '0' : String(-74 + i / 1000),
  i % 3 === 0
    ? 'Something longer that an inspector wrote about this place, over eighty characters.'
    : '',
]);

describe('of a file of permits is proposed', () => {
  const { fields, rows, ...roles } = proposed(HEADERS, RECORDS);

  test('a field for each column, with its title, unit and spelling', () => {
    expect(fields).toEqual([
      { type: 'text', name: 'permit_no', title: 'PERMIT NO', indexed: true },
      { type: 'text', name: 'business_name', title: 'Business Name', indexed: true, main: true },
      { type: 'text', name: 'category', title: 'Category' },
      {
        ...{ type: 'phone', name: 'phone', title: 'Phone', indexed: true },
        missingValues: ['N/A'],
      },
      { type: 'number', name: 'fee_usd', title: 'Fee', unit: 'USD', decimalChar: ',' },
      { type: 'date', name: 'opened_at', title: 'Opened at', format: '%d.%m.%Y' },
      { type: 'link', name: 'website', title: 'Website' },
      { type: 'number', name: 'latitude', title: 'Latitude', unit: 'degrees north' },
      { type: 'number', name: 'longitude', title: 'Longitude', unit: 'degrees east' },
      { type: 'text', name: 'remarks', title: 'Remarks' },
    ]);
  });

  test('its key, its map, and the fields that tell most', () => {
    expect(roles).toMatchObject({
      primaryKey: 'permit_no',
      geometry: { kind: 'points', latitude: 'latitude', longitude: 'longitude' },
      keyFields: ['business_name', 'permit_no', 'category', 'phone', 'fee_usd', 'opened_at'],
    });
  });

  test('places that are none, as notes', () => {
    expect(roles.notes).toEqual([
      '2 of 400 places are at 0, 0, first 0, 0 in feature 7',
      '1 of 400 places is on no map, first 440.7, -73.993 in feature 9',
    ]);
  });

  test('examples that some rows answer, but not all', () => {
    expect(roles.examples).toEqual([
      { title: 'Category: Retail', arguments: { category: 'Retail' } },
      { title: 'Fee, at least 20 USD', arguments: { fee_usd_min: 20 } },
      { title: 'Business Name: Shop 0 & Sons', arguments: { business_name: 'Shop 0 & Sons' } },
    ]);
    for (const { title, arguments: given } of roles.examples) {
      const found = naiveRows(fields, rows, { arguments: given }).length;
      expect([title, found > 0 && found < rows.length]).toEqual([title, true]);
    }
  });

  test('what makes a block', () => {
    const { geometry, keyFields = [], examples } = roles;
    if (geometry === undefined) throw new Error('no geometry');
    const block = datasetBlock({
      ...{ id: 'permits-id', name: 'permits', title: 'Permits', description: 'Permits.' },
      ...{ fields, geometry, keyFields, examples },
    });
    expect(() => checkExamples(block)).not.toThrow();
  });
});

describe('a map is proposed', () => {
  test.each<[readonly string[], { latitude: number; longitude: number } | undefined]>([
    [['lat', 'lng'], { latitude: 0, longitude: 1 }],
    [['Longitude', 'x', 'Latitude'], { latitude: 2, longitude: 0 }],
    [['end_lat', 'start_lat', 'start_lon', 'end_lon'], { latitude: 0, longitude: 3 }],
    [['GeoLat', 'GeoLong'], { latitude: 0, longitude: 1 }],
    [['lat', 'end_lon'], undefined],
    [['plate', 'long_name'], undefined],
    [['L\u00e4nge', 'Breite'], undefined],
  ])('of %j: %j', (headers, columns) => {
    expect(placeColumns(headers)).toEqual(columns);
  });

  test('only of numbers that are degrees', () => {
    const feet = proposed(
      ['lat', 'lon'],
      [
        ['987654.5', '201234.5'],
        ['987655.5', '201235.5'],
      ],
    );
    expect(feet.notes).toEqual([
      '2 of 2 places are on no map, first 987654.5, 201234.5 in feature 2',
      'no map: most of the places are on none; coordinates of a projection, in metres or feet, become degrees by the number of its system (of most web maps 3857): ogr2ogr -s_srs EPSG:<number> -t_srs EPSG:4326 new.geojson <this file>',
    ]);
    expect(feet.geometry).toBeUndefined();
    const texts = proposed(
      ['lat', 'lon'],
      [
        ['40.5', '-74'],
        ['40 N', '74 W'],
      ],
    );
    expect(texts.geometry).toBeUndefined();
    const commas = proposed(
      ['lat', 'lon'],
      [
        ['40,5', '-74,25'],
        ['', ''],
      ],
    );
    expect(commas.geometry).toBeDefined();
  });
});

describe('the key is', () => {
  const keyOf = (header: string, cells: readonly string[]) =>
    proposed(
      [header, 'x'],
      cells.map((cell) => [cell, 'x']),
    ).primaryKey;

  test('named so, or counts the rows, or is a text of many rows', () => {
    expect(keyOf('Order-ID', ['7', '9', '12'])).toBe('order_id');
    expect(keyOf('row', ['1', '2', '3'])).toBe('row');
    expect(keyOf('row', ['4', '9', '3'])).toBeUndefined();
    expect(keyOf('place', ['a', 'b'])).toBeUndefined();
    expect(
      keyOf(
        'place',
        Array.from({ length: 30 }, (_, i) => `place ${i}`),
      ),
    ).toBe('place');
    expect(
      keyOf(
        'size',
        Array.from({ length: 30 }, (_, i) => String(i * 3)),
      ),
    ).toBeUndefined();
  });

  test('never blank, and never repeated', () => {
    expect(keyOf('id', ['7', '', '12'])).toBeUndefined();
    expect(keyOf('id', ['7', '7', '12'])).toBeUndefined();
    expect(keyOf('id', ['7', '-', '12'])).toBeUndefined();
  });
});

test('rows are known by words that tell them apart, not by their numbers', () => {
  const headers = ['ObjectId', 'CaseNumber', 'Address', 'ContractorName', 'Units'];
  const records = Array.from({ length: 600 }, (_, i) => [
    ...[String(i + 1), `BLD2019-${7 * i}`, `${i} Main St`],
    ...[['Acme Ltd', 'Smith & Sons'][i % 2] as string, String(1000 + i * 30)],
  ]);
  const { fields, examples } = proposed(headers, records);
  expect(fields.find(({ main }) => main)?.name).toBe('address');
  expect(examples[1]).toEqual({
    title: 'Units, at least 2,000',
    arguments: { units_min: 2000 },
  });
});

test('at most five fields are indexed, the key and the name before others', () => {
  const headers = ['a', 'b', 'c', 'd', 'e', 'f', 'name', 'id'];
  const records = Array.from({ length: 150 }, (_, i) => headers.map((header) => `${header} ${i}`));
  const { fields } = proposed(headers, records);
  expect(fields.filter(({ indexed }) => indexed).map(({ name }) => name)).toEqual([
    ...['a', 'b', 'c', 'name', 'id'],
  ]);
});

test('without a text of a few or numbers, examples are of times, or of the first rows', () => {
  const times = proposed(['seen'], [['2019-05-17T10:00'], ['2020-05-17T10:00']]);
  expect(times.examples).toEqual([
    { title: 'Seen, from 2020 on', arguments: { seen_min: '2020' } },
  ]);
  expect(naiveRows(times.fields, times.rows, { arguments: { seen_min: '2020' } })).toEqual([1]);
  // Both compare as equal, so that every row has them.
  const same = proposed(['street'], [['Court St'], ['COURT ST'], ['Court St'], ['Court St']]);
  expect(same.examples).toEqual([{ title: 'The first rows', arguments: { _limit: 10 } }]);
});

test.each([
  ['created_at', 'Created at'],
  ['PERMIT_NO', 'PERMIT NO'],
  ['Business Name', 'Business Name'],
  ['createdAt', 'Created At'],
  ['PermitType', 'Permit Type'],
  ['CaseID', 'Case ID'],
  ['iPhone', 'iPhone'],
  ['GmbH', 'GmbH'],
  ['OBJECTID', 'OBJECTID'],
  ['venue.name', 'Venue name'],
  ['Created_At', 'Created At'],
  ['id', 'ID'],
  ['BUSINESS_ID', 'BUSINESS ID'],
  ['  \u00e9tat  civil ', '\u00c9tat civil'],
  ['2020 total', '2020 total'],
  ['us employment', 'US employment'],
  ['co2 concentration', 'CO2 concentration'],
  ['discuss', 'Discuss'],
  ['la riots', 'La riots'],
  ['', ''],
])('the title of %j is %j', (header, title) => {
  expect(titleOf(header)).toBe(title);
});

test.each([
  ['dbh_cm', 'Dbh cm', 'cm'],
  ['PRICE_USD', 'PRICE USD', 'USD'],
  ['areaSqft', 'Area Sqft', 'sq ft'],
  ['share_pct', 'Share pct', '%'],
  ['Height (m)', 'Height', 'm'],
  ['Area [km²]', 'Area', 'km²'],
  ['Cost (EUR)', 'Cost', 'EUR'],
  ['Share (% of all)', 'Share', '% of all'],
  ['Duration (min)', 'Duration', 'min'],
  ['HEIGHT (M)', 'HEIGHT', 'M'],
  ['Speed (km/h)', 'Speed', 'km/h'],
  ['Wind (m/s)', 'Wind', 'm/s'],
  ['Intensity (kg CO2/kWh)', 'Intensity', 'kg CO2/kWh'],
  ['Density (Einw./km²)', 'Density', 'Einw./km²'],
  ['Price (EUR/MWh)', 'Price', 'EUR/MWh'],
  ['Time(s)', 'Time', 's'],
  ['Death(s)', 'Death(s)', undefined],
  ['Pupils (2019/20)', 'Pupils (2019/20)', undefined],
  ['Pupils (m/w)', 'Pupils (m/w)', undefined],
  ['Pupils (h/m)', 'Pupils (h/m)', undefined],
  ['Costs (and/or fees)', 'Costs (and/or fees)', undefined],
  ['Sum (n/a)', 'Sum (n/a)', undefined],
  ['Pupils (M)', 'Pupils (M)', undefined],
  ['Total (a)', 'Total (a)', undefined],
  ['X Coordinate (State Plane)', 'X Coordinate (State Plane)', undefined],
  ['Population (2019)', 'Population (2019)', undefined],
  ['Rooms (est.)', 'Rooms (est.)', undefined],
  ['cm', 'Cm', undefined],
  ['cm_count', 'Cm count', undefined],
  ['pop_m', 'Pop m', undefined],
  ['born_in', 'Born in', undefined],
  ['is_constructor', 'Is constructor', undefined],
])('below %j stands %j, in %j', (header, title, unit) => {
  const [field] = proposed([header], [['5'], ['7']]).fields;
  expect([field?.title, field?.unit]).toEqual([title, unit]);
  expect(proposed([header], [['a'], ['b']]).fields[0]?.unit).toBeUndefined();
});

test.each([
  [['Temp (min)', 'Temp (max)', 'Temp (mean)']],
  [['Low (min)', 'High (max)']],
  [['Schüler (m)', 'Schüler (w)', 'Schüler (m/w)']],
  [['Schüler (m)', 'Schülerinnen (w)']],
  [['Temp', 'Temp (min)']],
  [['Costs (t)', 'costs (p)']],
])('of %j, each keeps what is in its brackets, which is no unit', (headers) => {
  const { fields } = proposed(headers, [headers.map(() => '5'), headers.map(() => '7')]);
  const titles = headers.map((header) => header.replace(/^c/, 'C'));
  expect(fields.map(({ title, unit }) => [title, unit])).toEqual(
    titles.map((title) => [title, undefined]),
  );
});

test('columns that differ in sure units alone keep these in their titles, too', () => {
  const headers = ['Weight (kg)', 'Weight (lbs)', 'Price (EUR)', 'Height (m)', 'Power (W)'];
  const { fields } = proposed(headers, [headers.map(() => '5'), headers.map(() => '7')]);
  expect(fields.map(({ title, unit }) => [title, unit])).toEqual([
    ['Weight (kg)', 'kg'],
    ['Weight (lbs)', 'lbs'],
    ['Price', 'EUR'],
    ['Height', 'm'],
    ['Power', 'W'],
  ]);
});

test.each<[string, string, (i: number) => string, main: string | undefined]>([
  ['five agencies', 'agency', (i) => `Agency ${'abcde'[i % 5]}`, undefined],
  ['notes on few rows', 'Color notes', (i) => (i % 16 === 0 ? `a note on ${i}` : ''), undefined],
  ['texts that nearly all differ', 'place', (i) => `Corner of ${i % 95}`, 'place'],
  ['long texts', 'remarks', (i) => `Remarks on ${i % 95} ${'and so on '.repeat(8)}`, undefined],
  ['names that come back', 'Business name', (i) => `Shop of ${i % 20}`, 'business_name'],
])('rows are known by %s or not', (_, header, cellOf, main) => {
  const records = Array.from({ length: 100 }, (_, i) => [cellOf(i), String(i % 7)]);
  const { fields } = proposed([header, 'size'], records);
  expect(fields.find((field) => field.main)?.name).toBe(main);
});

test.each<[string, (i: number) => string]>([
  ['a point', (i) => `POINT (-73.9${1000 + i} 40.7${2000 + i})`],
  ['an outline', (i) => `MULTIPOLYGON (((1 2, 3 4, 5 ${i}, 1 2)))`],
  ['a geometry', (i) => `{"type": "Point", "coordinates": [-73.9${1000 + i}, 40.7]}`],
  ['a pair of degrees', (i) => `(40.7${1000 + i}, -73.9${1000 + i})`],
])('rows are never known by %s as text: not by its name, key, or example', (_, cellOf) => {
  const idOf = (i: number) => `${i === 1 ? 0 : i}A-PM-${1000 + (i % 7)}`;
  const records = Array.from({ length: 60 }, (_, i) => [
    cellOf(i),
    idOf(i),
    'oak elm'.split(' ')[i % 2] ?? '',
  ]);
  const { fields, primaryKey, keyFields, examples } = proposed(
    ['name', 'Squirrel ID', 'kind'],
    records,
  );
  expect(fields.find(({ main }) => main)?.name).toBe('squirrel_id');
  expect(primaryKey).not.toBe('name');
  expect(keyFields ?? []).not.toContain('name');
  expect(examples.flatMap((one) => Object.keys(one.arguments))).not.toContain('name');
});

test('rows are known by their key where no text names them', () => {
  const records = Array.from({ length: 100 }, (_, i) => [`00${i}`, `Agency ${'abcde'[i % 5]}`]);
  const { fields, primaryKey } = proposed(['permit_no', 'agency'], records);
  expect([primaryKey, fields.find((field) => field.main)?.name]).toEqual([
    'permit_no',
    'permit_no',
  ]);
});

test.each<[string, readonly string[], readonly (readonly string[])[], boolean]>([
  [
    'degrees',
    ['X', 'Y'],
    [
      ['-76.6112', '39.2901'],
      ['-76.6200', '39.3005'],
    ],
    true,
  ],
  ['degrees of other headers', ['POINT_X', 'POINT_Y'], [['-76.6112', '39.2901']], true],
  [
    'metres',
    ['x', 'y'],
    [
      ['433123.123', '5812345.123'],
      ['-76.6112', '39.2901'],
    ],
    false,
  ],
  [
    'squares of a board',
    ['x', 'y'],
    [
      ['1', '2'],
      ['3', '4'],
    ],
    false,
  ],
])('X and Y are places if they are %s', (_, headers, records, isMap) => {
  const { geometry, notes } = proposed(headers, records);
  const [longitude, latitude] = headers.map((header) => header.toLowerCase());
  expect(geometry).toEqual(isMap ? { kind: 'points', longitude, latitude } : undefined);
  const told = notes.filter((note) => !note.startsWith('no map of x and y: coordinates of a proj'));
  expect(told).toEqual([]);
});

test('no two fields have one title', () => {
  const { fields } = proposed(['Name', 'NAME', 'name_2', 'Name 2'], [['a', 'b', 'c', 'd']]);
  expect(fields.map(({ title }) => title)).toEqual(['Name', 'NAME 2', 'Name 2 2', 'Name 2 3']);
});

test('a header has words, however they are joined', () => {
  expect(['PermitNo', 'permit_no', 'PERMIT NO', 'permit-no.'].map(wordsOf)).toEqual(
    Array.from({ length: 4 }, () => ['permit', 'no']),
  );
});

describe('whole numbers of equal digits', () => {
  const COUNTS = Array.from({ length: 36 }, (_, i) => [
    `20${10 + Math.floor(i / 12)}-${String(1 + (i % 12)).padStart(2, '0')}-01`,
    `${135_000 + 17 * i}`,
    `${8000 + (i % 30)}`,
    `${40_100 + (i % 4)}`,
  ]);
  const labelsOf = (header: readonly string[], rows: readonly (readonly string[])[]) =>
    proposed(header, rows).fields.map(({ label }) => label);

  test('are measures beside a time that tells the rows apart, unless each is repeated', () => {
    expect(labelsOf(['month', 'nonfarm', 'building', 'depot'], COUNTS)).toEqual([
      ...[undefined, undefined, undefined, true],
    ]);
  });

  test.each([
    [
      'months',
      'month',
      (i: number) => `20${10 + Math.floor(i / 12)}-${String(1 + (i % 12)).padStart(2, '0')}`,
    ],
    ['years', 'year', (i: number) => `${1980 + i}`],
  ])('are measures beside %s', (_, header, cell) => {
    const rows = COUNTS.map(([, ...row], i) => [cell(i), ...row]);
    expect(labelsOf([header, 'nonfarm'], rows)).toEqual([undefined, undefined]);
  });

  test('are labels if they alone tell the rows apart, or the header is of ids', () => {
    const rows = COUNTS.map(([, ...row]) => ['x', ...row]);
    expect(labelsOf(['kind', 'nonfarm', 'parcel', 'depot'], rows)).toEqual([
      ...[undefined, true, true, true],
    ]);
    expect(labelsOf(['kind', 'nonfarm', 'building', 'depot'], rows)[2]).toBeUndefined();
    const blank = [['x', '', '8001', '40100'], ...rows];
    expect(labelsOf(['kind', 'nonfarm', 'epoch', 'depot'], blank)).toEqual([
      ...[undefined, true, true, true],
    ]);
  });
});
