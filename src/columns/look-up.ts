import type { LookUp } from '../query/row-store.ts';
import { isWildcard } from '../text/pattern.ts';
import { nextWhere } from '../values/comparison.ts';
import type { Interval, KeyTest } from '../values/field-type.ts';
import type { Work } from '../work/work.ts';
import type { CachedChunk } from './cached-chunk.ts';
import { type ChunkEntry, numberAt } from './chunk.ts';
import { compareTo } from './code-ranges.ts';
import type { ColumnStore, ReadContext } from './column-store.ts';
import { MatchedColumn } from './matched-column.ts';
import { Scan } from './scan.ts';
import { STEPS_PER_ROW } from './searched-conditions.ts';
import { mayMatch } from './select-codes.ts';

/** The cost of looking a value up in a chunk, behind the one before it, in steps. */
const STEPS_PER_VALUE = 20;

/** How many values are looked up without a pause. */
const VALUES_AT_ONCE = 2 ** 12;

/** A value that has not been found yet, and its index among all values. */
type Sought = { readonly index: number; readonly key: Buffer | Interval; readonly test: KeyTest };

/**
 * Tells for each value whether some row has it: 1 if so, or if it has a wildcard, which is not
 * looked up. The values ascend, so that each chunk is gone through once.
 */
export async function lookUp(
  store: ColumnStore,
  { field, tests, parameter }: LookUp,
  context: ReadContext,
): Promise<Uint8Array> {
  const { budget } = context;
  const found = new Uint8Array(tests.length);
  let left: readonly Sought[] = soughtOf(tests, found);
  const scan = await Scan.begin(store, { predicate: [], fields: [field] }, context);
  const entries = scan.entriesOf(field);
  const soughtIn = (chunk: number) =>
    left.filter(({ test }) => mayHave(test, field, entries[chunk] as ChunkEntry));
  for await (const { chunk, count, columns } of scan.parts(0, (at) => soughtIn(at).length > 0)) {
    const here = soughtIn(chunk);
    budget.spend(here.length * STEPS_PER_VALUE, parameter);
    await scan.run(lookUpIn(columns[0] as CachedChunk, here, found));
    await budget.checkpoint(count * STEPS_PER_ROW);
    left = left.filter(({ index }) => found[index] === 0);
  }
  return found;
}

/** Marks the values that some row of a chunk has. */
function* lookUpIn(cached: CachedChunk, sought: readonly Sought[], found: Uint8Array): Work<void> {
  const keys = keysOf(cached);
  let from = 0;
  for (const [i, { index, key }] of sought.entries()) {
    from = nextWhere((place) => keys.compare(place, key) >= 0, from, keys.count);
    if (from === keys.count) break;
    if (keys.isIn(from, key)) found[index] = 1;
    if (i % VALUES_AT_ONCE === 0) yield VALUES_AT_ONCE * STEPS_PER_VALUE;
  }
}

function soughtOf(tests: readonly KeyTest[], found: Uint8Array): Sought[] {
  const sought = tests.flatMap((test, index): Sought[] => {
    if (test.test === 'ranges') {
      const [range] = test.anyOf;
      return range === undefined ? [] : [{ index, key: range, test }];
    }
    const [pattern] = test.anyOf;
    if (pattern === undefined || !isWildcard(pattern)) {
      return [{ index, key: Buffer.from(pattern?.[0] ?? ''), test }];
    }
    found[index] = 1;
    return [];
  });
  return sought.sort((a, b) =>
    Buffer.isBuffer(a.key) ? a.key.compare(b.key as Buffer) : a.key[0] - (b.key as Interval)[0],
  );
}

function mayHave(test: KeyTest, field: string, entry: ChunkEntry): boolean {
  return mayMatch({ field, parameters: [], ...test }, entry);
}

/** The keys of a chunk that some row has, ascending. */
type ChunkKeys = {
  readonly count: number;
  /** Compares a key with the lower end of a value: negative if the key is less. */
  compare(place: number, value: Buffer | Interval): number;
  /** Whether a key that is not less than a value's lower end is in the value. */
  isIn(place: number, value: Buffer | Interval): boolean;
};

function keysOf(cached: CachedChunk): ChunkKeys {
  const { dictionary, firstKey, size } = cached.chunk;
  if (dictionary.kind === 'texts') {
    const compare = (place: number, value: Buffer | Interval) =>
      compareTo(value as Buffer, dictionary.keys, firstKey + place);
    const isIn = (place: number, value: Buffer | Interval) => compare(place, value) === 0;
    return { count: size - firstKey, compare, isIn };
  }
  // A frame has codes of numbers that no row has.
  const used =
    dictionary.kind === 'frame' ? new MatchedColumn(cached, undefined).usedCodes : undefined;
  const keyAt = (place: number) =>
    numberAt(dictionary, used === undefined ? firstKey + place : (used[place] as number));
  return {
    count: used?.length ?? size - firstKey,
    compare: (place, value) => keyAt(place) - (value as Interval)[0],
    isIn: (place, value) => keyAt(place) <= (value as Interval)[1],
  };
}
