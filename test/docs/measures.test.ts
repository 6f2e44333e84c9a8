import { expect, test } from '@jest/globals';
import { LISTED_MEASURES, MEASURE_NAMES, MEASURES } from '../../src/measures/measures.ts';
import { FIELD_TYPES, type FieldTypeName } from '../../src/values/field-types.ts';
import { readDocument, tableOf } from './markdown.ts';

const document = readDocument('docs/semantics.md');
const rows = tableOf(document, ['`_measure` takes', 'column', 'of a group']) ?? [];
const measures = rows.map(([takes = '', column = '', what = '']) => ({
  names: [...takes.matchAll(/`([\w:]+):f`/g)].map(([, name]) => name as string),
  column,
  what,
}));

test('docs/semantics.md lists the measures, and no other', () => {
  expect(measures.flatMap(({ names }) => names).sort()).toEqual(
    [...LISTED_MEASURES, 'p10', 'p99'].filter((name) => name !== 'p90').sort(),
  );
  expect(rows[0]).toEqual(['`count`', '`count`', 'its rows']);
});

test.each(measures.filter(({ names }) => names.length > 0))(
  '$names: the column, and which fields have them',
  ({ names, column, what }) => {
    expect(column).toBe(`\`${names[0]?.replace(':', '_')}_f\``);
    const ofTypes = ['number', 'integer', ...(what.includes('dates and times') ? TIMES : [])];
    const types = what.startsWith('of numbers') ? ofTypes : Object.keys(FIELD_TYPES);
    for (const name of names) {
      const { of } = MEASURES[name as keyof typeof MEASURES];
      const having = (Object.keys(FIELD_TYPES) as FieldTypeName[]).filter((type) =>
        of({ type, name: 'f', title: 'F' }),
      );
      expect(having.sort()).toEqual([...types].sort());
    }
  },
);

const TIMES = ['date', 'datetime'];

test('docs/semantics.md says which measures keep values', () => {
  const keeping = MEASURE_NAMES.filter(
    (name) => MEASURES[name].aggregate(1).byteLength !== undefined,
  );
  expect(document).toContain(`${keeping.map((name) => `\`${name}\``).join(' and ')} may keep`);
});
