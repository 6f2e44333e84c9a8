import type { Manifest } from '../block/manifest.ts';
import { type Patience, patiently } from '../work/waiting.ts';
import { checkColumns } from './check-columns.ts';
import { checkIndex, checkRows, type SourceTable } from './check-rows.ts';
import { checkItemVersion, HEAD_KEY } from './column-items.ts';
import { ItemReader } from './item-reader.ts';
import { tableColumns } from './table-columns.ts';

/**
 * Throws unless a table has the dataset's head, all of its rows, its columns, and each index as many
 * rows as have a key there. An import may leave out items and still report success.
 */
export async function checkTable(
  table: SourceTable & { readonly manifest: Manifest },
  patience: Patience,
): Promise<void> {
  const { client, name, manifest } = table;
  const reader = new ItemReader(client, name);
  const head = await patiently(() => reader.read({ key: HEAD_KEY, bytes: HEAD_BYTES }), patience);
  if (head === undefined) throw new Error('The table has no head.');
  checkItemVersion(head, manifest);
  await checkRows(table, patience);
  const source = tableColumns({ ...table, fields: [] });
  const fields = Object.keys(manifest.fields);
  const keyed = await checkColumns({ source, fields, rows: manifest.rows }, patience);
  for (const [field, { mostBytesOfKey }] of Object.entries(manifest.fields)) {
    // Only indexed fields have it.
    if (mostBytesOfKey === undefined) continue;
    await checkIndex(table, field, keyed.get(field) as number, patience);
  }
}

/** The most that a head has. */
const HEAD_BYTES = 4096;
