import type { DatasetBlock } from '../block/block.ts';
import type { DatasetProfile, Manifest, TotalValue } from '../block/manifest.ts';
import { isTotalWord } from '../files/totals.ts';
import { summedBy } from '../first/numbers-to-compare.ts';
import type { Row } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';

/** The sums of one number, by period or other part, and then by value of a field. */
type Sums = Map<string, Map<string, number>>;

/**
 * Finds the values of texts that count the other values too, such as `All disasters`: of the number
 * that a first question would measure, in each period or other category. `rowsOf` returns all rows
 * with these fields.
 */
export function totalValues(
  block: DatasetBlock,
  manifest: Manifest,
  profile: DatasetProfile,
  rowsOf: (fields: readonly Field[]) => Iterable<Row>,
): DatasetProfile['totals'] {
  const summed = summedBy(block, manifest, profile);
  if (summed === undefined) return undefined;
  const { number, isAmount, by } = summed;
  const sums = by.map((): Sums => new Map());
  const read = by.flatMap(({ field, within }) =>
    within === undefined ? [field] : [field, within],
  );
  for (const row of rowsOf([...new Set([number, ...read])])) {
    const amount = row[number.name];
    if (typeof amount !== 'number') continue;
    for (const [i, { field, within }] of by.entries()) {
      const of = sums[i] as Sums;
      const part = within === undefined ? '' : String(row[within.name]);
      const inPart = of.get(part) ?? new Map<string, number>();
      const value = String(row[field.name] ?? '');
      inPart.set(value, (inPart.get(value) ?? 0) + amount);
      of.set(part, inPart);
    }
  }
  const found = by.flatMap(({ field }, i): [string, TotalValue][] => {
    const total = totalIn(sums[i] as Sums);
    return total !== undefined && (total.isSum || isAmount) ? [[field.name, total]] : [];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** A value must be the total in this share of the periods, and in this many sums. */
const NEARLY_ALL = 0.9;
const LEAST_SUMS = 3;

/** With fewer other values, a value equals their sum by chance; without time, sooner. */
const LEAST_OTHERS = 2;
const LEAST_OTHERS_ALONE = 5;

/** Rounded parts differ from their rounded total by this share at most. */
const ROUNDING = 0.001;

/** Below this, a whole number equals the sum of others by chance. */
const LEAST_WHOLE = 10;

/** Values that count all others by their names. */
const WHOLE =
  /^(?:world|welt|mundo|monde|(?:all|alle|both|beide|total|tous|toutes|todos|todas|ambos|insgesamt)\b.*|annual|persons)$/i;

function totalIn(sums: Sums): TotalValue | undefined {
  const value = greatestOf(sums);
  if (value === undefined) return undefined;
  const leastOthers = sums.size === 1 ? LEAST_OTHERS_ALONE : LEAST_OTHERS;
  let [periods, equal, greatest] = [0, 0, 0];
  for (const inPeriod of sums.values()) {
    const own = inPeriod.get(value);
    const others = [...inPeriod].filter(([other, sum]) => other !== value && sum !== 0);
    if (own === undefined || others.length < leastOthers) continue;
    const areWhole = Number.isInteger(own) && others.every(([, one]) => Number.isInteger(one));
    if (areWhole && Math.abs(own) < LEAST_WHOLE) continue;
    periods++;
    const sum = others.reduce((all, [, one]) => all + one, 0);
    if (Math.abs(own - sum) <= ROUNDING * Math.abs(own)) equal++;
    if (others.every(([, one]) => one <= own)) greatest++;
  }
  if (periods < (sums.size === 1 ? 1 : LEAST_SUMS)) return undefined;
  if (equal >= NEARLY_ALL * periods) return { value, isSum: true };
  const isCalled = isTotalWord(value) || WHOLE.test(value);
  return isCalled && greatest >= NEARLY_ALL * periods ? { value, isSum: false } : undefined;
}

/** The value with the greatest sum over all periods. */
function greatestOf(sums: Sums): string | undefined {
  const all = new Map<string, number>();
  for (const inPeriod of sums.values()) {
    for (const [value, sum] of inPeriod) all.set(value, (all.get(value) ?? 0) + sum);
  }
  let [found, most]: [string | undefined, number] = [undefined, 0];
  for (const [value, sum] of all) if (sum > most) [found, most] = [value, sum];
  return found;
}
