import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { type DatasetDeclaration, datasetBlock } from '../../src/block/block.ts';
import type { SmallPicture } from '../../src/block/manifest.ts';
import { packedRows } from '../../src/columns/memory-rows.ts';
import type { Row } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import type { Boundaries } from '../../src/values/places.ts';
import { profileWithPicture } from '../../src/views/draw-picture.ts';
import { makeDataset } from '../support/datasets.ts';

const TYPES: Record<string, Field['type']> = {
  ...{ name: 'text', kind: 'text', day: 'date', size: 'number', x: 'number', y: 'number' },
  people: 'integer',
};

/** The picture of a made-up block, whose fields are those of its first row. */
async function pictureOf(
  rows: readonly Row[],
  { boundaries, ...more }: Partial<DatasetDeclaration> & { boundaries?: Boundaries } = {},
): Promise<SmallPicture | undefined> {
  const names = Object.keys(rows[0] ?? {});
  const block = datasetBlock({
    ...{ id: 'b', name: 'b', title: 'B', description: '', noun: 'trees', examples: [] },
    fields: names.map((name) => ({ name, type: TYPES[name] as 'text', title: `The ${name}` })),
    ...more,
  });
  const made = makeDataset(block, rows, { title: 'Made' }, boundaries && { boundaries });
  const { picture } = await profileWithPicture(made, packedRows(block.fields, made.columns));
  expect(gzipSync(picture?.svg ?? '').length).toBeLessThanOrEqual(1024);
  expect(picture?.svg ?? '').not.toContain('<text');
  return picture;
}

const rowsOf = (count: number, of: (i: number) => Row) =>
  Array.from({ length: count }, (_, i) => of(i));
const dayOf = (i: number) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);

type Path = { readonly look: string; readonly path: string };

function pathsIn(picture: SmallPicture | undefined): Path[] {
  const paths = picture?.svg.matchAll(/<path class="(.*?)" d="(.*?)"/g) ?? [];
  return [...paths].map(([, look = '', path = '']) => ({ look, path }));
}

/** The size of a picture in its own units. */
function sizeOf(picture: SmallPicture | undefined): [width: number, height: number] {
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(picture?.svg ?? '') ?? [];
  return [Number(width), Number(height)];
}

/** The class of each unit of a picture of units and rectangles, row by row; a dot where there is none. */
function unitsOf(picture: SmallPicture | undefined): string[] {
  const [width, height] = sizeOf(picture);
  const units = Array.from({ length: height }, () => Array(width).fill('.'));
  for (const { look, path } of pathsIn(picture)) {
    const shade = /s(\d)/.exec(look)?.[1] ?? '1';
    for (const [, left, top, wide, high] of path.matchAll(/M(\d+) (\d+)h(\d+)v(\d+)/g)) {
      for (let y = Number(top); y < Number(top) + Number(high); y++) {
        units[y]?.fill(shade, Number(left), Number(left) + Number(wide));
      }
    }
    const isOfPoints = look.endsWith(' round');
    if (!isOfPoints && !look.endsWith(' unit')) continue;
    let [x, y] = [0, 0];
    for (const [, letter, first, second = 0] of path.matchAll(/([Mmh])(-?[\d.]+) ?(-?[\d.]+)?/g)) {
      if (letter === 'M') [x, y] = [Number(first), Math.floor(Number(second))];
      else if (letter === 'm') [x, y] = [x + Number(first), y + Number(second)];
      // A circle's middle may be on the edge of the picture.
      else if (isOfPoints)
        (units[Math.min(y, height - 1)] as string[])[Math.min(x, width - 1)] = shade;
      else for (let i = 0; i < Number(first); i++) (units[y] as string[])[x++] = shade;
    }
  }
  return units.map((row) => row.join(''));
}

test('of measurements over time is the line of all their averages, and says what it shows', async () => {
  const picture = await pictureOf(rowsOf(60, (i) => ({ day: dayOf(i), size: i < 30 ? 0 : i })));
  expect(sizeOf(picture)).toEqual([200, 60]);
  const [{ look, path } = { look: '', path: '' }, ...others] = pathsIn(picture);
  expect([look, path.slice(0, 6), others]).toEqual(['l', 'M0 60l', []]);
  expect(picture?.said).toEqual({
    en: {
      title: 'The size, by day',
      statement: expect.stringMatching(/^From 0 on 1 January 2024.* to 59 on 29 February 2024/),
    },
    de: {
      title: 'The size, nach Tag',
      statement: expect.stringMatching(/59.*29\. Februar 2024/),
    },
    es: {
      title: 'The size, por día',
      statement: expect.stringMatching(/59.*29 de febrero de 2024/),
    },
  });
});

const byDay = { first: { _view: 'chart', _group: ['day.day'], _measure: ['avg:size'] } };

test('of more days than the picture is wide keeps the highest and the lowest of each place', async () => {
  const rising = await pictureOf(
    rowsOf(1000, (i) => ({ day: dayOf(i), size: i })),
    byDay,
  );
  const climbed = stepsUp(rising);
  expect(climbed.every((step) => step >= 0)).toBe(true);
  expect(climbed.reduce((a, b) => a + b)).toBe(sizeOf(rising)[1]);
  // Each fourth day is a hundred times the others.
  const noisy = await pictureOf(
    rowsOf(1500, (i) => ({ day: dayOf(i), size: i % 4 === 0 ? 100 + (i % 7) : i % 5 })),
    byDay,
  );
  const [width, height] = sizeOf(noisy);
  const high = stepsUp(noisy).filter((step) => step > 0.7 * height);
  expect(high.length).toBeGreaterThan(0.6 * width);
});

/** How far each step of a line goes up. */
function stepsUp(picture: SmallPicture | undefined): number[] {
  const numbers = pathsIn(picture)[0]?.path.split('l')[1]?.match(/-?\d+/g) ?? [];
  return numbers.filter((_, i) => i % 2 === 1).map((down) => -Number(down));
}

test('of kinds has a bar for each, as long as it has rows', async () => {
  const kinds = ['<Oak>', 'Elm', 'Ash', 'Fir', 'Yew', 'Box'];
  const rows = kinds.flatMap((kind, i) => rowsOf(12 - 2 * i, () => ({ kind })));
  const picture = await pictureOf(rows);
  const [{ path } = { path: '' }] = pathsIn(picture);
  const long = [...path.matchAll(/M0 \d+h(\d+)/g)].map(([, width]) => Number(width) / 200);
  expect(long.map((share) => Math.round(12 * share))).toEqual([12, 10, 8, 6, 4, 2]);
  expect(picture?.said.en).toEqual({
    title: 'Trees, by The kind',
    statement: '<Oak> is the most frequent: 12 of 42 trees, 29 %.',
  });
});

test('of numbers is a histogram, whose columns are as high as its steps have rows', async () => {
  const picture = await pictureOf(rowsOf(500, (i) => ({ size: Math.sqrt(i) + i / 1000 })));
  const [{ look, path } = { look: '', path: '' }] = pathsIn(picture);
  expect(look).toBe('col');
  // The steps have more rows to the right.
  const heights = [...path.matchAll(/v([\d.]+)/g)].map(([, v]) => Number(v));
  expect(heights).toHaveLength(12);
  expect(heights[3]).toBeLessThan(heights[10] as number);
});

const geometry = { kind: 'points', longitude: 'x', latitude: 'y' } as const;

test.each([
  ['a circle each', 20],
  ['squares that count them', 150],
])('of places, %s, has a mark where there is one', async (_, side) => {
  // A triangle: no place is to the upper right.
  const places = rowsOf(side * side, (i) => ({ x: i % side, y: Math.floor(i / side) }));
  const below = places.filter(({ x, y }) => (x as number) + (y as number) < side);
  // In the north, where a degree to the east is shorter at the top.
  const rows = below.map(({ x, y }) => ({
    x: (30 * (x as number)) / side,
    y: 64 + (5 * (y as number)) / side,
  }));
  const picture = await pictureOf(rows, { geometry });
  const units = unitsOf(picture);
  const width = units[0]?.length ?? 0;
  const right = (row: string) => row.slice(Math.ceil(width * 0.7));
  expect(
    units
      .slice(0, units.length * 0.3)
      .map(right)
      .join(''),
  ).toMatch(/^\.+$/);
  expect(units.join('').replace(/\./g, '').length).toBeGreaterThan(100);
});

test('of areas has their classes, of which small ones are not lost', async () => {
  const ring = (west: number, south: number, side: number) => [
    [west, south],
    [west + side, south],
    [west + side, south + side],
    [west, south + side],
    [west, south],
  ];
  const square = (...of: Parameters<typeof ring>) =>
    JSON.stringify({ type: 'Polygon', coordinates: [ring(...of)] });
  const holed = [ring(0, 0, 1), ring(0.4, 0.4, 0.2).reverse()];
  const boundaries = {
    a: JSON.stringify({ type: 'Polygon', coordinates: holed }),
    b: square(1, 0, 1),
    c: square(0, 1, 1),
    tiny: square(1.5, 1.5, 0.001),
  };
  const rows = Object.keys(boundaries).map((name, i) => {
    const [[x, y]] = JSON.parse(boundaries[name as 'a']).coordinates[0].map((at: number[]) => at);
    return { name, size: 10 * (i + 1), x, y } as Row;
  });
  const picture = await pictureOf(rows, {
    geometry: { kind: 'regions', region: 'name', longitude: 'x', latitude: 'y' },
    boundaries,
  });
  const paths = pathsIn(picture);
  expect(paths).toHaveLength(4);
  expect(new Set(paths.map(({ look }) => look)).size).toBe(4);
  // The area with a hole has two rings, and the small one is a unit where it lies.
  expect(paths.filter(({ path }) => path.match(/z/g)?.length === 2)).toHaveLength(1);
  const [unit = ''] = paths.flatMap(({ look, path }) => (look.endsWith(' unit') ? [path] : []));
  const [width, height] = sizeOf(picture);
  const [, x, y] = /^M(\d+) ([\d.]+)h1$/.exec(unit) ?? [];
  expect(Number(x) / width).toBeCloseTo(0.75, 1);
  expect(Number(y) / height).toBeCloseTo(0.25, 1);
});

test('of many areas is coarser, with a unit for each that has become as small', async () => {
  const side = 40;
  const names = rowsOf(side * side, (i) => ({ x: i % side, y: Math.floor(i / side) }));
  const boundaries = Object.fromEntries(
    names.map(({ x, y }) => {
      const [w, s] = [Number(x), Number(y)];
      const corners = [
        [w, s],
        [w + 1, s],
        [w + 1, s + 1],
        [w, s + 1],
        [w, s],
      ];
      return [`${x}-${y}`, JSON.stringify({ type: 'Polygon', coordinates: [corners] })];
    }),
  );
  const rows = names.map(({ x, y }) => ({ name: `${x}-${y}`, size: Number(x), x, y }) as Row);
  const picture = await pictureOf(rows, {
    geometry: { kind: 'regions', region: 'name', longitude: 'x', latitude: 'y' },
    boundaries,
  });
  const units = unitsOf(picture);
  expect(units.length).toBeGreaterThan(20);
  // The shades go from the left to the right.
  for (const row of units) expect(row).toMatch(/^1+2+3+4+5+$/);
});

test('there is none of names alone, and none of no rows', async () => {
  expect(await pictureOf(rowsOf(90, (i) => ({ name: `n${i}`, kind: `k${i}` })))).toBeUndefined();
  const block = { fields: [{ name: 'name', type: 'text', title: 'N' }] } as const;
  expect(await pictureOf([], { fields: [...block.fields] })).toBeUndefined();
});

test('what a publisher chose is drawn', async () => {
  const picture = await pictureOf(
    rowsOf(200, (i) => ({ kind: 'k', day: dayOf(i * 7 + (i % 3)) })),
    { first: { _view: 'chart', _group: 'day.weekday', _measure: 'count' } } as never,
  );
  expect(picture?.said.en.title).toBe('Trees, by weekday');
  expect(pathsIn(picture)[0]?.path.match(/M/g)).toHaveLength(3);
});
