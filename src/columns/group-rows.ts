import type { Row, Value } from '../fields/field.ts';
import { Problem } from '../problem/errors.ts';
import { columnsOf, type Grouping, MOST_GROUPS } from '../query/grouping.ts';
import type { Groups } from '../query/row-store.ts';
import type { ColumnDirectory } from './column-directory.ts';
import type { ColumnStore, Run } from './column-store.ts';
import { GroupIds } from './group-ids.ts';
import { type Tally, tallyOf } from './group-tallies.ts';
import { MatchedColumn } from './matched-column.ts';
import { Preparing } from './preparing.ts';
import type { MatchIn } from './row-search.ts';

/** The most memory that a question's measures may take, in bytes: distinct values, and medians. */
const MOST_BYTES = 2 ** 26;

/** The work of a row for each dimension, in steps. */
const STEPS_PER_DIMENSION = 1;

/** With more than this, a question waits until few others have as much at the same time. */
const LARGE_BYTES = 2 ** 21;

/** Groups the rows that match, chunk by chunk. Throws a Problem if there are too many groups. */
export async function groupRows(
  store: ColumnStore,
  grouping: Grouping,
  matchIn: MatchIn,
  run: Run,
): Promise<Groups> {
  const place = new Preparing();
  try {
    return await grouped(store, grouping, matchIn, run, place);
  } finally {
    place.leave();
  }
}

async function grouped(
  store: ColumnStore,
  grouping: Grouping,
  matchIn: MatchIn,
  run: Run,
  place: Preparing,
): Promise<Groups> {
  const { dimensions, measures, option = '_group' } = grouping;
  const fields = [...dimensions, ...measures].map(({ field }) => field?.name);
  const names = [...new Set(fields.filter((name) => name !== undefined))];
  const directories = await Promise.all(names.map((name) => store.directory(name, run)));
  const isKept = store.hasRoomFor(directories, run);
  const ids = new GroupIds(grouping);
  const mostGroups = Math.min(MOST_GROUPS, Math.max(store.rows, 1));
  const tallies = measures.map((measure) => tallyOf(measure, mostGroups));
  let matching = 0;
  for (let chunk = 0; chunk < store.chunks; chunk++) {
    const match = await matchIn(chunk);
    const rows = match?.rows(0, match.count);
    const count =
      match?.count ?? Math.min(store.rowsPerChunk, store.rows - chunk * store.rowsPerChunk);
    if (count === 0) continue;
    matching += count;
    run.budget.spend(count * STEPS_PER_DIMENSION * dimensions.length, option);
    for (const { steps } of tallies) run.budget.spend(count * steps, '_measure');
    const columns = new Map<string, MatchedColumn>();
    for (const [i, name] of names.entries()) {
      const directory = directories[i] as ColumnDirectory;
      if (match === undefined) store.readAhead(name, chunk, directory, isKept, run);
      const held = await store.chunk(name, chunk, directory, isKept, run);
      columns.set(name, new MatchedColumn(held, rows));
    }
    const ofField = (name: string) => columns.get(name) as MatchedColumn;
    const groups = await ids.of(
      dimensions.map(({ field }) => ofField(field.name)),
      count,
      run.budget,
    );
    await run.budget.turn(count * STEPS_PER_DIMENSION * dimensions.length);
    for (const [i, tally] of tallies.entries()) {
      const { field } = measures[i] as Grouping['measures'][number];
      await tally.add(groups, field && ofField(field.name), run.budget);
      if (memoryOf(tallies) > LARGE_BYTES) await place.take(run.budget);
      await run.budget.turn(count * tally.steps);
    }
    for (const [name, { held }] of columns) store.recount(name, chunk, held);
  }
  // Without dimensions, all rows are one group, even if none matches.
  const groups = dimensions.length === 0 || matching > 0 ? ids.count : 0;
  const results: Value[][] = [];
  for (const tally of tallies) results.push(await tally.values(groups, run.budget));
  const columns = columnsOf(grouping).map(({ name }) => name);
  const rows = Array.from({ length: groups }, (_, group): Row => {
    const values = [...ids.valuesOf(group), ...results.map((values) => values[group] ?? null)];
    return Object.fromEntries(columns.map((name, i) => [name, values[i] ?? null]));
  });
  return { rows, matching };
}

/** The memory of all measures. Throws a Problem if it is too much. */
function memoryOf(tallies: readonly Tally[]): number {
  const bytes = tallies.reduce((sum, { byteLength = 0 }) => sum + byteLength, 0);
  if (bytes <= MOST_BYTES) return bytes;
  const detail = `The measures must keep more than ${MOST_BYTES / 2 ** 20} MB of values at once, the most that a question may. Ask for fewer of distinct and median, or filter for fewer rows.`;
  throw new Problem('too-much-work', detail, {
    faults: [{ code: 'too-much-work', detail, parameter: '_measure' }],
  });
}
