import type { DatasetBlock } from '../block/block.ts';
import type { KeyedRow } from '../query/predicate.ts';
import type { RowStore } from '../query/row-store.ts';
import { withinSignal } from '../waiting/within.ts';
import { residentStore } from './resident-store.ts';

export type LazyResidentStore = RowStore & {
  /** Begins the load, or waits for the one under way. A failed load is begun anew next time. */
  load(): Promise<RowStore>;
  /** Whether the rows are here. Begins the load where they are not. */
  isReady(): boolean;
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
    isReady: () => {
      // A failure is told to who waits for the load.
      if (loaded === undefined) load().catch(() => {});
      return loaded !== undefined;
    },
    // The load goes on when a request stops waiting for it; the next one finds it further on.
    read: async (plan, budget) => {
      const store = loaded ?? (await withinSignal(load(), budget.signal, unavailable));
      return store.read(plan, budget);
    },
  };
}
