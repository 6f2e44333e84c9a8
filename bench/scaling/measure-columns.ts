import { bytesInMemory, CHUNK_ROWS, type ChunkEntry } from '../../src/columns/chunk.ts';
import { columnItems } from '../../src/dynamodb/column-items.ts';
import { itemBytes, makeItem } from '../../src/dynamodb/item.ts';
import { keyRow } from '../../test/support/key-row.ts';
import { packColumns } from '../../test/support/pack-columns.ts';
import { censusRows } from '../data/census-rows.ts';
import { directoryRows } from '../data/directory-rows.ts';
import { seededRandom } from '../data/seeded-random.ts';
import { readsOf } from './column-model.ts';
import {
  BLOCKS,
  type DatasetSizes,
  type Kind,
  type MeasuredColumns,
  SAMPLE_ROWS,
} from './measured.ts';

const GENERATED = { census: censusRows, directory: directoryRows };

/** The columns of generated rows, packed chunk by chunk, so that memory holds the rows of one. */
function packGenerated(kind: Kind, rows: number): ReadonlyMap<string, Column> {
  const { fields } = BLOCKS[kind];
  const random = seededRandom(rows);
  const columns = new Map<string, Column>(fields.map(({ name }) => [name, noChunks()]));
  for (let from = 0; from < rows; from += CHUNK_ROWS) {
    const some = GENERATED[kind](Math.min(CHUNK_ROWS, rows - from), random);
    const packed = packColumns(fields, some);
    for (const [name, { directory, chunks }] of packed.columns) {
      columns.get(name)?.directory.chunks.push(...directory.chunks);
      columns.get(name)?.chunks.push(...chunks);
    }
  }
  return columns;
}

type Column = { readonly directory: { readonly chunks: ChunkEntry[] }; readonly chunks: Buffer[] };
const noChunks = (): Column => ({ directory: { chunks: [] }, chunks: [] });

/** The sizes that the model is made of. */
export function measureSizes(kind: Kind): DatasetSizes {
  const { fields } = BLOCKS[kind];
  const samples = SAMPLE_ROWS.map((rows) => packGenerated(kind, rows));
  const columns = fields.map(({ name }) => {
    const entries = samples.flatMap((columns) => columns.get(name)?.directory.chunks ?? []);
    const packed = entries.map(({ bytes }) => bytes);
    const entry = JSON.stringify(entries.at(-1)).length;
    return [name, { entry, packed, held: entries.map(bytesInMemory) }] as const;
  });
  const items = GENERATED[kind](10_000, seededRandom(1)).map((row, position) =>
    makeItem(fields, keyRow(fields, row), position, 1000),
  );
  const lines = items.map((Item) => JSON.stringify({ Item }).length + 1);
  return {
    item: sum(items.map(itemBytes)) / items.length,
    line: sum(lines) / lines.length,
    columns: Object.fromEntries(columns),
  };
}

/** All items of a dataset's columns, as the importer makes them. */
export function measureColumns(kind: Kind, rows: number): MeasuredColumns {
  const columns = packGenerated(kind, rows);
  const items = columnItems({ columns }, { version: '0'.repeat(20) });
  const entries = [...columns.values()].flatMap(({ directory }) => directory.chunks);
  return { kind, rows, ...readsOf(items.map(itemBytes)), held: sum(entries.map(bytesInMemory)) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
