import type { DatasetBlock } from '../block/block.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import type { Field } from '../values/field-types.ts';
import { nameOfRows } from './first-category.ts';
import { addsUp, isMeasurable } from './first-number.ts';
import { knownOf, MOST_THINGS, numberOfThings } from './known-data.ts';
import { isWords } from './known-fields.ts';

/** The numbers that an import sums or compares, so that a first question can use what it finds. */

/** With more sums than this, no total is looked for among the values of a field. */
const MOST_SUMS = 10_000;

/** What may have a total among its values: texts, by a number that adds up, in each period. */
export function summedBy(
  block: DatasetBlock,
  manifest: Manifest,
  profile: DatasetProfile,
): { readonly number: Field; readonly time?: Field; readonly by: readonly Field[] } | undefined {
  const known = knownOf(block, manifest, profile, false);
  const { time, fields, rows } = known;
  const { grain } = time ?? {};
  if (time !== undefined && (grain === undefined || time.areMeasured === 'no')) return undefined;
  const number = time === undefined ? numberOfThings(known) : known.number;
  if (number === undefined || !addsUp(number.known) || rows < 2) return undefined;
  const names = time === undefined ? [nameOfRows(fields) ?? []].flat() : fields.filter(isWords);
  const periods = time?.known.distinct ?? 1;
  const by = names.filter(({ distinct }) => distinct > 2 && distinct * periods <= MOST_SUMS);
  if (by.length === 0) return undefined;
  return {
    number: number.known.field,
    ...(time && { time: time.known.field }),
    by: by.slice(0, MOST_SUMMED).map(({ field }) => field),
  };
}

/** Fields among whose values a total is looked for. */
const MOST_SUMMED = 12;

/**
 * The number that a first question of things would show, and those that it may go together with.
 * None if the rows are too many, or have no names.
 */
export function comparedWith(
  block: DatasetBlock,
  manifest: Manifest,
  profile: DatasetProfile,
): readonly Field[] {
  const known = knownOf(block, manifest, profile, false);
  const number = numberOfThings(known);
  if (number === undefined || known.rows > MOST_THINGS) return [];
  if (nameOfRows(known.fields) === undefined) return [];
  const others = known.fields.filter(
    (one) =>
      one !== number.known &&
      one !== known.time?.known &&
      isMeasurable(one, block) &&
      one.distinct >= LEAST_COMPARED,
  );
  return [number.known, ...others].slice(0, MOST_COMPARED).map(({ field }) => field);
}

/** Numbers that are tried, and how many different values each must have. */
const MOST_COMPARED = 12;

const LEAST_COMPARED = 10;
