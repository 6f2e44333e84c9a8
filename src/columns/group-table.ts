import type { Row, Value } from '../fields/field.ts';
import { Problem } from '../problem/errors.ts';
import { columnsOf, type Grouping, MOST_GROUPS } from '../query/grouping.ts';
import type { ColumnDirectory } from './column-directory.ts';
import type { ColumnStore, Run } from './column-store.ts';
import { GroupIds } from './group-ids.ts';
import { type Tally, tallyOf } from './group-tallies.ts';
import { MatchedColumn } from './matched-column.ts';
import type { Preparing } from './preparing.ts';

/** The most memory that a question's measures may take, in bytes: distinct values, and medians. */
const MOST_BYTES = 2 ** 26;

/** The work of a row for each dimension, in steps. */
const STEPS_PER_DIMENSION = 1;

/** Groups that are made rows without a pause, and the work of each, in steps. */
const GROUPS_AT_ONCE = 256;
const STEPS_PER_GROUP = 200;

/** With more than this, a question waits until few others have as much at the same time. */
const LARGE_BYTES = 2 ** 21;

/** The groups of one question, which grow chunk by chunk. */
export class GroupTable {
  readonly #store: ColumnStore;
  readonly #grouping: Grouping;
  readonly #run: Run;
  readonly #place: Preparing;
  readonly #ids: GroupIds;
  readonly #tallies: readonly Tally[];
  readonly #directories = new Map<string, ColumnDirectory>();
  #isKept = false;

  constructor(store: ColumnStore, grouping: Grouping, run: Run, place: Preparing) {
    this.#store = store;
    this.#grouping = grouping;
    this.#run = run;
    this.#place = place;
    this.#ids = new GroupIds(grouping);
    const mostGroups = Math.min(MOST_GROUPS, Math.max(store.rows, 1));
    this.#tallies = grouping.measures.map((measure) => tallyOf(measure, mostGroups));
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
    for (const tally of this.#tallies) budget.spend(count * tally.steps, '_measure');
    const columns = await this.#columnsOf(chunk, rows);
    const ofField = (name: string) => columns.get(name) as MatchedColumn;
    const ofDimensions = dimensions.map(({ field }) => ofField(field.name));
    const groups = await this.#ids.of(ofDimensions, count, budget);
    await budget.turn(steps);
    for (const [i, tally] of this.#tallies.entries()) {
      const { field } = measures[i] as Grouping['measures'][number];
      await tally.add(groups, field && ofField(field.name), budget);
      if (memoryOf(this.#tallies) > LARGE_BYTES) await this.#place.take(budget);
      await budget.turn(count * tally.steps);
    }
    for (const [name, { held }] of columns) this.#store.recount(name, chunk, held);
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

  /** The groups as rows, if so many rows matched. */
  async rows(matching: number): Promise<Row[]> {
    // Without dimensions, all rows are one group, even if none matches.
    const groups = this.#grouping.dimensions.length === 0 || matching > 0 ? this.#ids.count : 0;
    const results: Value[][] = [];
    for (const tally of this.#tallies) {
      results.push(await tally.values(groups, this.#run.budget));
    }
    const columns = columnsOf(this.#grouping).map(({ name }) => name);
    const rows: Row[] = [];
    for (let group = 0; group < groups; group++) {
      const ofMeasures = results.map((values) => values[group] ?? null);
      const values = [...this.#ids.valuesOf(group), ...ofMeasures];
      rows.push(Object.fromEntries(columns.map((name, i) => [name, values[i] ?? null])));
      if (rows.length % GROUPS_AT_ONCE !== 0) continue;
      await this.#run.budget.turn(GROUPS_AT_ONCE * STEPS_PER_GROUP);
    }
    return rows;
  }
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
