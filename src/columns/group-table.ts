import type { Grouping, Measure } from '../block/grouping.ts';
import { Problem } from '../problem/errors.ts';
import type { GroupColumns } from '../query/row-store.ts';
import type { Value } from '../values/field-type.ts';
import type { ColumnDirectory } from './column-directory.ts';
import type { ColumnStore, Run } from './column-store.ts';
import { GroupIds, MOST_GROUP_NUMBERS } from './group-ids.ts';
import { RowTally, type Tally, talliesOf } from './group-tallies.ts';
import { MatchedColumn } from './matched-column.ts';
import type { Preparing } from './preparing.ts';

/** The most memory that a question's measures may take, in bytes: distinct values, and medians. */
const MOST_BYTES = 2 ** 26;

/** The work of a row for each dimension, in steps. */
const STEPS_PER_DIMENSION = 1;

/** The work of a group in one column of the answer, in steps: it is put in order there. */
const STEPS_PER_VALUE = 100;

/** With more than this, a question waits until few others have as much at the same time. */
const LARGE_BYTES = 2 ** 21;

/** The groups of one question, which grow chunk by chunk. */
export class GroupTable {
  readonly #store: ColumnStore;
  readonly #grouping: Grouping;
  readonly #run: Run;
  readonly #place: Preparing;
  readonly #ids: GroupIds;
  /** One for each measure; some have the same one. */
  readonly #tallies: readonly Tally[];
  readonly #directories = new Map<string, ColumnDirectory>();
  #isKept = false;

  constructor(store: ColumnStore, grouping: Grouping, run: Run, place: Preparing) {
    this.#store = store;
    this.#grouping = grouping;
    this.#run = run;
    this.#place = place;
    this.#ids = new GroupIds(grouping);
    const mostNumbers = Math.min(MOST_GROUP_NUMBERS, store.rows + 1);
    this.#tallies = talliesOf(grouping.measures, mostNumbers);
  }

  /** Reads the directories of the columns that it is about; call it first. */
  async begin(): Promise<void> {
    const { dimensions, measures } = this.#grouping;
    const fields = [...dimensions, ...measures].map(({ field }) => field?.name);
    const names = [...new Set(fields.filter((name) => name !== undefined))];
    const directories = await Promise.all(
      names.map((name) => this.#store.directory(name, this.#run)),
    );
    for (const [i, name] of names.entries()) {
      this.#directories.set(name, directories[i] as ColumnDirectory);
    }
    this.#isKept = this.#store.hasRoomFor(directories, this.#run);
  }

  /** Adds the matching rows of a chunk; all of them if `rows` is absent. */
  async add(chunk: number, rows: Uint16Array | undefined, count: number): Promise<void> {
    const { budget } = this.#run;
    const { dimensions, measures, option = '_group' } = this.#grouping;
    const steps = count * STEPS_PER_DIMENSION * dimensions.length;
    budget.spend(steps, option);
    const tallies = new Map(this.#tallies.map((tally, i) => [tally, measures[i]?.field]));
    for (const tally of tallies.keys()) budget.spend(count * tally.steps, '_measure');
    const columns = await this.#columnsOf(chunk, rows);
    if (!(await this.#addCodes(columns))) {
      const ofField = (name: string) => columns.get(name) as MatchedColumn;
      const ofDimensions = dimensions.map(({ field }) => ofField(field.name));
      const groups = await this.#ids.of(ofDimensions, count, budget);
      await budget.turn(steps);
      for (const [tally, field] of tallies) {
        await tally.add(groups, field && ofField(field.name), budget);
        if (memoryOf(tallies.keys()) > LARGE_BYTES) await this.#place.take(budget);
        await budget.turn(count * tally.steps);
      }
    }
    for (const [name, { held }] of columns) this.#store.recount(name, chunk, held);
  }

  /** Counts the rows of one dimension's groups by its codes, if nothing else is asked for. */
  async #addCodes(columns: ReadonlyMap<string, MatchedColumn>): Promise<boolean> {
    const [tally, others] = this.#tallies;
    const isCount = tally instanceof RowTally && this.#grouping.measures[0]?.field === undefined;
    const [column] = columns.values();
    if (!isCount || others !== undefined || column === undefined) return false;
    const groups = await this.#ids.byCode(column, this.#run.budget);
    if (groups === undefined) return false;
    tally.addCodes(groups, column.rowsOfCodes);
    await this.#run.budget.turn(groups.length);
    return true;
  }

  async #columnsOf(
    chunk: number,
    rows: Uint16Array | undefined,
  ): Promise<Map<string, MatchedColumn>> {
    const columns = new Map<string, MatchedColumn>();
    for (const [name, directory] of this.#directories) {
      const asked = [name, chunk, directory, this.#isKept, this.#run] as const;
      if (rows === undefined) this.#store.readAhead(...asked);
      columns.set(name, new MatchedColumn(await this.#store.chunk(...asked), rows));
    }
    return columns;
  }

  /** The groups so far. */
  async columns(): Promise<GroupColumns> {
    const { budget } = this.#run;
    const { dimensions, measures } = this.#grouping;
    const groups = this.#ids.inOrder();
    const columns: Value[][] = dimensions.map((_, i) => this.#ids.valuesOf(groups, i));
    await budget.turn(groups.length * dimensions.length * STEPS_PER_VALUE);
    for (const [i, tally] of this.#tallies.entries()) {
      columns.push(await tally.values(groups, measures[i] as Measure, budget));
      await budget.turn(groups.length * STEPS_PER_VALUE);
    }
    return { count: groups.length, columns };
  }
}

/** The memory of all measures. Throws a Problem if it is too much. */
function memoryOf(tallies: Iterable<Tally>): number {
  let bytes = 0;
  for (const { byteLength = 0 } of tallies) bytes += byteLength;
  if (bytes <= MOST_BYTES) return bytes;
  const detail = `The measures must keep more than ${MOST_BYTES / 2 ** 20} MB of values at once, the most that a question may. Ask for fewer of distinct and median, or filter for fewer rows.`;
  throw new Problem('too-much-work', detail, {
    faults: [{ code: 'too-much-work', detail, parameter: '_measure' }],
  });
}
