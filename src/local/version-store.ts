import type { DatasetBlock } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import type { ColumnCache } from '../columns/column-cache.ts';
import { ColumnRows } from '../columns/column-rows.ts';
import { type ColumnSource, ColumnStore } from '../columns/column-store.ts';
import type { ImportedDataset } from '../import/import-dataset.ts';
import type { LoadedBlock } from '../import/load-blocks.ts';
import { Problem } from '../problem/errors.ts';
import type { RowStore } from '../query/row-store.ts';

/** A dataset to import. */
export type ToImport = LoadedBlock & { readonly kind: 'dataset' };

/** What an import made beside the columns. */
export type Version = Pick<ImportedDataset, 'boundaries' | 'manifest' | 'notes' | 'profile'>;

/** A version that is ready to answer. */
export type OpenVersion = {
  readonly version: Version;
  readonly rows: RowStore;
  readonly outcome: 'imported' | 'already there';
};

/** Where a server has the versions of its datasets: a folder, or the tables of an emulator. */
export type VersionStore = {
  /** Opens the version of a dataset; `make` imports it if it is not there. */
  open(entry: ToImport, make: () => Promise<ImportedDataset>): Promise<OpenVersion>;
  /** Removes what this server does not need, while it answers requests. */
  removeOthers?(): Promise<void>;
  close(): Promise<void>;
};

/** Answers every query from columns. */
export function columnRows(
  { fields }: Pick<DatasetBlock, 'fields'>,
  { rows, rowsPerChunk, bytes }: Manifest,
  source: ColumnSource,
  cache: ColumnCache,
): RowStore {
  const rowBytes = bytes / rows;
  const store = new ColumnStore({ rows, rowsPerChunk, rowBytes, source, cache, unavailable });
  return new ColumnRows(store, fields);
}

/** Turns a failure of the disk into a 503 that tells callers to try again. */
function unavailable(cause: unknown): unknown {
  if (cause instanceof Problem) return cause;
  return new Problem('store-unavailable', 'The data cannot be read just now. Try again soon.', {
    headers: { 'Retry-After': '1' },
    cause,
  });
}
