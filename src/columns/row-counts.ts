import type { KnownValue, RowCounts } from '../query/zero-result-help.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { type Chunk, keyAt, textOfRow } from './chunk.ts';
import type { ChunkEntry } from './column-directory.ts';
import type { ColumnStore, Run } from './column-store.ts';
import { beginSearch, type Shortcuts, searchChunk, stepsOfChunk } from './row-search.ts';

/** With more values than this, or longer ones, there are not enough steps to look for near ones. */
const MOST_VALUES = 20_000;
const MOST_BYTES = 2 ** 20;

/** Counts rows and lists values for help with an empty answer; spends the steps for hints. */
export function rowCounts(
  store: ColumnStore,
  fields: readonly Field[],
  run: Run,
  shortcuts: Shortcuts,
): RowCounts {
  const { rows, chunks } = store;
  const { budget } = run;
  return {
    rows,
    texts: fields.filter(isText).map(({ name }) => name),
    count: async (predicate) => {
      const search = await beginSearch(store, predicate, run, shortcuts);
      const steps = Array.from({ length: chunks }, (_, chunk) => stepsOfChunk(search, chunk));
      if (!budget.affordHint(steps.reduce((sum, its) => sum + its, 0))) return null;
      let count = 0;
      for (const [chunk, its] of steps.entries()) {
        count += (await searchChunk(search, chunk, its)).count;
      }
      return count;
    },
    values: async (field) => {
      const found = store.directory(field, run);
      const directory = found instanceof Promise ? await found : found;
      const values = directory.chunks.reduce((sum, { distinct }) => sum + distinct, 0);
      const bytes = directory.chunks.reduce(
        (sum, { dictionary: its }) => sum + (its.kind === 'texts' ? its.keyBytes : 0),
        0,
      );
      if (values > MOST_VALUES || bytes > MOST_BYTES) return [];
      const isKept = store.hasRoomFor([directory], run);
      const known = new Map<string, KnownValue>();
      for (const chunk of directory.chunks.keys()) {
        const held = await store.chunk(field, chunk, directory, isKept, run);
        for (const value of valuesIn(held.chunk, directory.chunks[chunk] as ChunkEntry)) {
          const before = known.get(value.key);
          known.set(
            value.key,
            before === undefined ? value : { ...before, rows: before.rows + value.rows },
          );
        }
      }
      return known.values();
    },
  };
}

function isText(field: Field): boolean {
  const type = typeOf(field);
  return type.comparedBy === 'text' && !type.byDigits;
}

/** The keys of a chunk: the first spelling of each, and its number of rows. */
function* valuesIn(chunk: Chunk, { size, firstKey }: ChunkEntry): Generator<KnownValue> {
  const counts = new Uint32Array(size);
  const firstRows = new Uint32Array(size);
  const { codes, dictionary } = chunk;
  for (let row = codes.length - 1; row >= 0; row--) {
    const code = codes[row] as number;
    counts[code] = (counts[code] as number) + 1;
    firstRows[code] = row;
  }
  if (dictionary.kind !== 'texts') return;
  for (let code: number = firstKey; code < size; code++) {
    yield {
      key: keyAt(chunk, code) as string,
      text: textOfRow(chunk, firstRows[code] as number) as string,
      rows: counts[code] as number,
    };
  }
}
