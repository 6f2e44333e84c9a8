import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ColumnMetaData, SchemaElement } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { cellWriterOf, ParquetPages } from '../../src/files/parquet/parquet-pages.ts';
import { readParquet } from '../../src/files/parquet/read-parquet.ts';
import { ROOT } from '../support/service.ts';

const fixture = (name: string) => path.join(ROOT, `test/fixtures/tables/${name}.parquet`);

const read = async (file: string) => {
  const table = await readParquet(file, 'f.parquet');
  const rows: (readonly string[])[] = [];
  for await (const { cells, line } of table.records) {
    expect(line).toBe(rows.length + 1);
    rows.push(cells);
  }
  const columns = table.headers.map((header, i) => [header, rows.map((cells) => cells[i])]);
  return { columns: Object.fromEntries(columns), notes: table.notes };
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blockyard-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** What is made of a file with these bytes. */
async function inFile<T>(bytes: Uint8Array, use: (file: string) => Promise<T>): Promise<T> {
  const file = path.join(folder, 'f.parquet');
  await writeFile(file, bytes);
  return use(file);
}

const COLUMNS = {
  text: ['Ä 😀', '', '', '007'],
  bytes: ['a', 'b', '', 'd'],
  int64: ['9223372036854775807', '-9223372036854775808', '', '0'],
  uint64: ['18446744073709551615', '1', '', '0'],
  uint32: ['4294967295', '1', '', '0'],
  int8: ['-128', '127', '', '0'],
  double: ['0.1', `1${'0'.repeat(300)}`, '', '0'],
  float: ['0.1', '16777216', '', `34028235${'0'.repeat(31)}`],
  half: ['0.5', '-2', '', '65504'],
  money: ['1.10', '-0.05', '', '12345678.90'],
  large: ['9'.repeat(50), '-1', '', '0'],
  bool: ['true', 'false', '', 'true'],
  date: ['1582-10-04', '9999-12-31', '', '1970-01-01'],
  utc: ['2020-02-29T13:05:07.12Z', '1969-12-31T23:59:59.999999Z', '', '1970-01-01T00:00:00Z'],
  local: [
    '2020-02-29T13:05:07.123456789',
    '1969-12-31T23:59:59.999999999',
    '',
    '1970-01-01T00:00:00',
  ],
  seconds: ['2020-02-29T13:05:07', '1969-12-31T23:59:59.999', '', '1970-01-01T00:00:00'],
  time: ['23:59:59.5', '00:00:00', '', '08:30:00'],
  category: ['x', 'y', '', 'x'],
  uuid: [
    '00000000-0000-0000-0000-000000000001',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '',
    '00000000-0000-0000-0000-000000000000',
  ],
  nothing: ['', '', '', ''],
  required: ['1', '2', '3', '4'],
};

describe('GeoParquet', () => {
  test('gives a point for each shape of its column, with all digits', async () => {
    expect(await read(fixture('geo'))).toEqual({
      columns: {
        name: ['a', 'b', 'c', 'd', 'e'],
        longitude: ['-73.98765432101234', '8.5417', '2', '', ''],
        latitude: ['40.67888888888889', '47.3769', '1', '', ''],
      },
      notes: [
        'Polygon: a point that stands for each',
        'left out columns of lists, structs or shapes: outline, bbox',
      ],
    });
  });

  test.each([
    ['geo-feet', 'column geometry: its coordinates are in EPSG:2263; make WGS 84 of it: ogr2ogr'],
    ['geo-arrow', 'column geometry: its shapes are written as point; write them as WKB'],
  ])('is refused, if it is %s', async (name, reason) => {
    await expect(read(fixture(name))).rejects.toThrow(`f.parquet, ${reason}`);
  });

  /** Reads the cells of a file with one shape, in Well-Known Binary (OGC 06-103r4). */
  const shapeCells = async (bytes: readonly number[]) => {
    const columns = { shape: { encoding: 'WKB', geometry_types: ['Point'] } };
    const geo = { version: '1.1.0', primary_column: 'shape', columns };
    const file = parquetWriteBuffer({
      columnData: [{ name: 'shape', data: [Uint8Array.from(bytes)], type: 'BYTE_ARRAY' }],
      kvMetadata: [{ key: 'geo', value: JSON.stringify(geo) }],
    });
    return inFile(new Uint8Array(file), async (at) => (await read(at)).columns);
  };

  test.each([
    ['cut off', [1, 1, 0, 0, 0, 0, 0], 'a shape that is no WKB of points, lines or areas'],
    ['of an unknown type', [1, 17, 0, 0, 0], 'a shape that is no WKB of points, lines or areas'],
    ['of more points than it has bytes', [1, 2, 0, 0, 0, 255, 255, 255, 255], 'a shape that is no'],
    [
      'of collections in each other',
      Array.from({ length: 90_000 }, (_, i) => [1, 7, 0, 0, 0, 1, 0, 0, 0][i % 9] as number),
      'a shape that is no WKB of points, lines or areas',
    ],
    [
      'in metres',
      [1, 1, 0, 0, 0, ...Buffer.from(new Float64Array([950_000.5, 200_000]).buffer)],
      'the position 950000.5, 200000 is not in degrees; coordinates of a projection',
    ],
  ])('a shape %s is refused', async (_, bytes, reason) => {
    await expect(shapeCells(bytes)).rejects.toThrow(reason);
  });

  test('a collection has the middle one of its points', async () => {
    const point = (x: number) => [1, 1, 0, 0, 0, ...Buffer.from(new Float64Array([x, 5]).buffer)];
    const inner = [1, 7, 0, 0, 0, 1, 0, 0, 0, ...point(2)];
    const all = [1, 7, 0, 0, 0, 3, 0, 0, 0, ...point(1), ...inner, ...point(3)];
    expect(await shapeCells(all)).toEqual({ longitude: ['2'], latitude: ['5'] });
    const empty = [1, 7, 0, 0, 0, 0, 0, 0, 0];
    expect(await shapeCells(empty)).toEqual({ longitude: [''], latitude: [''] });
  });
});

describe('files that pyarrow wrote: every type keeps its digits', () => {
  test.each(['snappy', 'zstd-v2'])('%s', async (name) => {
    const { columns, notes } = await read(fixture(name));
    expect(columns).toEqual(COLUMNS);
    expect(notes).toEqual(['left out columns of lists, structs or shapes: list, struct']);
  });

  test('gzip, with times in microseconds', async () => {
    const local = ['2020-02-29T13:05:07.123456', '1970-01-01T00:00:00', '', '1970-01-01T00:00:00'];
    expect((await read(fixture('gzip'))).columns).toEqual({ ...COLUMNS, local });
  });

  test('deltas and split bytes, packed with brotli', async () => {
    const { text, int64, required } = COLUMNS;
    expect((await read(fixture('delta-brotli'))).columns).toEqual({ text, int64, required });
  });

  test.each(['lz4', 'delta-byte-array'])('%s', async (name) => {
    expect((await read(fixture(name))).columns).toEqual({ text: COLUMNS.text });
  });

  test('times of 96 bits, unpacked', async () => {
    const { text, local } = COLUMNS;
    expect((await read(fixture('int96'))).columns).toEqual({ text, local });
  });

  test.each([
    ['twice', 'f.parquet, column a: two columns have this name'],
    ['binary', 'f.parquet, line 1, column a: bytes that are no text in UTF-8'],
  ])('%s is refused', async (name, message) => {
    await expect(read(fixture(name))).rejects.toThrow(message);
  });
});

describe('a cell', () => {
  const write = (element: Partial<SchemaElement>, value: unknown) => {
    const writer = cellWriterOf({ name: 'a', ...element });
    return typeof writer === 'string' ? writer : writer(value as never);
  };

  test('of a float is the shortest decimal that reads back as it', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = write({ type: 'FLOAT' }, value);
        expect(Math.fround(Number(text))).toBe(value === 0 ? 0 : value);
        expect(text.replace(/^-?[0.]*|0*$/g, '').replace('.', '').length).toBeLessThan(10);
      }),
      { seed: 14, numRuns: 1000 },
    );
  });

  test('of a decimal has the digits of its whole number', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        fc.nat(18),
        (whole, scale) => {
          const bytes = Buffer.alloc(8);
          bytes.writeBigInt64BE(whole);
          const text = write(
            { type: 'FIXED_LEN_BYTE_ARRAY', converted_type: 'DECIMAL', scale },
            bytes,
          );
          expect(BigInt(text.replace('.', ''))).toBe(whole);
          expect(text.split('.')[1]?.length ?? 0).toBe(scale);
          expect(text).not.toMatch(/^-?0\d/);
          const same = write({ type: 'INT64', converted_type: 'DECIMAL', scale }, whole);
          expect(same).toBe(text);
        },
      ),
      { seed: 14 },
    );
  });

  test('of an older file means UTC', () => {
    expect(write({ type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' }, -1n)).toBe(
      '1969-12-31T23:59:59.999Z',
    );
    expect(write({ type: 'INT64', converted_type: 'TIMESTAMP_MICROS' }, 1n)).toBe(
      '1970-01-01T00:00:00.000001Z',
    );
    expect(write({ type: 'INT32', converted_type: 'TIME_MILLIS' }, 1001)).toBe('00:00:01.001');
    expect(write({ type: 'INT64', converted_type: 'TIME_MICROS' }, 1n)).toBe('00:00:00.000001');
  });

  test('that is no value of a table is refused by its column', () => {
    expect(write({ converted_type: 'INTERVAL' }, 0)).toBe('it holds intervals');
    expect(write({ converted_type: 'BSON' }, 0)).toBe('it holds BSON');
    expect(write({ type: 'DOUBLE' }, Number.NaN)).toBe('NaN');
  });
});

describe('a hostile file', () => {
  const readBytes = (bytes: Uint8Array) => inFile(bytes, read);

  test.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, -5), 'its end is missing; is it cut off?'],
    ['encrypted', (bytes: Buffer) => bytes.fill('PARE', bytes.length - 4), 'it is encrypted'],
    ['of four bytes', () => Buffer.from('PAR1'), 'its end is missing'],
    ['empty', () => Buffer.alloc(0), 'its end is missing'],
  ])('%s is refused in one line', async (_, change, message) => {
    const bytes = await readFile(fixture('snappy'));
    await expect(readBytes(change(bytes))).rejects.toThrow(message);
  });

  test('with any byte changed is read, or refused in one line', async () => {
    const files = await Promise.all(
      ['snappy', 'zstd-v2', 'gzip', 'delta-brotli', 'lz4', 'delta-byte-array'].map((name) =>
        readFile(fixture(name)),
      ),
    );
    const change = fc.record({
      at: fc.double({ min: 0, max: 0.9999, noNaN: true }),
      byte: fc.nat(255),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        async (bytes, changes) => {
          const changed = Buffer.from(bytes);
          for (const { at, byte } of changes) changed[Math.floor(at * bytes.length)] = byte;
          try {
            await readBytes(changed);
          } catch (error) {
            expect(String(error)).toMatch(/^Error: f\.parquet[^\n]+$/);
          }
        },
      ),
      { seed: 14, numRuns: 200 },
    );
  });

  const varInt = (value: number) => {
    const parts: number[] = [];
    for (let rest = value; ; rest = Math.floor(rest / 128)) {
      if (rest < 128) return [...parts, rest];
      parts.push((rest % 128) + 128);
    }
  };
  const number = (value: number) => varInt(value * 2);

  /** A page of these bytes, in a nullable column of 32-bit numbers, or of texts by their beginnings. */
  const page = (
    values: number,
    bytes: readonly number[],
    declared = bytes.length,
    { type, encoding } = { type: 'INT32', encoding: 8 },
  ) => {
    // Thrift's compact form: type, sizes, then values and three encodings (dictionary, RLE, RLE).
    const header = [0x15, 0, 0x15, ...number(declared), 0x15, ...number(bytes.length), 0x2c];
    const data = [
      0x15,
      ...number(values),
      0x15,
      ...number(encoding),
      0x15,
      ...number(3),
      0x15,
      ...number(3),
      0,
      0,
    ];
    const file = Uint8Array.from([...header, ...data, ...bytes]);
    const element = { name: 'a', type, repetition_type: 'OPTIONAL' } as SchemaElement;
    const metadata = {
      type,
      codec: declared === bytes.length ? 'UNCOMPRESSED' : 'SNAPPY',
      path_in_schema: ['a'],
      data_page_offset: 0n,
      total_compressed_size: BigInt(file.length),
    };
    return new ParquetPages(
      async (start, end) => file.slice(start, end),
      metadata as unknown as ColumnMetaData,
      element,
      String,
      { bytes: 0 },
    );
  };
  const LEVELS = [2, 0, 0, 0, 4, 0, 0];

  test('of two nulls is what the next ones change', async () => {
    const pages = page(2, LEVELS);
    await pages.next();
    expect(pages.cells).toEqual(['', '']);
    await expect(pages.next()).rejects.toThrow('it has fewer values than rows');
  });

  test.each([
    ['a run of 2 billion levels', page(2, [6, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0x0f, 1])],
    ['a run of 2 billion numbers', page(2, [2, 0, 0, 0, 4, 1, 1, 0xfe, 0xff, 0xff, 0xff, 0x0f, 1])],
    ['bits of 8 billion numbers', page(2, [2, 0, 0, 0, 4, 1, 1, 0xff, 0xff, 0xff, 0xff, 0x0f, 1])],
  ])('declares %s', async (_, pages) => {
    await expect(pages.next()).rejects.toThrow('a run is too long');
  });

  test('repeats the beginnings of values until they take more than is held', async () => {
    const values = 1500;
    const levels = [...varInt(values * 2), 1];
    // Each begins with 1,000 bytes more of the one before; a block of 128 has four parts.
    const blocks = Array.from({ length: Math.ceil(values / 128) }, () => [
      ...number(1000),
      0,
      0,
      0,
      0,
    ]);
    const prefixes = [...varInt(128), 4, ...varInt(values), 0, ...blocks.flat()];
    const bytes = [levels.length, 0, 0, 0, ...levels, ...prefixes];
    const pages = page(values, bytes, undefined, { type: 'BYTE_ARRAY', encoding: 7 });
    await expect(pages.next()).rejects.toThrow(
      'its pages take over 512 MiB at once, so write the file with smaller pages',
    );
  });

  test('declares many values, or many bytes', async () => {
    await expect(page(6_000_000, LEVELS).next()).rejects.toThrow(
      'a page of 6,000,000 values; at most 5,000,000 are read, so write the file with smaller pages',
    );
    await expect(page(2, LEVELS, 600_000_000).next()).rejects.toThrow(
      'its pages take over 512 MiB at once, so write the file with smaller pages',
    );
  });
});
