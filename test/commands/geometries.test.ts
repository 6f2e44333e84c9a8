import { beforeAll, describe, expect, test } from '@jest/globals';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { OwnBlocks } from './own-blocks.ts';

let blocks: OwnBlocks;
beforeAll(async () => {
  blocks = await OwnBlocks.inNewFolder();
});

type Properties = Readonly<Record<string, unknown>>;

const pointAt = (coordinates: readonly number[]) => ({ type: 'Point', coordinates });

const collection = (features: readonly (readonly [geometry: object, properties: Properties])[]) =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: features.map(([geometry, properties], i) => {
      return { type: 'Feature', properties: { name: `n${i}`, ...properties }, geometry };
    }),
  });

/** Adds a file of features, and returns what add said and where each row is. */
async function added(name: string, content: string, ...options: string[]) {
  const path = await blocks.file(`${name}.geojson`, content);
  const { code, out, err } = await blocks.run('add', path, ...options);
  if (code !== 0) return { out, err, places: [] };
  const { geometry } = blocks.blockFile(name);
  const places = (await blocks.rows(name)).map((row) => [
    row[`${geometry?.longitude}`],
    row[`${geometry?.latitude}`],
  ]);
  return { out, err, places };
}

describe('the geometry is the place', () => {
  test.each([
    ['rounded', 'latitude', 'longitude', [47, 8], [47.1, 8.2]],
    ['cut', 'lat', 'lon', [47.12, 8.12], [47.15, 8.25]],
    ['texts', 'Lat', 'Lng', ['47.123', '8.123'], ['47.151', '8.251']],
  ])('beside attributes that say the same, %s, without a word', async (name, north, east, a, b) => {
    const content = collection([
      [pointAt([8.123456, 47.123456]), { [north]: a[0], [east]: a[1] }],
      [pointAt([8.2512, 47.1512]), { [north]: b[0], [east]: b[1] }],
    ]);
    const { out, places } = await added(name, content);
    expect(places).toEqual([
      [8.123456, 47.123456],
      [8.2512, 47.1512],
    ]);
    expect(out).not.toContain('another place');
  });

  test('and what attributes say of another place is told', async () => {
    const content = collection([
      [pointAt([8.12, 47.12]), { lat: 47.12, lon: 8.12 }],
      [pointAt([8.25, 47.15]), { lat: 0, lon: 0 }],
      [pointAt([8.35, 47.25]), { lat: 47.25, lon: 9.35 }],
      [pointAt([180, 47.25]), { lat: 47.25, lon: -180 }],
    ]);
    const { out, places } = await added('elsewhere', content);
    expect(places[1]).toEqual([8.25, 47.15]);
    expect(out).toContain(
      "lat and lon say another place than the geometry in 2 of 4 rows, first 0, 0 in feature 2, where the geometry has 47.15, 8.25; the map has the geometry's",
    );
  });

  test('beside a single attribute, whatever that says', async () => {
    const { out, places } = await added('lat', collection([[pointAt([8.12, 47.12]), { lat: 1 }]]));
    expect(places).toEqual([[8.12, 47.12]]);
    expect(out).not.toContain('another place');
  });

  test('unless there is none', async () => {
    const content = collection([[null as unknown as object, { lat: 47.12, lon: 8.12 }]]);
    expect((await added('none', content)).places).toEqual([[8.12, 47.12]]);
  });
});

describe('positions with the latitude first', () => {
  const vancouver = collection([
    [pointAt([49.25, -123.125]), {}],
    [pointAt([49.5, -122.5]), {}],
  ]);

  test('are asked about if all are on the map only so, and --axis-order is the answer', async () => {
    const { err } = await added('asked', vancouver);
    expect(err).toContain(
      'asked.geojson, feature 1: the position 49.25, -123.125 is on no map; with the latitude first, all positions of the file are on one.\n  --axis-order lat-lon   each position is a latitude and a longitude\n  --axis-order lon-lat ',
    );
    for (const [name, option] of [
      ['yes', ['--yes']],
      ['said', ['--axis-order', 'lat-lon']],
    ] as const) {
      const { out, places } = await added(name, vancouver, ...option);
      expect(places).toEqual([
        [-123.125, 49.25],
        [-122.5, 49.5],
      ]);
      expect(out).toContain('each position is read as latitude, longitude');
      expect(out).toMatch(/The same again: .* --axis-order lat-lon/);
    }
    expect(blocks.blockFile('yes').dialect?.axisOrder).toBe('lat-lon');
    const later = await blocks.file('later.geojson', vancouver.replace('-122.5', '-122.75'));
    expect((await blocks.run('check', 'yes', later)).out).toContain(
      'first added: "n1", -122.75, 49.5 in feature 2',
    );
  });

  test('stay faulty if the longitude is first', async () => {
    const { err } = await added('faulty', vancouver, '--axis-order', 'lon-lat');
    expect(err).toMatch(/the position 49.25, -123.125 is on no map; a latitude stands before its/);
  });

  test('in lines and areas, and where only some are on no map', async () => {
    const ring = [
      [49, 120],
      [50, 120],
      [50, 122],
      [49, 120],
    ];
    const content = collection([
      [{ type: 'Polygon', coordinates: [ring] }, {}],
      [pointAt([40, -74]), {}],
      [{ type: 'GeometryCollection', geometries: [pointAt([51.5, -0.5])] }, {}],
    ]);
    const { places } = await added('shapes', content, '--yes');
    expect(places.slice(1)).toEqual([
      [-74, 40],
      [-0.5, 51.5],
    ]);
    expect(places[0]).toEqual([120.5, 49.5]);
  });

  test('are not supposed for one position among many', async () => {
    const many = Array.from({ length: 20 }, (_, i) => [pointAt([8, 47 + i / 100]), {}] as const);
    const { err, out } = await added('typo', collection([...many, [pointAt([8, 147]), {}]]));
    expect(err + out).toContain('a latitude stands before its longitude');
    expect(err + out).not.toContain('--axis-order');
  });
});

describe('GeoParquet with the latitude first', () => {
  const parquet = (columns: Readonly<Record<string, readonly unknown[]>>) =>
    new Uint8Array(
      parquetWriteBuffer({
        columnData: Object.entries(columns).map(([name, data]) => ({
          name,
          data: [...data],
          type: name === 'geometry' ? ('GEOMETRY' as const) : ('STRING' as const),
        })),
      }),
    );
  const name = ['a', 'b'];
  const geometry = [pointAt([49.25, -123.125]), pointAt([49.5, -122.5])];

  test('is refused with the option that reads it', async () => {
    const path = await blocks.file('first.parquet', parquet({ name, geometry }));
    const { err } = await blocks.run('add', path);
    expect(err).toContain(
      'the position 49.25, -123.125 is on no map; a latitude stands before its longitude; if all do: --axis-order lat-lon\n',
    );
    const { out } = await blocks.run('add', path, '--axis-order', 'lat-lon', '--name', 'parquet');
    expect(out).toContain('each position is read as latitude, longitude');
    expect(await blocks.rows('parquet')).toMatchObject([
      { name: 'a', longitude: -123.125, latitude: 49.25 },
      { name: 'b', longitude: -122.5, latitude: 49.5 },
    ]);
  });

  test('is read as it is with lon-lat, and a file without shapes has no order', async () => {
    const east = [pointAt([8.5, 47.25]), pointAt([8.25, 47.5])];
    const path = await blocks.file('east.parquet', parquet({ name, geometry: east }));
    await blocks.run('add', path, '--axis-order', 'lon-lat');
    expect((await blocks.rows('east'))[0]).toMatchObject({ longitude: 8.5, latitude: 47.25 });
    const plain = await blocks.file('plain.parquet', parquet({ name }));
    const { err } = await blocks.run('add', plain, '--axis-order', 'lat-lon');
    expect(err).toContain(
      '--axis-order is given, and no column of the file has shapes; leave it out',
    );
  });
});

test('--axis-order is refused for another format', async () => {
  const path = await blocks.file('f.csv', 'a,b\n1,2\n');
  const { err } = await blocks.run('add', path, '--axis-order', 'lat-lon');
  expect(err).toContain('--axis-order is given, and CSV has no such');
});
