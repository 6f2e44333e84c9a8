import { beforeAll, describe, expect, test } from '@jest/globals';
import { OwnBlocks } from './own-blocks.ts';

let blocks: OwnBlocks;
beforeAll(async () => {
  blocks = await OwnBlocks.inNewFolder();
});

const fileOf = (cells: readonly string[]) =>
  ['name,where', ...cells.map((cell, i) => `n${i},"${cell}"`), ''].join('\n');

/** What add says of a column of such cells, and the block that it writes. */
async function added(name: string, cells: readonly string[]) {
  const path = await blocks.file(`${name}.csv`, fileOf(cells));
  const { code, out, err } = await blocks.run('add', path, '--yes');
  expect([code, err]).toEqual([0, '']);
  return { out, block: blocks.blockFile(name) };
}

describe('points in a column of texts', () => {
  test('are places, in WKT and EWKT of any case, and blank where there is none', async () => {
    const { out, block } = await added('places', [
      'POINT(-76.61 39.29)',
      'SRID=4326;Point ( -76.5  39 )',
      'point z (-76.4 39.5 12.5)',
      'POINT EMPTY',
      '',
    ]);
    expect(block.geometry).toEqual({
      ...{ kind: 'points', longitude: 'longitude', latitude: 'latitude' },
    });
    const places = (await blocks.rows('places')).map((row) => [row.longitude, row.latitude]);
    expect(places).toEqual([
      [-76.61, 39.29],
      [-76.5, 39],
      [-76.4, 39.5],
      ...[0, 1].map(() => [null, null]),
    ]);
    expect((await blocks.rows('places'))[0]?.where).toBe('POINT(-76.61 39.29)');
    expect(out).toContain('each point in "where" is read as longitude, latitude');
  });

  test('are read by check and refresh as block.json says', async () => {
    await added('again', ['POINT(8.5 47.1)', 'POINT(8.6 47.2)']);
    const next = await blocks.file('next.csv', fileOf(['POINT(8.5 47.1)', 'POINT(8.6 47.3)']));
    expect((await blocks.run('check', 'again', next)).out).toContain('8.6, 47.3 in line 3');
    const bad = await blocks.file('bad.csv', fileOf(['POINT(8.5 47.1)', 'Bern']));
    const { code, out, err } = await blocks.run('check', 'again', bad);
    expect(code).not.toBe(0);
    expect(out + err).toMatch(/line 3, column longitude: "Bern" is not a number/);
  });

  test('are read the other way round only where most are on no map else', async () => {
    const { out, block } = await added('swapped', ['POINT(39.1 -120)', 'POINT(39.2 -121)']);
    expect((await blocks.rows('swapped')).map((row) => [row.longitude, row.latitude])).toEqual([
      [-120, 39.1],
      [-121, 39.2],
    ]);
    expect(out).toContain('each point in "where" is read as latitude, longitude');
    expect(block.fields.map(({ point }) => point)).toEqual([
      undefined,
      undefined,
      'latitude',
      'longitude',
    ]);
  });

  test('are counted where they are on no map, and where a cell is none', async () => {
    const cells = Array.from({ length: 9 }, (_, i) => `POINT(8.5 47.${i})`);
    const { out } = await added('odd', [...cells, 'POINT(8.5 147)', 'at the lake']);
    expect(out).toContain('1 of 10 places is on no map, first 147, 8.5 in line 11');
    expect(out).toMatch(
      /longitude: 1 cell is blank, not a number: "at the lake" \(1, first in line 12\)/,
    );
    expect((await blocks.rows('odd')).at(-1)).toMatchObject({ longitude: null });
  });

  test.each([
    [
      'in another system',
      ['SRID=3857;POINT(950000 6000000)', 'POINT(8.5 47.1)'],
      '1 of 2 cells are points',
    ],
    [
      'in metres',
      ['POINT(950000 6000000)', 'POINT(950001 6000001)'],
      '2 of 2 places are on no map',
    ],
    ['beside numbers', [...Array(9).fill('POINT(8.5 47.1)'), '5'], '9 of 10 cells are points'],
  ])('stay texts %s, and add says why', async (name, cells, why) => {
    const { out, block } = await added(name.replaceAll(' ', '-'), cells);
    expect(block.geometry).toBeUndefined();
    expect(out).toContain(`no map of "where": ${why}`);
  });

  // The command is for people to copy: it holds no header that a shell would obey.
  test.each([
    ['where\nPOINT(950000 6000000)', '-oo GEOM_POSSIBLE_NAMES=where'],
    ['lat,lon\n6000000,950000', '-oo X_POSSIBLE_NAMES=lon -oo Y_POSSIBLE_NAMES=lat'],
    ['x,y\n950000,6000000', 'no map of x and y: coordinates of a projection'],
    ['lat $(reboot),lon $(reboot)\n6000000,950000', '-oo X_POSSIBLE_NAMES=<header>'],
    ['lat,lon\n47.5,188.5', '; longitudes go from -180 to 180: subtract 360 from those beyond'],
  ])('of a projection are told with what makes degrees of them: %j', async (content, told) => {
    const { out } = await (await OwnBlocks.inNewFolder()).run(
      'add',
      await blocks.file('far.csv', content),
      '--yes',
    );
    expect(out).toContain(told);
  });

  test('are left alone beside columns of degrees', async () => {
    const content = 'lat,lon,where\n47.1234,8.1234,POINT(1 2)\n47.1235,8.1235,POINT(1 3)\n';
    const { code } = await blocks.run('add', await blocks.file('both.csv', content), '--yes');
    expect(code).toBe(0);
    expect(blocks.blockFile('both').geometry).toMatchObject({ longitude: 'lon', latitude: 'lat' });
    expect(blocks.blockFile('both').fields).toHaveLength(3);
  });
});

describe('places that no standard writes', () => {
  const EWKB = '0101000020E6100000713D0AD7A3303240AE47E17A14AE4740';
  const forms: readonly [string, readonly string[], readonly number[]][] = [
    ['two numbers', ['47.3700, 8.5400', '47.38;8.5530', '(46.95 7.4)'], [8.54, 47.37]],
    ['no latitude first', ['139.69, 35.68', '-120.5, 35.1'], [139.69, 35.68]],
    ['degrees', ['47°22\'12"N 8°32\'24"E', '46° 57′ N, 7° 27′ E'], [8.54, 47.37]],
    ['directions before', ["S 33°51.5' W070°30.0'", "N 1°0' E 2°0'"], [-70.5, -33.858333333]],
    ['EWKB', [EWKB, EWKB.toLowerCase()], [18.19, 47.36]],
  ];

  const addForm = async (name: string, cells: readonly string[], ...options: string[]) => {
    const lines = cells.map((cell, i) => `n${i},"${cell.replaceAll('"', '""')}"`);
    const file = await blocks.file(`${name}.csv`, `${['name,where', ...lines].join('\n')}\n`);
    return blocks.run('add', file, ...options);
  };

  test.each(forms)('are told: %s, and are on a map by --places', async (form, cells, [x, y]) => {
    const name = `form-${form.replaceAll(' ', '-').toLowerCase()}`;
    const { out } = await addForm(name, cells);
    expect(out).toMatch(/no map of "where", whose cells may be places, .* --places where\n/);
    expect(blocks.blockFile(name).geometry).toBeUndefined();
    expect(await addForm(`${name}-2`, cells, '--places', 'where')).toMatchObject({ code: 0 });
    const [first] = await blocks.rows(`${name}-2`);
    expect([first?.longitude, first?.latitude, first?.where]).toEqual([x, y, cells[0]]);
    expect(blocks.blockFile(`${name}-2`).geometry).toMatchObject({ kind: 'points' });
  });

  test('a later file must write them as the first did', async () => {
    await addForm('first-file', ['POINT(8.5 47.1)', 'POINT(8.6 47.2)'], '--yes');
    await addForm('pairs', ['47.10, 8.50', '47.20, 8.60'], '--places', 'where');
    const pairs = await blocks.file('pair.csv', 'name,where\na,"47.30, 8.70"\n');
    expect((await blocks.run('check', 'pairs', pairs)).code).toBe(0);
    const { code, out, err } = await blocks.run('check', 'first-file', pairs);
    expect(code).not.toBe(0);
    expect(out + err).toMatch(/column longitude: "47.30, 8.70" is not a number/);
  });

  test.each([
    ['names', ['Bern', 'Basel']],
    ['two forms', ['47.37, 8.54', "47°22'N 8°32'E"]],
    ['minutes beyond 59', ["47°62'N 8°32'E", "47°22'N 8°72'E"]],
    ['an east that may be a west', ["47°22'N 8°32'O", "47°22'N 8°33'O"]],
    ['another reference system', [EWKB.replace('E6100000', '40710000'), '']],
  ])('but --places refuses %s', async (form, cells) => {
    const { code, err } = await addForm(`no-${form.length}`, cells, '--places', 'where');
    expect(code).not.toBe(0);
    expect(err).toMatch(/--places is given; .*where/);
  });

  test('sizes are none, and a file of geometries takes no --places', async () => {
    expect((await addForm('sizes', ['12 13', '1.5, 2.5'])).out).not.toContain('--places');
    const at = { type: 'Point', coordinates: [8, 47] };
    const features = [{ type: 'Feature', properties: { where: '47.37, 8.54' }, geometry: at }];
    const text = JSON.stringify({ type: 'FeatureCollection', features });
    const file = await blocks.file('g.geojson', text);
    const { err } = await blocks.run('add', file, '--places', 'where');
    expect(err).toContain('--places is given, and the file has geometries');
  });
});

describe('numbers below X and Y', () => {
  const geometryOf = async (name: string, header: string, rows: readonly string[]) => {
    const path = await blocks.file(`${name}.csv`, [header, ...rows, ''].join('\n'));
    expect((await blocks.run('add', path, '--yes')).code).toBe(0);
    return blocks.blockFile(name).geometry;
  };

  // None of them says so: on a map, they would be in the sea off Africa.
  test.each([
    ['a shape', 'x,y,z', ['-2.125,-1.125,3.5', '2.375,-1.125,2.5', '0.125,2.625,1.5']],
    ['a plot', 'id,x,y', ['a,-70.125,-61.125', 'b,66.375,-1.125', 'c,0.125,62.625']],
    [
      'two groups',
      'old X,old Y,new X,new Y',
      ['4.125,9.125,4.625,8.875', '5.125,8.125,6.625,7.875'],
    ],
  ])('are no places in %s', async (name, header, rows) => {
    expect(await geometryOf(name.replace(' ', '-'), header, rows)).toBeUndefined();
  });

  test.each([
    ['a city', 'X,Y', ['-76.6125,39.2875', '-76.5125,39.3125']],
    [
      'sights',
      'X coord,Y coord,Parking X coord,Parking Y coord',
      ['-76.6125,39.2875,-76.61,39.28'],
    ],
    ['the earth', 'X,Y', ['-157.8583,21.3069', '151.2093,-33.8688', '2.3522,48.8566']],
    [
      'Africa',
      'X,Y',
      ['-17.4677,14.7167', '18.4241,-33.9249', '45.3182,2.0469', '10.1815,36.8065'],
    ],
  ])('are the places of %s', async (name, header, rows) => {
    expect(await geometryOf(name.replace(' ', '-').toLowerCase(), header, rows)).toBeDefined();
  });

  test('are beside those of the US Census, whose headers have a year', async () => {
    const rows = ['1,43.8952354,-93.1234567', '2,44.1952354,-92.1234567'];
    expect(await geometryOf('census', 'GEOID10,INTPTLAT10,INTPTLON10', rows)).toMatchObject({
      ...{ longitude: 'intptlon10', latitude: 'intptlat10' },
    });
  });

  test.each([
    ['\u7def\u5ea6', '\u7d4c\u5ea6'],
    ['\u7eac\u5ea6', '\u7ecf\u5ea6'],
    ['\uc704\ub3c4', '\uacbd\ub3c4'],
    ['\u0428\u0438\u0440\u043e\u0442\u0430', '\u0414\u043e\u043b\u0433\u043e\u0442\u0430'],
    ['Latitudine', 'Longitudine'],
    ['Enlem', 'Boylam'],
  ])('are below %s and %s of other languages', async (latitude, longitude) => {
    const name = `words-${latitude.codePointAt(0)}`;
    const rows = ['1,37.372928,137.095077', '2,37.52991,137.356482'];
    expect(await geometryOf(name, `id,${latitude},${longitude}`, rows)).toBeDefined();
  });
});
