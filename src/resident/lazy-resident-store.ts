import type { DatasetBlock } from '../block/block.ts';
import type { KeyedRow } from '../query/predicate.ts';
import type { RowStore } from '../query/row-store.ts';
import { withinSignal } from '../waiting/within.ts';
import { residentStore } from './resident-store.ts';

export type LazyResidentStore = RowStore & {
  /** Starts the load, or joins the one under way. After a failure, the next call starts another. */
  load(): Promise<RowStore>;
  /** Whether the rows are loaded. Starts the load if they are not. */
  isReady(): boolean;
};

/** A resident store whose rows are loaded once, on first use. */
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
      // Whoever waits for the load gets its error.
      if (loaded === undefined) load().catch(() => {});
      return loaded !== undefined;
    },
    // The load continues when a request stops waiting for it, so a later one can still use it.
    read: async (plan, budget) => {
      const store = loaded ?? (await withinSignal(load(), budget.signal, unavailable));
      return store.read(plan, budget);
    },
  };
}
