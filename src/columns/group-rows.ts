import type { Grouping } from '../block/grouping.ts';
import type { GroupColumns, Groups } from '../query/row-store.ts';
import type { ColumnStore, Run } from './column-store.ts';
import { GroupTable } from './group-table.ts';
import { Preparing } from './preparing.ts';
import type { MatchIn } from './row-search.ts';

/**
 * Groups the rows that match, chunk by chunk, in each of several ways. Throws a Problem if one of
 * them has too many groups.
 */
export async function groupRows(
  store: ColumnStore,
  groupings: readonly Grouping[],
  matchIn: MatchIn,
  run: Run,
): Promise<Groups> {
  const place = new Preparing();
  const tables = groupings.map((grouping) => new GroupTable(store, grouping, run, place));
  try {
    for (const table of tables) await table.begin();
    let matching = 0;
    for (let chunk = 0; chunk < store.chunks; chunk++) {
      const match = await matchIn(chunk);
      const rows = match?.rows(0, match.count);
      const count =
        match?.count ?? Math.min(store.rowsPerChunk, store.rows - chunk * store.rowsPerChunk);
      if (count === 0) continue;
      matching += count;
      for (const table of tables) await table.add(chunk, rows, count);
    }
    const groups: GroupColumns[] = [];
    for (const table of tables) groups.push(await table.columns());
    return { groups, matching };
  } finally {
    place.leave();
  }
}
