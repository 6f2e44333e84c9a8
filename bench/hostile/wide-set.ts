import { type DatasetBlock, datasetBlock } from '../../src/block/block.ts';
import type { Row, Value } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { type Random, seededRandom, wholeNumber } from '../data/seeded-random.ts';

/** What statistical offices publish: a place, and 400 columns about it. */
const COLUMNS = 400;

type Kind = { readonly type: Field['type']; readonly value: (random: Random) => Value };

/** Of ten columns one after the other: numbers, and now and then something else. */
const KINDS: readonly Kind[] = [
  { type: 'number', value: (random) => wholeNumber(random, 0, 1e6) / 7 },
  { type: 'integer', value: (random) => wholeNumber(random, 0, 1e5) },
  { type: 'number', value: (random) => wholeNumber(random, 0, 1000) / 10 },
  { type: 'text', value: (random) => `grade ${wholeNumber(random, 1, 9)}` },
  { type: 'integer', value: (random) => wholeNumber(random, 0, 100) },
  { type: 'number', value: (random) => wholeNumber(random, 0, 1e9) / 1000 },
  { type: 'text', value: (random) => `note ${wholeNumber(random, 0, 1e6)} of the year` },
  { type: 'integer', value: (random) => wholeNumber(random, 0, 5000) },
  { type: 'date', value: (random) => new Date(1e12 * random()).toISOString().slice(0, 10) },
  { type: 'boolean', value: (random) => random() < 0.5 },
];

const kindOf = (column: number) => KINDS[column % KINDS.length] as Kind;

export const wideBlock: DatasetBlock = datasetBlock({
  id: 'wide-id',
  name: 'wide',
  title: 'Wide and public',
  description: 'Made rows of many columns.',
  fields: [
    { type: 'text', name: 'place', title: 'Place' },
    ...Array.from({ length: COLUMNS }, (_, i): Field => {
      const title = `Figure ${i + 1} of the census, all ages`;
      return { type: kindOf(i).type, name: `figure_${i + 1}`, title } as Field;
    }),
  ],
  keyFields: ['place'],
  examples: [],
});

export function wideRows(count: number): Row[] {
  const random = seededRandom(401);
  return Array.from({ length: count }, (_, row) => {
    const cells: Record<string, Value> = { place: `Place ${row}` };
    for (let i = 0; i < COLUMNS; i++) {
      cells[`figure_${i + 1}`] = random() < 0.02 ? null : kindOf(i).value(random);
    }
    return cells;
  });
}
