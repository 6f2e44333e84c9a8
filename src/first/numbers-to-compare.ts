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

/** Rows beyond which no total of a rate, or of events, is looked for. */
const MOST_ROWS = 50_000;

/** A field that may have a total among its values, and within what they add up. */
export type PerhapsTotals = { readonly field: Field; readonly within?: Field | undefined };

/** What may have a total among its values: texts, by a number, in each period or other category. */
export function summedBy(
  block: DatasetBlock,
  manifest: Manifest,
  profile: DatasetProfile,
):
  | { readonly number: Field; readonly isAmount: boolean; readonly by: readonly PerhapsTotals[] }
  | undefined {
  const known = knownOf(block, manifest, profile, false);
  const { time, fields, rows } = known;
  const name = time === undefined ? nameOfRows(fields) : undefined;
  const number = name === undefined ? known.number : numberOfThings(known);
  if (number === undefined || rows < 2) return undefined;
  const isAmount = addsUp(number.known);
  const isOfSums = isAmount && time !== undefined && time.areMeasured !== 'no';
  if (rows > MOST_ROWS && !isOfSums) return undefined;
  const words = fields.filter((one) => isWords(one) && one.distinct > 2);
  const parts = time === undefined ? words : [time.known];
  const by = (name === undefined ? words : [name]).flatMap((one) => {
    const within = name === undefined ? parts.find((part) => part !== one) : undefined;
    const isFew = one.distinct * (within?.distinct ?? 1) <= MOST_SUMS;
    return isFew ? [{ field: one.field, within: within?.field }] : [];
  });
  if (by.length === 0) return undefined;
  return { number: number.known.field, isAmount, by: by.slice(0, MOST_SUMMED) };
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
