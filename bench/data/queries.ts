import type { Field } from '../../src/values/field-types.ts';
import type { GeneratedSet } from './generated-set.ts';
import { oneOf, type Random, seededRandom, wholeNumber } from './seeded-random.ts';

/** A query in blockyard's own words: texts, `<field>_min`, `<field>_max`, and `_limit`. */
export type Arguments = Readonly<Record<string, string | number>>;

export const LIMIT = 100;

/**
 * Queries of one to four conditions. Each is made around a row, so that it finds at least that
 * one; a range takes in 1 in 500 to half of all values, a wildcard text is one of its words.
 */
export function makeQueries({ block, rows }: GeneratedSet, count: number): Arguments[] {
  const random = seededRandom(count + rows.length);
  const fields = block.fields.filter(({ filterable }) => filterable !== false);
  const texts = fields.filter(({ type }) => type === 'text' || type === 'phone');
  const ranges = fields.filter(({ type }) => type === 'number' || type === 'integer');
  const shareOfTexts = texts.length > ranges.length ? 0.7 : 0.15;
  const sorted = new Map(ranges.map(({ name }) => [name, sortedValues(rows, name)]));
  return Array.from({ length: count }, () => {
    const row = oneOf(random, rows);
    const query: Record<string, string | number> = {};
    const conditions = oneOf(random, [1, 1, 2, 2, 3, 4]);
    for (let i = 0; i < conditions; i++) {
      const field = oneOf(random, random() < shareOfTexts ? texts : ranges);
      const value = row[field.name];
      if (typeof value === 'string') query[field.name] = textAround(value, field, random);
      if (typeof value === 'number') {
        const { min, max } = rangeAround(value, sorted.get(field.name) as Float64Array, random);
        delete query[`${field.name}_min`];
        delete query[`${field.name}_max`];
        if (min !== undefined) query[`${field.name}_min`] = min;
        if (max !== undefined) query[`${field.name}_max`] = max;
      }
    }
    return { ...query, _limit: LIMIT };
  });
}

/** Whether a query has a wildcard, which json-server cannot express. */
export function hasWildcard(query: Arguments): boolean {
  return Object.values(query).some((value) => typeof value === 'string' && value.includes('*'));
}

function textAround(value: string, field: Field, random: Random): string {
  const isDigits = field.type === 'phone';
  if (isDigits || random() >= 0.15) return value;
  return `*${oneOf(random, value.split(' '))}*`;
}

/** One range in three has one end only. */
function rangeAround(value: number, sorted: Float64Array, random: Random) {
  const share = 0.002 * 250 ** random();
  const width = Math.max(1, Math.round(share * sorted.length));
  const from = Math.max(0, sorted.indexOf(value) - wholeNumber(random, 0, width));
  const min = sorted[from] as number;
  const max = Math.max(value, sorted[Math.min(sorted.length - 1, from + width)] as number);
  const ends = random();
  if (ends < 1 / 6) return { min, max: undefined };
  if (ends < 1 / 3) return { min: undefined, max };
  return { min, max };
}

function sortedValues(rows: GeneratedSet['rows'], name: string): Float64Array {
  const values = rows.map((row) => row[name]).filter((value) => typeof value === 'number');
  return Float64Array.from(values).sort();
}
