import { Problem } from '../problem/errors.ts';
import { numberText } from '../text/wording.ts';
import { MOST_AT_ONCE } from '../work/scheduler.ts';
import type { OutputFormat } from './format.ts';
import { jsonBytes } from './ndjson.ts';

/** Apache Parquet, with the types of a dataset's fields; its media type is in IANA's list. */
export const parquet: OutputFormat = {
  title: 'Parquet',
  contentType: 'application/vnd.apache.parquet',
  accepted: ['application/vnd.apache.parquet'],
  extension: 'parquet',
  isBinary: true,
  // One value is no table with types.
  isOf: ({ isRows }) => isRows,
  checkSize: (rows, bytes) => {
    if (bytes > MOST_BYTES) throw tooLarge(rows, bytes);
  },
  takesValues: true,
  rowBytes: (columns) => jsonBytes(columns) * SHARE_OF_JSON,
  writer: async (asked, scheduler) => {
    const slots = scheduler.slots('writeParquet');
    if (slots.areTaken) throw tooManyFiles();
    const { parquetPieces } = await loadParquet();
    return async function* (batches, budget) {
      slots.take();
      try {
        // What is too much was refused by an estimate, which may be wrong.
        const most = asked.isKept ? undefined : 2 * MOST_BYTES;
        yield* parquetPieces(asked, batches, budget, most);
      } finally {
        slots.free();
      }
    };
  },
};

/**
 * Loads the code that writes Parquet at the first request for it. A function has it in a separate
 * file (`src/build/bundle-handler.ts`).
 */
export const loadParquet = () => import('./parquet-writer.ts');

/**
 * Rows of a Parquet file, as JSON, estimated by the rows of the first page. Then 400; a file breaks
 * off at twice as many characters.
 */
const MOST_BYTES = 2e9;

/**
 * The bytes of a Parquet file, as a share of those of its rows as JSON. Rows of numbers and short
 * texts take a fifth to a tenth, and rows with the same texts again and again a sixtieth. So no
 * file that has room is refused, unless its rows repeat themselves so much.
 */
const SHARE_OF_JSON = 1 / 20;

function tooLarge(rows: number, bytes: number): Problem {
  const gigabytes = (bytes / 1e9).toFixed(1);
  const detail = `${numberText(rows)} rows match, about ${gigabytes} GB as JSON, and a Parquet file takes at most ${MOST_BYTES / 1e9} GB. Filter for fewer rows, name the fields that you need in _fields, or take CSV (_format=csv), which has no such bound.`;
  return new Problem('result-too-large', detail, { fault: { parameter: '_format' } });
}

export function tooManyFiles(): Problem {
  const detail = `${MOST_AT_ONCE.writeParquet} Parquet files are being written, and no more at once. Try again soon, or take CSV (_format=csv).`;
  return new Problem('service-unavailable', detail, { headers: { 'Retry-After': '1' } });
}
