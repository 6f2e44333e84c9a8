import { startOf, type TextRun } from '../text/text-run.ts';
import { firstWhere } from '../values/comparison.ts';
import { afterAll, type Work } from '../work/work.ts';
import type { CachedChunk } from './cached-chunk.ts';
import {
  type Chunk,
  type ChunkEntry,
  type ColumnDirectory,
  type TextList,
  WORD_COLUMNS,
  type WordOrder,
} from './chunk.ts';
import { compareTo } from './code-ranges.ts';
import type { ColumnStore, ReadContext } from './column-store.ts';
import { beginningsOf } from './word-index.ts';

/** Chunks of the words that are read at once. */
const CHUNKS_AT_ONCE = 8;

/** The costs of a run of rows, and of 32 rows, in steps. */
const STEPS_PER_RUN = 0.5;
const STEPS_PER_BITS = 0.25;

const NAMES = Object.values(WORD_COLUMNS);

/**
 * Finds the rows with all of these words, or words that begin with them: a bit for each row. It
 * reads the chunks that have these words, and no others.
 */
export function* foundWords(
  store: ColumnStore,
  order: WordOrder,
  words: readonly string[],
  context: ReadContext,
): Work<Uint32Array> {
  const list = store.inOrder('words', order);
  const directories = yield* afterAll(NAMES.map((name) => list.directory(name, context)));
  const { chunks: entries } = directories[0] as ColumnDirectory;
  let found: Uint32Array | undefined;
  for (const beginning of beginningsOf(words)) {
    const bits = new Uint32Array(Math.ceil(store.rows / 32));
    const [first, end] = chunksWith(beginning, entries);
    for (let from = first; from < end; from += CHUNKS_AT_ONCE) {
      const some = Math.min(CHUNKS_AT_ONCE, end - from);
      const read = yield* afterAll(
        Array.from({ length: some * NAMES.length }, (_, i) => {
          const [at, chunk] = [i % NAMES.length, from + Math.floor(i / NAMES.length)];
          const directory = directories[at] as ColumnDirectory;
          return list.chunk(NAMES[at] as string, chunk, directory, true, context);
        }),
      );
      for (let i = 0; i < some; i++) {
        const [of, gaps, lengths] = read.slice(i * NAMES.length) as CachedChunk[];
        yield STEPS_PER_RUN *
          mark(
            (of as CachedChunk).chunk,
            (gaps as CachedChunk).chunk,
            (lengths as CachedChunk).chunk,
            beginning,
            bits,
          );
      }
    }
    if (found === undefined) found = bits;
    else
      for (let i = 0; i < bits.length; i++) found[i] = (found[i] as number) & (bits[i] as number);
    yield bits.length * STEPS_PER_BITS;
  }
  return found as Uint32Array;
}

/** The range of the chunks that may have words with this beginning, by the chunks' bounds. */
function chunksWith(
  beginning: Buffer,
  entries: readonly ChunkEntry[],
): [first: number, end: number] {
  const boundOf = (bound: 'min' | 'max', chunk: number) =>
    Buffer.from(entries[chunk]?.[bound] as string);
  const first = firstWhere(
    (chunk) => {
      const max = boundOf('max', chunk);
      return max.compare(beginning.subarray(0, max.length)) >= 0;
    },
    0,
    entries.length,
  );
  const end = firstWhere(
    (chunk) => boundOf('min', chunk).subarray(0, beginning.length).compare(beginning) > 0,
    first,
    entries.length,
  );
  return [first, end];
}

/** Sets the bits of the rows of a chunk's words with this beginning. Returns the number of runs. */
function mark(
  of: Chunk,
  gaps: Chunk,
  lengths: Chunk,
  beginning: Buffer,
  bits: Uint32Array,
): number {
  const { keys } = of.dictionary as TextList;
  const low = firstWhere((code) => compareTo(beginning, keys, code) >= 0, 0, of.size);
  const high = firstWhere((code) => !beginsWith(keys, code, beginning), low, of.size);
  const codes = of.codes;
  const first = firstWhere((run) => (codes[run] as number) >= low, 0, codes.length);
  const end = firstWhere((run) => (codes[run] as number) >= high, first, codes.length);
  const [gapsOf, lengthsOf] = [gaps.codes, lengths.codes];
  const [leastGap, leastLength] = [firstOf(gaps), firstOf(lengths)];
  let [word, row] = [-1, 0];
  for (let run = first; run < end; run++) {
    const code = codes[run] as number;
    if (code !== word) row = 0;
    word = code;
    row += leastGap + (gapsOf[run] as number);
    const last = row + leastLength + (lengthsOf[run] as number);
    if (last - row > 32) {
      setRun(bits, row, last);
      row = last;
    } else {
      for (; row < last; row++) {
        bits[row >>> 5] = (bits[row >>> 5] as number) | (1 << (row & 31));
      }
    }
  }
  return end - first;
}

/** The number that code 0 stands for. */
function firstOf({ dictionary }: Chunk): number {
  if (dictionary.kind === 'frame' && dictionary.power === 0) return dictionary.first;
  throw new TypeError('The runs of words are whole numbers of a frame.');
}

function beginsWith(keys: TextRun, code: number, beginning: Buffer): boolean {
  const start = startOf(keys, code);
  const end = start + beginning.length;
  return (
    end <= (keys.ends[code] as number) &&
    keys.bytes.compare(beginning, 0, beginning.length, start, end) === 0
  );
}

/** Sets all bits of a long run. */
function setRun(bits: Uint32Array, from: number, end: number): void {
  const [first, last] = [from >>> 5, end >>> 5];
  const firstBits = -1 << (from & 31);
  const lastBits = (1 << (end & 31)) - 1;
  bits[first] = (bits[first] as number) | firstBits;
  bits.fill(0xffffffff, first + 1, last);
  if (lastBits !== 0) bits[last] = (bits[last] as number) | lastBits;
}
