import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { parseLocation, toRows } from '../../functions/business-directory/rows.ts';
import { openCsv, readCsvRows } from '../../src/files/csv/named-rows.ts';
import type { MadeRows } from '../../src/import/seed-files.ts';
import { type ImportedDataset, importDataset } from '../support/datasets.ts';
import { keyRow } from '../support/key-row.ts';
import { ROOT } from '../support/service.ts';
import { shippedBlock } from '../support/shipped-blocks.ts';

const { block, dataset } = await shippedBlock('business-directory');
const SEED_DATA = path.join(ROOT, 'seed-data');
const FIXTURE = path.join(ROOT, 'test/fixtures/union_square_businesses_sample.csv');

const read = async (text: string | Buffer): Promise<MadeRows> => {
  const file = await openCsv(() => [Buffer.from(text as string)], 'f.csv');
  return toRows(await readCsvRows(file), 'f.csv');
};
const sample = await read(readFileSync(FIXTURE));

describe('the 120 active Brooklyn rows', () => {
  const text = readFileSync(path.join(SEED_DATA, dataset.file), 'utf8');
  const source = parse(text, { columns: true }) as Record<string, string>[];
  let imported: ImportedDataset;
  beforeAll(async () => {
    imported = await importDataset(block, dataset, SEED_DATA);
  });

  test("are what ships, all of them active, in the file's order", () => {
    expect(source).toHaveLength(120);
    expect(new Set(source.map((row) => row.license_status))).toEqual(new Set(['Active']));
    expect(Array.from(imported.rows, ({ values }) => values.business)).toEqual(
      source.map(({ business }) => business),
    );
  });

  test('are, cell by cell, what the file says', () => {
    for (const [i, { values }] of [...imported.rows].entries()) {
      const row = source[i] as Record<string, string>;
      const [street, city, coordinates] = (row.location_1 as string).split('\n');
      expect(values).toEqual({
        business: row.business,
        category: row.category || null,
        city_state: row.city_state || null,
        location_1_city: city?.split(', ')[0],
        location_1_location: street?.trim(),
        location_1_state: city?.slice(-8, -6),
        location_1_zip: city?.slice(-5),
        phone_number: row.phone_number || null,
        type_of_business: row.type_of_business || null,
        parsed_address: row.parsed_address ? Number(row.parsed_address) : null,
        zip_code: 11231,
        latitude: Number(coordinates?.slice(1).split(', ')[0]),
        longitude: Number(coordinates?.slice(0, -1).split(', ')[1]),
      });
      expect(values.location_1_zip).toBe('11231');
    }
  });

  test('report the one without an all-digit house number', () => {
    const without = source.filter((row) => !/^\d+$/.test(row.parsed_address as string));
    expect(without).toHaveLength(1);
    expect(imported.notes).toEqual([
      expect.stringMatching(/^no all-digit house number: line \d+ \(blank\)$/),
    ]);
  });

  const socrata = text.replace(
    /^.*\n/,
    'City/State,Category,Type of Business,Business,Location 1,Phone Number,Zip Code,Parsed Address,License Status\n',
  );
  test.each([
    ["Socrata's spelling of the headers", socrata],
    ['CRLF', text.replaceAll('\n', '\r\n')],
    ['CRLF between rows alone', text.replace(/\n(?="Brooklyn, NY",)/g, '\r\n')],
    ['a byte order mark', `\ufeff${text}`],
    ['blank lines', text.replace(/\n(?="Brooklyn, NY",)/g, '\n\n')],
    ['no line end behind the last row', text.trimEnd()],
    [
      'headers in capitals, with spaces',
      text.replace(/^.*\n/, (header) => header.toUpperCase().replaceAll(',', ' , ')),
    ],
  ])('are the same from a file with %s', async (_, other) => {
    expect(other).not.toBe(text);
    expect((await read(other)).rows).toEqual(Array.from(imported.rows, ({ values }) => values));
  });
});

describe("the Union Square sample, with the original dataset's headers", () => {
  const { rows, notes } = sample;

  test('gives 10 rows, without a place where Location 1 is blank', () => {
    expect(rows).toHaveLength(10);
    for (const row of rows) {
      expect(row).toMatchObject({
        city_state: 'New York, NY',
        location_1_city: null,
        location_1_location: null,
        location_1_state: null,
        location_1_zip: null,
        latitude: null,
        longitude: null,
      });
    }
    expect(rows.map((row) => row.zip_code)).toEqual([...Array(9).fill(10003), 10011]);
  });

  test('leaves blank cells null, and says where a house number is missing', () => {
    expect(rows.slice(0, 3)).toMatchObject([
      { business: 'Greenmarket', phone_number: '212-788-7476', parsed_address: null },
      { business: 'Alpine Cleaners and Tailors', phone_number: null, parsed_address: null },
      { business: 'Bar None', phone_number: '212-777-6663', parsed_address: 98 },
    ]);
    expect(notes).toEqual(['no all-digit house number: line 2 (blank), line 3 (blank)']);
  });

  test('holds every field of the block, and no other', () => {
    for (const row of rows) {
      expect(Object.keys(row)).toEqual(block.fields.map(({ name }) => name));
    }
  });
});

describe('the cells of a row', () => {
  const HEADER =
    'business,category,city_state,location_1,phone_number,type_of_business,zip_code,parsed_address';
  const row = (cells: Partial<Record<string, string>>) =>
    HEADER.split(',')
      .map((column) => `"${(cells[column] ?? '').replaceAll('"', '""')}"`)
      .join(',');
  // A row without any value is left out.
  const one = (cells: Partial<Record<string, string>>) =>
    read(`${HEADER}\n${row({ category: 'Garage', ...cells })}\n`);

  test.each([
    ['12', 12],
    ['0012', 12],
    ['12-14', null],
    ['12A', null],
    ['12 1/2', null],
    ['-12', null],
    ['12.5', null],
    ['１２', null],
    ['', null],
  ])('a house number %j is %j', async (parsed_address, expected) => {
    const { rows, notes } = await one({ parsed_address });
    expect(rows[0]?.parsed_address).toBe(expected);
    expect(notes).toEqual(
      expected === null ? [`no all-digit house number: line 2 (${parsed_address || 'blank'})`] : [],
    );
  });

  test('many odd house numbers are reported in one line', async () => {
    const { notes } = await read(
      [HEADER, ...Array.from({ length: 8 }, () => row({ parsed_address: '1-2' }))].join('\n'),
    );
    expect(notes).toEqual([
      'no all-digit house number: line 2 (1-2), line 3 (1-2), line 4 (1-2), line 5 (1-2), line 6 (1-2), …',
    ]);
  });

  test('a zip in a text keeps its zero; one that is a number is a number', async () => {
    const { rows } = await one({ location_1: '1 MAIN ST\nNEWARK, NJ 07001', zip_code: '07001' });
    expect(rows[0]).toMatchObject({ location_1_zip: '07001', zip_code: 7001 });
  });

  test('quotes and newlines in a name are kept, white space around it is not', async () => {
    const { rows } = await one({ business: ' Joe "The Fish"\nand sons ' });
    expect(rows[0]?.business).toBe('Joe "The Fish"\nand sons');
  });

  test('white space alone is blank', async () => {
    const { rows } = await one({ business: ' \t', phone_number: '\n' });
    expect(rows[0]).toMatchObject({ business: null, phone_number: null });
  });

  test('a text that folds to nothing has no key, so no filter finds it', async () => {
    const values = { ...(await one({})).rows[0], business: '\u200b' };
    expect(keyRow(block.fields, values).keys).not.toHaveProperty('business');
  });

  test.each([
    ['a zip code that is none', { zip_code: '1x231' }, 'line 2, column zip_code: "1x231" is not'],
    [
      'a location of unknown lines',
      { location_1: 'A\nB\nC' },
      'line 2, column location_1: "C" is neither "CITY, ST 12345" nor "(lat, lon)"',
    ],
    [
      'coordinates off the globe',
      { location_1: '(91, 0)' },
      'line 2, column location_1: coordinates off the globe',
    ],
  ])('%s is refused, with its place', async (_, cells, expected) => {
    await expect(one(cells)).rejects.toThrow(`f.csv, ${expected}`);
  });

  test('a missing column is named, with those that are there', async () => {
    await expect(read('business,location_1\nA,\n')).rejects.toThrow(
      'f.csv, line 1, column parsed_address: the header has no such column; it has business, location_1',
    );
  });
});

describe('a Location cell', () => {
  const NOTHING = {
    street: null,
    city: null,
    state: null,
    zip: null,
    latitude: null,
    longitude: null,
  };

  test.each<[string, string | null, Partial<ReturnType<typeof parseLocation>>]>([
    [
      'of three lines',
      '442 COURT ST\nBROOKLYN, NY 11231\n(40.678933, -73.997563)',
      {
        street: '442 COURT ST',
        city: 'BROOKLYN',
        state: 'NY',
        zip: '11231',
        latitude: 40.678933,
        longitude: -73.997563,
      },
    ],
    [
      'with CRLF, and spaces around its lines',
      ' 1 A ST \r\n NEW YORK, NY 10003-1234 \r\n(40,-73) ',
      {
        street: '1 A ST',
        city: 'NEW YORK',
        state: 'NY',
        zip: '10003-1234',
        latitude: 40,
        longitude: -73,
      },
    ],
    [
      'without coordinates',
      '1 A ST\nTROY, NY 12180',
      { street: '1 A ST', city: 'TROY', state: 'NY', zip: '12180' },
    ],
    ['without a zip', '1 A ST\nTROY, NY', { street: '1 A ST', city: 'TROY', state: 'NY' }],
    ['of a street alone', '1 A ST', { street: '1 A ST' }],
    ['of a city alone', 'TROY, NY 12180', { city: 'TROY', state: 'NY', zip: '12180' }],
    ['of coordinates alone', '(-33.5, 151)', { latitude: -33.5, longitude: 151 }],
    ['of coordinates at the zero point', '(0, 0)', { latitude: 0, longitude: 0 }],
    ['with a blank line', '1 A ST\n\n(1, 2)', { street: '1 A ST', latitude: 1, longitude: 2 }],
    ['that is blank', null, {}],
  ])('%s', (_, cell, expected) => {
    expect(parseLocation(cell, 'f.csv', 2)).toEqual({ ...NOTHING, ...expected });
  });
});
