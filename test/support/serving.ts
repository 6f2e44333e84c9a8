import type { DatasetBlock } from '../../src/block/block.ts';
import { blockRoutes } from '../../src/http/block-routes.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { serviceOf } from '../../src/http/service.ts';
import type { RowStore } from '../../src/query/row-store.ts';
import type { Row } from '../../src/values/field-type.ts';
import { SETTINGS } from './ample.ts';
import { makeDataset } from './datasets.ts';
import { memoryRows } from './memory-rows.ts';
import { requestOf } from './request-of.ts';

type Changes = { readonly store?: Partial<RowStore>; readonly rowsPerChunk?: number };

/** Serves a block of these rows from memory. Returns what asks it, and its manifest. */
export function serve(block: DatasetBlock, rows: readonly Row[], changes: Changes = {}) {
  const { store: change = {}, ...chunks } = changes;
  const { manifest, profile, rows: packed } = makeDataset(block, rows, { title: 'Made' });
  const store = Object.assign(memoryRows(block.fields, packed, chunks), change);
  const served = serveDataset({ block, manifest, store }, { profile: () => profile });
  return { request: requestOf(serviceOf(blockRoutes(served), SETTINGS)), manifest };
}
