import { shardsOf } from '../block/manifest.ts';
import type { KeyedRow } from '../query/predicate.ts';
import { queryInputs, SHARDS_AHEAD, type Table } from './dynamodb-store.ts';
import { inSequence, PageReader } from './page-reader.ts';
import { datasetIncomplete, rowMissing } from './store-unavailable.ts';

/** All rows of a table, in the dataset's order. Throws a Problem if any is missing. */
export async function loadRows(table: Table, signal: AbortSignal): Promise<KeyedRow[]> {
  const { client, block, manifest } = table;
  const unbounded = { mostPages: Number.POSITIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  const reader = new PageReader(client, block.fields, signal, unbounded);
  const inputs = queryInputs(table, {
    path: 'shards',
    query: { predicate: [], limit: manifest.rows },
    filter: [],
    readsAll: true,
    firstShard: 0,
    shards: shardsOf(manifest),
  });
  const rows: KeyedRow[] = [];
  for await (const batch of inSequence(
    inputs.map((input) => reader.pages(input)),
    SHARDS_AHEAD,
    (shard) => (shard + 1) * manifest.rowsPerShard - 1,
  )) {
    for (const row of batch?.rows ?? []) {
      if (row.position !== rows.length) throw rowMissing(rows.length);
      rows.push(row);
    }
  }
  if (rows.length !== manifest.rows) throw datasetIncomplete(manifest.rows, rows.length);
  return rows;
}
