import { DAY_MS, HOUR_MS } from '../fields/calendar.ts';
import type { Value } from '../fields/field.ts';
import { typeOf } from '../fields/field-types.ts';
import { zoneOffsetsOf } from '../fields/zone-offsets.ts';
import { numberRanges } from '../text/number-ranges.ts';
import type { Dimension } from './grouping.ts';

/** How the numbers that a field is compared by become those of a dimension's values. */
export type DimensionKey = {
  /** The number of a field's key. */
  keyOf(key: number): number;
  /** A key below which all keys from this one on have the same number; absent if none is known. */
  endOf?(key: number): number;
  /** The value that has this number. */
  valueOf(key: number): Value;
  /** The steps that slow keys took so far; absent if none is slow. */
  readonly slowSteps?: number;
};

/** Looking up a zone's offset, and dividing exact decimals, in steps. */
const STEPS_PER_LOOKUP = 1000;
const STEPS_PER_EXACT = 200;

/** For a field that is compared by numbers. */
export function dimensionKey({ field, part, width }: Dimension): DimensionKey {
  const type = typeOf(field);
  if (type.comparedBy !== 'number') throw new TypeError(`${field.name} is compared as text.`);
  if (width !== undefined) {
    const ranges = numberRanges(width);
    return {
      keyOf: ranges.keyOf,
      valueOf: ranges.startOf,
      get slowSteps() {
        return ranges.exact * STEPS_PER_EXACT;
      },
    };
  }
  if (part === undefined) {
    return { keyOf: (key) => key, valueOf: (key) => type.valueOf(key, field) };
  }
  if (type.keysOfDay === 1) {
    return { keyOf: (day) => part.keyOf(day, 0), valueOf: (key) => part.valueOf(key) };
  }
  const zone = zoneOffsetsOf(field.local ? 'UTC' : (field.timeZone ?? 'UTC'));
  let lookups = 0;
  // Instants mostly come in order, and an offset holds for long.
  let offset = 0;
  let offsetFrom = Number.NaN;
  let offsetUntil = Number.NaN;
  const wallOf = (instant: number) => {
    if (!(instant >= offsetFrom && instant < offsetUntil)) {
      const before = zone.lookups;
      offset = zone.offsetAt(instant);
      offsetFrom = instant;
      offsetUntil = zone.sameUntil(instant);
      lookups += zone.lookups - before;
    }
    return instant + offset;
  };
  return {
    keyOf: (instant) => {
      const wall = wallOf(instant);
      const day = Math.floor(wall / DAY_MS);
      return part.keyOf(day, wall - day * DAY_MS);
    },
    endOf: (instant) => {
      const wall = wallOf(instant);
      const end =
        part.nextAfter === undefined
          ? (Math.floor(wall / HOUR_MS) + 1) * HOUR_MS
          : part.nextAfter(Math.floor(wall / DAY_MS)) * DAY_MS;
      return Math.min(offsetUntil, end - offset);
    },
    valueOf: (key) => part.valueOf(key),
    get slowSteps() {
      return lookups * STEPS_PER_LOOKUP;
    },
  };
}
