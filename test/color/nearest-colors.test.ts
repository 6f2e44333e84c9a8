import { describe, expect, test } from '@jest/globals';
import { ciede2000, type Rgb, srgbToLab } from '../../functions/rgb-to-color-name/ciede2000.ts';
import { indexColors, nearestColors } from '../../functions/rgb-to-color-name/color-index.ts';
import { disagreements, full, fullScan } from './disagreements.ts';
import { LIST_IDS, readList } from './named-lists.ts';
import { lightnessScan, plainScan } from './nearest-by-scan.ts';
import { REGIONS, randomColors, randomNumbers } from './random-colors.ts';

describe('nearestColors answers as a scan of the whole list does, to the last bit', () => {
  // `npm run fuzz` asks for 20,000, and for the 11 nearest of 2,000 of each region.
  test('the nearest of all names, for 500 random colours', () => {
    const colors = randomColors('all of sRGB', 500, 1);
    expect(disagreements(full.rgb, fullScan, colors, 1)).toEqual([]);
  });

  test.each(Object.keys(REGIONS))('the 11 nearest of all names, %s', (region) => {
    const colors = randomColors(region, 100, 275);
    expect(disagreements(full.rgb, fullScan, colors, 11)).toEqual([]);
  });

  test.each(Object.keys(REGIONS))('the nearest of all names, %s', (region) => {
    const colors = randomColors(region, 100, 34);
    expect(disagreements(full.rgb, fullScan, colors, 1)).toEqual([]);
  });

  test.each(Object.keys(REGIONS))('the 11 nearest of the best names, %s', (region) => {
    const { rgb } = readList('bestof');
    const colors = randomColors(region, 50, 1931);
    expect(disagreements(rgb, plainScan(rgb), colors, 11)).toEqual([]);
  });

  test('every count from 1 to 11, of the CSS colours', () => {
    const { rgb } = readList('css');
    const scan = plainScan(rgb);
    for (let count = 1; count <= 11; count++) {
      const colors = randomColors('all of sRGB', 200, count);
      expect(disagreements(rgb, scan, colors, count)).toEqual([]);
    }
  });

  test('lists of 1 to 40 random colours, many of them equal', () => {
    const below = randomNumbers(7);
    for (let size = 1; size <= 40; size++) {
      const rgb = Uint8Array.from({ length: 3 * size }, () => below(4) * 85);
      const colors = randomColors('all of sRGB', 40, size);
      expect(disagreements(rgb, plainScan(rgb), colors, 11)).toEqual([]);
    }
  });

  test('a list of greys only, asked for any colour', () => {
    const rgb = Uint8Array.from({ length: 3 * 256 }, (_, i) => Math.floor(i / 3));
    const colors = randomColors('all of sRGB', 500, 8);
    expect(disagreements(rgb, plainScan(rgb), colors, 11)).toEqual([]);
  });

  // Between greys the bound of a node is the distance itself, so a tie is lost if the two are
  // not told apart with care.
  test('a list of few greys, each many times, asked for greys', () => {
    const below = randomNumbers(9);
    const rgb = Uint8Array.from({ length: 400 }, () => below(4) * 80).reduce(
      (greys, level, i) => greys.fill(level, 3 * i, 3 * i + 3),
      new Uint8Array(1200),
    );
    const greys = Array.from({ length: 256 }, (_, level): Rgb => [level, level, level]);
    expect(disagreements(rgb, plainScan(rgb), greys, 1)).toEqual([]);
    expect(disagreements(rgb, plainScan(rgb), greys, 11)).toEqual([]);
  });

  test('a list in which every colour comes three times, far apart', () => {
    const { rgb } = readList('short');
    const thrice = Uint8Array.from([...rgb, ...rgb, ...rgb]);
    const colors = randomColors('all of sRGB', 100, 3);
    expect(disagreements(thrice, plainScan(thrice), colors, 11)).toEqual([]);
  });
});

describe('the scan by lightness, that the full list is held against', () => {
  test('answers as the plain scan does', () => {
    const { rgb } = readList('bestof');
    const scan = lightnessScan(rgb);
    const plain = plainScan(rgb);
    for (const color of randomColors('all of sRGB', 100, 50)) {
      expect(scan(color, 11)).toEqual(plain(color, 11));
    }
  });
});

describe('a colour that has a name', () => {
  test.each(LIST_IDS)('is its own nearest, at distance 0, everywhere in the list %s', (id) => {
    const list = readList(id);
    const index = indexColors(list.rgb);
    const first = new Map<string, number>();
    for (let i = list.count - 1; i >= 0; i--) first.set(list.hex(i), i);
    const wrong = [];
    for (let i = 0; i < list.count; i++) {
      const [nearest] = nearestColors(index, list.color(i), 1);
      if (nearest?.distance !== 0 || nearest.position !== first.get(list.hex(i))) wrong.push(i);
    }
    expect(wrong).toEqual([]);
  });
});

describe('equally near colours', () => {
  const names = (rgb: Rgb, count: number) => {
    const css = readList('css');
    return nearestColors(indexColors(css.rgb), rgb, count).map(({ position }) =>
      css.name(position),
    );
  };

  test.each([
    [
      [0, 255, 255],
      ['aqua', 'cyan'],
    ],
    [
      [255, 0, 255],
      ['fuchsia', 'magenta'],
    ],
    [
      [128, 128, 128],
      ['gray', 'grey'],
    ],
    [
      [47, 79, 79],
      ['darkslategray', 'darkslategrey'],
    ],
  ] as [Rgb, string[]][])('come in the order of the list: %j is %j', (rgb, wanted) => {
    expect(names(rgb, 2)).toEqual(wanted);
  });

  test('come in the order of the list away from the colour itself too', () => {
    expect(names([3, 250, 252], 2)).toEqual(['aqua', 'cyan']);
  });

  test('the earlier is kept where only one is asked for', () => {
    expect(names([3, 250, 252], 1)).toEqual(['aqua']);
  });
});

describe('the number of colours answered', () => {
  const index = indexColors(Uint8Array.of(255, 0, 0, 0, 0, 255));

  test('is the whole list where it is shorter than the count', () => {
    const target = srgbToLab([250, 0, 0]);
    expect(nearestColors(index, [250, 0, 0], 11)).toEqual([
      { position: 0, distance: ciede2000(target, srgbToLab([255, 0, 0])) },
      { position: 1, distance: ciede2000(target, srgbToLab([0, 0, 255])) },
    ]);
  });

  test('is none for a count of 0, and for an empty list', () => {
    expect(nearestColors(index, [250, 0, 0], 0)).toEqual([]);
    expect(nearestColors(indexColors(new Uint8Array(0)), [250, 0, 0], 1)).toEqual([]);
  });
});
