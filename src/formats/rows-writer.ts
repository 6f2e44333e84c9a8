import type { Block, DatasetBlock } from '../block/block.ts';
import type { Boundaries } from '../block/declaration.ts';
import type { Format } from '../block/options.ts';
import { Problem } from '../problem/errors.ts';
import type { Budget } from '../work/budget.ts';
import { MOST_AT_ONCE, type Scheduler } from '../work/scheduler.ts';
import { csvOf } from './csv.ts';
import { featuresOf, type GeojsonAsked } from './geojson.ts';
import type { ParquetField } from './parquet.ts';

/** A format that has only an answer's rows, with no place for anything else. */
export type RowsFormat = Exclude<Format, 'json' | 'html'>;

/** A format that is written some rows at a time, as text. */
type TextFormat = Exclude<RowsFormat, 'parquet'>;

export type RowsAsked = {
  readonly block: Block;
  /** The members of each row, in order. */
  readonly columns: readonly string[];
  /** The same with their types, of a dataset's rows. */
  readonly typed: readonly ParquetField[];
  /** The members to give of rows that have more; all if absent. */
  readonly fields?: readonly string[];
  readonly form?: GeojsonAsked['form'];
  /** Whether CSV has texts as they are. */
  readonly raw?: boolean;
  readonly boundaries?: () => Boundaries;
};

/** Writes rows in a format, some at a time. */
export type RowsWriter = {
  readonly before: string;
  /** Some rows, given as JSON texts; `isFirst` if no row is before them. */
  rows(texts: readonly string[], isFirst: boolean): string;
  readonly behind: string;
};

/**
 * The most bytes of rows, as JSON, of a Parquet file: its end lists all of its parts, which are held
 * until then.
 */
export const MOST_PARQUET_BYTES = 2e9;

export function tooManyFiles(): Problem {
  const detail = `${MOST_AT_ONCE.writeParquet} Parquet files are being written, and no more at once. Try again soon, or take CSV (_format=csv).`;
  return new Problem('service-unavailable', detail, { headers: { 'Retry-After': '1' } });
}

type Batches = AsyncIterable<readonly string[]> | Iterable<readonly string[]>;

/** The body of an answer in a format, in pieces. */
export type WritePieces = (batches: Batches, budget: Budget) => AsyncGenerator<string | Uint8Array>;

/** How rows, given as JSON texts, are written in a format. */
export async function writePiecesOf(
  format: RowsFormat,
  asked: RowsAsked,
  scheduler: Scheduler,
): Promise<WritePieces> {
  if (format === 'parquet') {
    const slots = scheduler.slots('writeParquet');
    if (slots.areTaken) throw tooManyFiles();
    const { parquetPieces } = await loadParquet();
    return async function* (batches, budget) {
      slots.take();
      try {
        // What is too much was refused by an estimate, which may be wrong.
        yield* parquetPieces(asked.typed, batches, budget, 2 * MOST_PARQUET_BYTES);
      } finally {
        slots.free();
      }
    };
  }
  const writer = rowsWriter(format, asked);
  return (batches, budget) => rowsPieces(writer, batches, budget);
}

/**
 * Loads the code that writes Parquet at the first request for it. A function has it in a separate
 * file (`src/build/bundle-handler.ts`).
 */
export const loadParquet = () => import('./parquet.ts');

export function rowsWriter(format: TextFormat, asked: RowsAsked): RowsWriter {
  switch (format) {
    case 'ndjson':
      return {
        before: '',
        rows: (texts) => texts.map((text) => `${text}\n`).join(''),
        behind: '',
      };
    case 'csv': {
      const { columns } = asked;
      return {
        before: csvOf(columns, []),
        rows: (texts) => {
          const rows = texts.map((text) => JSON.parse(text));
          return csvOf(columns, rows, { header: false, raw: asked.raw ?? false });
        },
        behind: '',
      };
    }
    case 'geojson': {
      const its = geojsonAsked(asked);
      return {
        before: '{"type":"FeatureCollection","features":[',
        rows: (texts, isFirst) => (isFirst ? '' : ',') + featuresOf(texts, its).join(','),
        behind: ']}',
      };
    }
  }
}

/** How many rows, and of about how many characters, are written before others get their turn. */
const ROWS_AT_ONCE = 50;
const CHARACTERS_AT_ONCE = 2 ** 15;

/** The least length of a piece: each is a write of its own. */
const PIECE_LENGTH = 2 ** 16;

/** The work of writing a character of a row, in steps. */
const STEPS_PER_CHARACTER = 3;

/**
 * The body of an answer as text, in pieces. Pauses so that others are answered too, and before
 * each further piece: many callers may be ready for theirs at once.
 */
export async function* rowsPieces(
  { before, rows, behind }: RowsWriter,
  batches: Batches,
  budget: Budget,
): AsyncGenerator<string> {
  // By itself, before any work: writing it may show that nobody is there.
  yield before;
  let piece = '';
  let isFirst = true;
  for await (const texts of batches) {
    // Rows have the same columns, so the first tells about how long the others are.
    const fitting = Math.ceil(CHARACTERS_AT_ONCE / Math.max(1, texts[0]?.length ?? 1));
    const atOnce = Math.min(ROWS_AT_ONCE, fitting);
    for (let from = 0; from < texts.length; from += atOnce) {
      const written = rows(texts.slice(from, from + atOnce), isFirst);
      isFirst = false;
      piece += written;
      if (piece.length >= PIECE_LENGTH) {
        yield piece;
        piece = '';
        await budget.pause();
      } else await budget.turn(written.length * STEPS_PER_CHARACTER);
    }
  }
  yield piece + behind;
}

/** How to write rows as GeoJSON. */
export function geojsonAsked({
  block,
  fields,
  form,
  boundaries,
}: Omit<RowsAsked, 'columns' | 'typed'>): GeojsonAsked {
  const { geometry } = block as DatasetBlock;
  if (geometry === undefined) throw new TypeError(`${block.name} has no geometry.`);
  return {
    geometry,
    fields,
    form,
    ...(boundaries === undefined ? {} : { boundaries: boundaries() }),
  };
}
