import type { DatasetBlock } from '../core/block.ts';
import type { KeyedRow } from '../core/predicate.ts';
import type { RowStore } from '../core/row-store.ts';
import { withinSignal } from '../core/within-signal.ts';
import { residentStore } from './resident-store.ts';

export type LazyResidentStore = RowStore & {
  /** Begins the load, or waits for the one under way. A failed load is begun anew next time. */
  load(): Promise<RowStore>;
};

/** A resident store whose rows are loaded once, by the first who needs them. */
export function lazyResidentStore(
  block: DatasetBlock,
  loadRows: () => Promise<readonly KeyedRow[]>,
  unavailable: (cause: unknown) => unknown,
): LazyResidentStore {
  let loading: Promise<RowStore> | undefined;
  let loaded: RowStore | undefined;
  const load = () => {
    loading ??= loadRows()
      .then((rows) => {
        loaded = residentStore(block.fields, rows);
        return loaded;
      })
      .catch((error) => {
        loading = undefined;
        throw error;
      });
    return loading;
  };
  return {
    load,
    // The load goes on when a request stops waiting for it; the next one finds it further on.
    read: async (plan, signal) => {
      const store = loaded ?? (await withinSignal(load(), signal(), unavailable));
      return store.read(plan, signal);
    },
  };
}
