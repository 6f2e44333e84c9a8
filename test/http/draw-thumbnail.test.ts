import { expect, test } from '@jest/globals';
import { type DatasetDeclaration, datasetBlock } from '../../src/block/block.ts';
import type { Thumbnail } from '../../src/block/manifest.ts';
import { packedRows } from '../../src/columns/memory-rows.ts';
import { profileWithThumbnail } from '../../src/http/draw-thumbnail.ts';
import type { Row } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import type { Boundaries } from '../../src/values/places.ts';
import { makeDataset } from '../support/datasets.ts';

const TYPES: Record<string, Field['type']> = {
  ...{ name: 'text', kind: 'text', day: 'date', size: 'number', x: 'number', y: 'number' },
  people: 'integer',
};

/** The thumbnail of a made-up block, whose fields are those of its first row. */
async function thumbnailOf(
  rows: readonly Row[],
  { boundaries, ...more }: Partial<DatasetDeclaration> & { boundaries?: Boundaries } = {},
): Promise<Thumbnail | undefined> {
  const names = Object.keys(rows[0] ?? {});
  const block = datasetBlock({
    ...{ id: 'b', name: 'b', title: 'B', description: '', noun: 'trees', examples: [] },
    fields: names.map((name) => ({ name, type: TYPES[name] as 'text', title: `The ${name}` })),
    ...more,
  });
  const made = makeDataset(block, rows, { title: 'Made' }, boundaries && { boundaries });
  const { thumbnail } = await profileWithThumbnail(made, packedRows(block.fields, made.columns));
  expect(JSON.stringify(thumbnail ?? '').length).toBeLessThanOrEqual(1700);
  return thumbnail;
}

const rowsOf = (count: number, of: (i: number) => Row) =>
  Array.from({ length: count }, (_, i) => of(i));
const dayOf = (i: number) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);

/** The cells of a map, row by row: 0 is empty. */
function cellsOf(thumbnail: Thumbnail | undefined): string[] {
  if (thumbnail?.kind !== 'map') throw new Error(`It is no map: ${JSON.stringify(thumbnail)}`);
  const { cells, columns, rows } = thumbnail;
  const shades = [...cells].flatMap((two) => {
    const both = Number.parseInt(two, 36);
    return [Math.floor(both / 6), both % 6];
  });
  return rowsOf(rows, (row) => ({ row: 0, at: row })).map(({ at }) =>
    shades.slice((at as number) * columns, ((at as number) + 1) * columns).join(''),
  );
}

test('of measurements over time is the line of all their averages', async () => {
  const thumbnail = await thumbnailOf(rowsOf(60, (i) => ({ day: dayOf(i), size: i < 30 ? 0 : i })));
  expect(thumbnail).toMatchObject({
    ...{ kind: 'plot', form: 'line', measured: { field: 'The size' }, by: [{ part: 'day' }] },
    range: [0, 59],
  });
  const [[look, path] = []] = thumbnail?.kind === 'plot' ? thumbnail.paths : [];
  expect([look, path?.slice(0, 10)]).toEqual(['l', expect.stringMatching(/^M0 60l\d/)]);
});

const byDay = { first: { _view: 'chart', _group: ['day.day'], _measure: ['avg:size'] } };

test('of more days than the picture is wide keeps the highest and the lowest of each place', async () => {
  const rising = await thumbnailOf(
    rowsOf(1000, (i) => ({ day: dayOf(i), size: i })),
    byDay,
  );
  expect(rising).toMatchObject({ width: 200 });
  const climbed = stepsUp(rising);
  expect(climbed.every((step) => step >= 0)).toBe(true);
  expect(climbed.reduce((a, b) => a + b)).toBe(60);
  // Each fourth day is a hundred times the others.
  const noisy = await thumbnailOf(
    rowsOf(1500, (i) => ({ day: dayOf(i), size: i % 4 === 0 ? 100 + (i % 7) : i % 5 })),
    byDay,
  );
  expect(noisy).toMatchObject({ width: 100, range: [0, 106] });
  expect(stepsUp(noisy).filter((step) => step > 40).length).toBeGreaterThan(80);
});

/** How far each step of a line goes up. */
function stepsUp(thumbnail: Thumbnail | undefined): number[] {
  const numbers = pathOf(thumbnail).split('l')[1]?.match(/-?\d+/g) ?? [];
  return numbers.filter((_, i) => i % 2 === 1).map((down) => -Number(down));
}

function pathOf(thumbnail: Thumbnail | undefined): string {
  const [[, path] = ['', '']] = thumbnail?.kind === 'plot' ? thumbnail.paths : [];
  return path;
}

test('of kinds has the first bars with the numbers of all rows, and how many more', async () => {
  const kinds = ['<Oak>', 'Elm', 'Ash', 'Fir', 'Yew', 'Box'];
  const rows = kinds.flatMap((kind, i) => rowsOf(12 - 2 * i, () => ({ kind })));
  expect(await thumbnailOf(rows)).toEqual({
    ...{ kind: 'bars', form: 'bars', measured: {}, by: [{ field: 'The kind' }], more: 2 },
    bars: [
      ['<Oak>', 12],
      ['Elm', 10],
      ['Ash', 8],
      ['Fir', 6],
    ],
  });
});

test('numbers of bars are those of the page: whole ones with all digits, shares as such, by one measure', async () => {
  const rows = ['Aa', 'Bb'].map((kind, i) => ({ kind, size: 12_345_678 - i, x: 0.25 + i / 3 }));
  const ask = (...measures: string[]) =>
    thumbnailOf(rows, { first: { _view: 'chart', _group: ['kind'], _measure: measures } });
  expect(await ask('sum:size', 'sum:x')).toMatchObject({
    bars: [
      ['Aa', 12_345_678],
      ['Bb', 12_345_677],
    ],
    measured: { field: 'The size' },
  });
  const shares = await ask('share:sum:size');
  expect(shares).toMatchObject({ numbers: 'share' });
  expect(await ask('sum:x')).toMatchObject({
    bars: [
      ['Bb', 0.583],
      ['Aa', 0.25],
    ],
  });
});

test('the ends of a line that hardly moves differ', async () => {
  const thumbnail = await thumbnailOf(
    rowsOf(400, (i) => ({ day: dayOf(i), size: 1011.2 + (i % 38) / 10 })),
    { first: { _view: 'chart', _group: ['day.day'], _measure: ['avg:size'] } },
  );
  expect(thumbnail).toMatchObject({ range: [1011.2, 1014.9] });
});

test('of more bars than a figure has, they are all counted', async () => {
  const rows = rowsOf(60, (i) => ({ kind: `k${i}` }));
  const first = { _view: 'chart', _group: ['kind'], _measure: ['count'] };
  expect(await thumbnailOf(rows, { first })).toMatchObject({ kind: 'bars', more: 56 });
});

test('of numbers is a histogram, with the ends of its steps', async () => {
  const thumbnail = await thumbnailOf(rowsOf(500, (i) => ({ size: Math.sqrt(i) + i / 1000 })));
  expect(thumbnail).toMatchObject({ kind: 'plot', form: 'histogram', range: [0, 24] });
  const columns = thumbnail?.kind === 'plot' ? thumbnail.paths : [];
  expect(columns.map(([look]) => look)).toEqual(['col']);
  // The steps have more rows to the right.
  const heights = [...(columns[0]?.[1] ?? '').matchAll(/v([\d.]+)/g)].map(([, v]) => Number(v));
  expect(heights).toHaveLength(12);
  expect(heights[3]).toBeLessThan(heights[10] as number);
});

test.each([
  ['of few digits by the last whole number', 1, [0, 259]],
  ['that are long by where the next would begin', 20_800, [0, 5_500_000]],
])('steps %s: as the figure calls them', async (_, times, range) => {
  const thumbnail = await thumbnailOf(rowsOf(500, (i) => ({ people: (i % 250) * times })));
  expect(thumbnail).toMatchObject({ form: 'histogram', range });
});

const geometry = { kind: 'points', longitude: 'x', latitude: 'y' } as const;

test.each([
  ['a circle each', 20],
  ['squares that count them', 150],
])('of places, %s, has a cell where there is one', async (_, side) => {
  // A triangle: no place is to the upper right.
  const places = rowsOf(side * side, (i) => ({ x: i % side, y: Math.floor(i / side) }));
  const below = places.filter(({ x, y }) => (x as number) + (y as number) < side);
  // In the north, where a degree to the east is shorter at the top.
  const rows = below.map(({ x, y }) => ({
    x: (30 * (x as number)) / side,
    y: 64 + (5 * (y as number)) / side,
  }));
  const thumbnail = await thumbnailOf(rows, { geometry });
  expect(thumbnail).toMatchObject({ measured: {}, by: [] });
  const cells = cellsOf(thumbnail);
  const width = cells[0]?.length ?? 0;
  const right = (row: string) => row.slice(Math.ceil(width * 0.7));
  expect(
    cells
      .slice(0, cells.length * 0.3)
      .map(right)
      .join(''),
  ).toMatch(/^0+$/);
  expect(cells.join('').replace(/0/g, '').length).toBeGreaterThan(100);
  // So many places leave no gap between squares.
  if (side > 100) for (const row of cells) expect(row).toMatch(/^0*[1-5]*0*$/);
});

test('of areas is a surface of their classes, of which small ones are not lost', async () => {
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
  const thumbnail = await thumbnailOf(rows, {
    geometry: { kind: 'regions', region: 'name', longitude: 'x', latitude: 'y' },
    boundaries,
  });
  expect(thumbnail).toMatchObject({ isSurface: true, form: 'areas on a map', range: [10, 40] });
  const cells = cellsOf(thumbnail);
  const at = (x: number, y: number) =>
    cells[Math.floor(y * cells.length)]?.[Math.floor(x * (cells[0]?.length ?? 0))];
  const [a, b, c] = [at(0.1, 0.9), at(0.75, 0.75), at(0.25, 0.25)];
  expect(new Set([a, b, c]).size).toBe(3);
  expect([a, b, c]).not.toContain('0');
  // In the middle of a is a hole.
  expect([at(0.25, 0.75), at(0.4, 0.75)]).toEqual(['0', a]);
  const upperRight = cells
    .slice(0, cells.length / 2 - 1)
    .map((row) => row.slice(row.length / 2 + 1));
  expect(upperRight.join('').replace(/0/g, '')).toHaveLength(1);
});

test('of names alone has the first rows of the table', async () => {
  const rows = rowsOf(90, (i) => ({
    name: `${'n'.repeat(30)}${i}`,
    kind: i === 1 ? null : `k${i}`,
  }));
  const thumbnail = await thumbnailOf(rows);
  const name = `${'n'.repeat(25)}…`;
  expect(thumbnail).toEqual({
    kind: 'table',
    fields: ['The name', 'The kind'],
    rows: [
      [name, 'k0'],
      [name, null],
      [name, 'k2'],
      [name, 'k3'],
    ],
  });
});

test('there is none of no rows', async () => {
  const block = { fields: [{ name: 'name', type: 'text', title: 'N' }] } as const;
  expect(await thumbnailOf([], { fields: [...block.fields] })).toBeUndefined();
});

test('what a publisher chose is drawn: parts of time as columns, in their order', async () => {
  const thumbnail = await thumbnailOf(
    rowsOf(200, (i) => ({ kind: 'k', day: dayOf(i * 7 + (i % 3)) })),
    { first: { _view: 'chart', _group: 'day.weekday', _measure: 'count' } } as never,
  );
  expect(thumbnail).toMatchObject({ kind: 'plot', by: [{ part: 'weekday' }] });
  expect(thumbnail?.kind === 'plot' && thumbnail.paths[0]?.[1].match(/M/g)).toHaveLength(3);
});
