import type { RowStore } from '../query/row-store.ts';
import { type LazyResidentStore, lazyResidentStore } from '../resident/lazy-resident-store.ts';
import { dynamodbStore, type Table } from './dynamodb-store.ts';
import { loadRows } from './load-rows.ts';
import { storeUnavailable } from './store-unavailable.ts';

/** A load that takes longer than this has failed. */
const LOAD_WITHIN_MS = 60_000;

/** A table's store: reads memory for resident plans, DynamoDB for the others. */
export function datasetStore(table: Table): RowStore & Pick<LazyResidentStore, 'load' | 'isReady'> {
  const inTable = dynamodbStore(table);
  const resident = lazyResidentStore(
    table.block,
    () => loadRows(table, AbortSignal.timeout(LOAD_WITHIN_MS)),
    storeUnavailable,
  );
  return {
    load: resident.load,
    isReady: resident.isReady,
    read: (plan, budget) =>
      plan.path === 'resident' ? resident.read(plan, budget) : inTable.read(plan, budget),
  };
}
