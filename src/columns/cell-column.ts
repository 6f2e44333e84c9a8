import { NumberTable } from '../measures/text-ids.ts';
import type { MapCells } from '../values/map-cells.ts';
import type { Work } from '../work/work.ts';
import { CachedChunk } from './cached-chunk.ts';
import { MatchedColumn } from './matched-column.ts';

/** How many places are put into cells without a pause, and the cost of one, in steps. */
const PLACES_AT_ONCE = 2 ** 12;
export const STEPS_PER_CELL = 15;

/**
 * Makes a column with the key of each matching row's cell, from the columns of its place. Its codes
 * are in the order of the rows, not of the keys, which is enough for groups.
 */
export function* cellColumn(
  cells: MapCells,
  { keys: longitudes }: MatchedColumn,
  { keys: latitudes }: MatchedColumn,
): Work<MatchedColumn> {
  const codes = new Uint32Array(longitudes.length);
  const values: number[] = [Number.NaN];
  const known = new NumberTable();
  for (let from = 0; from < codes.length; from += PLACES_AT_ONCE) {
    const end = Math.min(from + PLACES_AT_ONCE, codes.length);
    for (let row = from; row < end; row++) {
      const key = cells.keyOf(longitudes[row] as number, latitudes[row] as number);
      // A row without a place keeps code 0.
      if (Number.isNaN(key)) continue;
      let code = known.get(key);
      if (code === undefined) {
        code = values.push(key) - 1;
        known.add(key, code);
      }
      codes[row] = code;
    }
    yield PLACES_AT_ONCE * STEPS_PER_CELL;
  }
  const dictionary = { kind: 'numbers' as const, values: Float64Array.from(values) };
  const chunk = { codes, firstKey: 1 as const, size: values.length, dictionary };
  return new MatchedColumn(new CachedChunk(chunk), undefined);
}
