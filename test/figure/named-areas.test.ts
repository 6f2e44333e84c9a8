import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AreaDrawing } from '../../src/block/manifest.ts';
import { drawPicture } from '../../src/figure/draw.ts';
import { drawFile } from '../../src/figure/draw-file.ts';
import { smallPicture } from '../../src/figure/small-picture.ts';
import type { Row } from '../../src/values/field-type.ts';
import { captionIn, FIELDS, figure, knownOf, questionOf, rowOf } from './questions.ts';

/** Two values name A, one names B; C has no rows, and no area is called x. */
const areas: AreaDrawing = {
  ...{ kind: 'us-states', field: 'area', width: 1000, height: 625, ratio: 'r85' },
  shapes: { A: 'M0 0l9 0 0 9z', B: 'M100 100l90 0 0 90z', C: 'M500 500l90 0 0 90z' },
  areaOf: { 'A one': 'A', 'A two': 'A', 'B one': 'B' },
};

function drawn(rows: readonly Row[], _measure: string, matching = rows, of = areas) {
  const question = questionOf(rows, { _group: 'area', _measure, matching });
  return figure({ ...question, known: { ...knownOf(rows, FIELDS), areas: of } }, 'regions');
}

describe('a map of the areas that a field names', () => {
  const row = fc.record({
    area: fc.constantFrom('A one', 'A two', 'B one', 'x', null),
    load: fc.option(fc.integer({ min: -9, max: 99 })),
    isMatching: fc.boolean(),
  });

  test('has the number of the rows of each area, as a plain reading of them has it', () => {
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 30 }),
        fc.constantFrom('count', 'sum:load', 'avg:load', 'max:load'),
        fc.boolean(),
        (all, measure, isFiltered) => {
          const rows = all.map(({ area, load }) => rowOf({ area, load }));
          const matching = rows.filter((_, i) => !isFiltered || all[i]?.isMatching);
          const isIn = (names: readonly string[]) => (one: Row) => names.includes(`${one.area}`);
          // Of a name: its number; null without one, undefined without rows.
          const numberOf = (name: string) => {
            const own = matching.filter(isIn([name]));
            const loads = own.flatMap(({ load }) => (typeof load === 'number' ? [load] : []));
            if (own.length === 0) return undefined;
            if (measure === 'count') return own.length;
            if (loads.length === 0) return null;
            const sum = loads.reduce((a, b) => a + b, 0);
            if (measure === 'sum:load') return sum;
            return measure === 'avg:load' ? sum / loads.length : Math.max(...loads);
          };
          const expected: Record<string, number> = {};
          let isDivided = false;
          for (const [area, names] of [
            ['A', ['A one', 'A two']],
            ['B', ['B one']],
          ] as const) {
            const found = names.flatMap((name) => {
              const number = numberOf(name);
              return number == null ? [] : [{ name, number }];
            });
            const adds = measure === 'count' || measure === 'sum:load';
            if (found.length > 1 && !adds) isDivided = true;
            else if (found.length > 0) {
              const name = found.length > 1 ? area : (found[0]?.name as string);
              expected[name] = found.reduce((sum, { number }) => sum + number, 0);
            }
          }
          if (!matching.some(isIn(Object.keys(areas.areaOf)))) return;
          const found = drawn(rows, measure, matching);
          const numbers = found.marks.map(({ name, numbers: [number] }) => [name, number]);
          expect(Object.keys(expected)).toHaveLength(numbers.length);
          for (const [name, number] of numbers) {
            expect(number).toBeCloseTo(expected[`${name}`] as number, 9);
          }
          if (numbers.length === 0) return;
          const caption = captionIn(found);
          expect(caption.includes('several names mean it: A.')).toBe(isDivided);
          // What is on the map and what is said not to be are all rows that match.
          const outside = matching.filter((one) => !isIn(Object.keys(areas.areaOf))(one)).length;
          const said = /\((\d+)(?: of the)? (?:loads|rows)\) (?:is|are) not on the map/.exec(
            caption,
          );
          expect(Number(said?.[1] ?? 0)).toBe(outside);
        },
      ),
      { seed: 60, numRuns: 500 },
    );
  });

  const rows = [
    rowOf({ area: 'A one', load: 4 }),
    rowOf({ area: 'A two', load: 6 }),
    rowOf({ area: 'B one', load: 9 }),
  ];

  test('is drawn on a page as links that are stretched with it, and in a file', () => {
    const found = drawn(rows, 'sum:load');
    const html = drawPicture(found);
    expect(html).toMatch(/^.*<svg class="under"[^>]*>.*<title>A: 10<\/title>.*<\/svg><\/div>$/s);
    // An area with two names has no address of its own.
    expect(html).toMatch(/<a href="[^"]*area=B one[^"]*" tabindex="-1"><title>B one: 9/);
    expect(html).not.toContain('class="over"');
    expect(drawFile(found)).toContain('M100 100l90 0 0 90z');
  });

  test('is a small picture too, whose paths are relative', () => {
    const paths = (areas: AreaDrawing) =>
      [...(smallPicture(drawn(rows, 'sum:load', rows, areas)) ?? '').matchAll(/ d="([^"]*)"/g)].map(
        ([, d]) => d,
      );
    const absolute = {
      A: 'M0,0L9,0L9,9Z',
      B: 'M100,100L190,100L190,190Z',
      C: 'M500,500L590,500L590,590Z',
    };
    expect(paths(areas)).toEqual(paths({ ...areas, shapes: absolute }));
    expect(paths(areas)).toHaveLength(2);
  });
});
