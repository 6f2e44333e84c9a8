import fc from 'fast-check';
import type { AddedBlock } from './checkout.ts';
import { madeOnce } from './once/made-once.ts';
import { csvOf, sampleCells, TYPED_FIELDS } from './typed-block.ts';

/** A checkout to which a type, a measure, an output format, a reading format and a view were added. */
export type Recipes = {
  /** Its generated files are renewed. */
  readonly checkout: string;
  /** It as it is installed. */
  readonly installed: string;
  /** Where it serves `RECIPE_BLOCKS`. */
  readonly url: string;
};

/** One for the suites of all recipes. */
export const recipes = (): Promise<Recipes> => madeOnce<Recipes>('recipes');

export const TYPED_CELLS = sampleCells(40, 77);

export type Tree = { readonly kind: string | null; readonly tenths: number | null };

/** Heights in tenths, so that whole numbers tell what their ranges are. */
export const TREES: readonly Tree[] = fc.sample(
  fc.record({
    kind: fc.option(fc.constantFrom('elm', 'lime', 'oak', 'sallow'), { freq: 9 }),
    tenths: fc.option(fc.integer({ min: -50, max: 400 }), { freq: 6 }),
  }),
  { numRuns: 60, seed: 25 },
);

/** What the service of the recipes has. */
export const RECIPE_BLOCKS: readonly AddedBlock[] = [
  {
    name: 'bridges',
    fields: [
      { type: 'text', name: 'bridge', title: 'Bridge', main: true },
      { type: 'year', name: 'built', title: 'Built', alias: 'from' },
    ],
    csv: 'bridge,built\nBrooklyn,1883\nManhattan,1909\nHell Gate,1916\nNone,\n',
  },
  {
    name: 'viaducts',
    fields: [
      { type: 'text', name: 'bridge', title: 'Bridge', main: true },
      { type: 'integer', name: 'built', title: 'Built' },
    ],
    csv: 'bridge,built\nBrooklyn,1883\nManhattan,1909\nNone,\n',
  },
  { name: 'typed', fields: TYPED_FIELDS, csv: csvOf(TYPED_CELLS) },
  {
    name: 'trees',
    fields: [
      { type: 'text', name: 'kind', title: 'Kind', main: true },
      { type: 'number', name: 'height', title: 'Height', unit: 'metres', alias: 'tall' },
      { type: 'date', name: 'planted', title: 'Planted' },
    ],
    csv: [
      'kind,height,planted',
      ...TREES.map(({ kind, tenths }) => `${kind ?? ''},${tenths === null ? '' : tenths / 10},`),
      'oak,12.5,1990-05-17',
    ].join('\n'),
  },
];
