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
