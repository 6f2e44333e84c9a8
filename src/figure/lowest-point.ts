import { isUnfilled } from './periods.ts';
import { isAmount } from './question.ts';
import { isTold, type Lines } from './series.ts';

/** The lowest point of all named lines. */
type LowestPoint = { readonly name: string; readonly key: number; readonly value: number };

/**
 * Finds it where lines of several values are compared by a rate. Undefined if it is not one point
 * alone, or if the lines end with it, beside which their numbers are.
 */
export function lowestPoint(lines: Lines): LowestPoint | undefined {
  const { series, areEnds, band, base, axis, extent, measure, time } = lines;
  const areOfOneField = time.other !== undefined && time.other.part === undefined;
  if (!areOfOneField || series.length < 2 || isAmount(measure)) return undefined;
  if (areEnds || band !== undefined || base !== undefined || axis === 'log') return undefined;
  const points = series.flatMap(({ name, points }) => {
    const last = points.findLast(isTold);
    return points
      .filter(isTold)
      .filter(({ key }) => !isUnfilled(extent, key))
      .map(({ key, value }) => ({ name, key, value, isLast: key === last?.key }));
  });
  const [lowest, next] = points.toSorted((a, b) => a.value - b.value);
  if (lowest === undefined || lowest.isLast || lowest.value === next?.value) return undefined;
  return lowest;
}
