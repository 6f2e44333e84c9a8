import type { Value } from '../fields/field.ts';
import { typeOf } from '../fields/field-types.ts';
import { invalidArguments } from '../problem/errors.ts';
import type { Budget } from '../query/budget.ts';
import { type DimensionKey, dimensionKey } from '../query/dimension-key.ts';
import { type Dimension, type Grouping, MOST_GROUPS } from '../query/grouping.ts';
import { numberAt, textAt, textOfRow } from './chunk.ts';
import type { MatchedColumn } from './matched-column.ts';
import { NumberIds } from './number-ids.ts';

/** Numbers the groups that rows are in, as they are first met. */
export class GroupIds {
  readonly #dimensions: readonly DimensionIds[];
  /** For each further dimension: the pairs of a group by those before it and one of its values. */
  readonly #pairs: readonly Pairs[];

  constructor({ dimensions, option }: Grouping) {
    this.#dimensions = dimensions.map((dimension) => new DimensionIds(dimension, option));
    this.#pairs = dimensions.slice(1).map(() => new Pairs());
  }

  /** How many groups there are so far. */
  get count(): number {
    if (this.#dimensions.length === 0) return 1;
    return this.#pairs.at(-1)?.count ?? (this.#dimensions[0] as DimensionIds).count;
  }

  /** Each matching row's group, by the columns of the dimensions. Throws a Problem for too many. */
  async of(columns: readonly MatchedColumn[], rows: number, budget: Budget): Promise<Uint16Array> {
    const all: Uint16Array[] = [];
    for (const [i, dimension] of this.#dimensions.entries()) {
      all.push(await dimension.of(columns[i] as MatchedColumn, budget));
    }
    const [first, ...others] = all;
    if (first === undefined) return new Uint16Array(rows);
    for (const [i, ids] of others.entries()) (this.#pairs[i] as Pairs).replace(first, ids);
    return first;
  }

  /** A group's value in each dimension. */
  valuesOf(group: number): Value[] {
    const values: Value[] = [];
    let id = group;
    for (let i = this.#dimensions.length - 1; i > 0; i--) {
      const [before, own] = (this.#pairs[i - 1] as Pairs).at(id);
      values.unshift((this.#dimensions[i] as DimensionIds).values[own] as Value);
      id = before;
    }
    const [first] = this.#dimensions;
    return first === undefined ? [] : [first.values[id] as Value, ...values];
  }
}

function tooManyGroups(option: '_group' | '_facets' = '_group'): Error {
  if (option === '_facets') {
    const detail = `A field of _facets has more than ${MOST_GROUPS} different values, the most that are counted. Count a part of the values (dates by .year or .month, numbers by a width such as .10), leave the field out, or filter for fewer rows.`;
    return invalidArguments([{ code: 'too-many-groups', detail, parameter: option }]);
  }
  const detail = `_group makes more than ${MOST_GROUPS} groups, the most that an answer has. Group by a part of the values (dates by .year or .month, numbers by a width such as .10), by fewer fields, or filter for fewer rows.`;
  return invalidArguments([{ code: 'too-many-groups', detail, parameter: '_group' }]);
}

/** How many codes a chunk may have for each matching row, so that a table of them pays. */
const MOST_CODES_PER_ROW = 4;

/** The steps of keys that are made without a pause; of a text, for each of its bytes. */
const STEPS_BEFORE_TURN = 50_000;
const STEPS_PER_BYTE = 2;

/** Numbers the values of a dimension. */
class DimensionIds {
  readonly values: Value[] = [];
  readonly #option: Grouping['option'];
  readonly #key: DimensionKey | undefined;
  readonly #texts = new Map<string, number>();
  readonly #numbers: NumberIds | undefined;
  #none: number | undefined;
  #textSteps = 0;
  /** The steps of keys after which other requests had their turn. */
  #stepsBefore = 0;

  constructor(dimension: Dimension, option: Grouping['option']) {
    this.#option = option;
    if (typeOf(dimension.field).comparedBy === 'text') return;
    this.#key = dimensionKey(dimension);
    this.#numbers = new NumberIds();
  }

  get count(): number {
    return this.values.length;
  }

  /** The number of each matching row's value. */
  async of(column: MatchedColumn, budget: Budget): Promise<Uint16Array> {
    const { codes, chunk } = column;
    const ids = new Uint16Array(codes.length);
    if (chunk.size > MOST_CODES_PER_ROW * codes.length + 256) {
      for (let i = 0; i < ids.length; i++) {
        ids[i] = this.#idOf(column, i);
        if (this.#isDue) await this.#turn(budget);
      }
      return ids;
    }
    const known = new Int32Array(chunk.size).fill(-1);
    for (let i = 0; i < ids.length; i++) {
      const code = codes[i] as number;
      let id = known[code] as number;
      if (id < 0) {
        id = this.#idOf(column, i);
        known[code] = id;
        if (this.#isDue) await this.#turn(budget);
      }
      ids[i] = id;
    }
    return ids;
  }

  get #isDue(): boolean {
    return this.#steps - this.#stepsBefore > STEPS_BEFORE_TURN;
  }

  get #steps(): number {
    return (this.#key?.slowSteps ?? 0) + this.#textSteps;
  }

  #turn(budget: Budget): Promise<void> | undefined {
    const steps = this.#steps - this.#stepsBefore;
    this.#stepsBefore = this.#steps;
    return budget.turn(steps);
  }

  #idOf(column: MatchedColumn, index: number): number {
    const { chunk, codes } = column;
    const { dictionary, firstKey } = chunk;
    const code = codes[index] as number;
    if (code < firstKey) {
      this.#none ??= this.#added(null);
      return this.#none;
    }
    if (dictionary.kind === 'texts') {
      const key = textAt(dictionary.keys, code);
      this.#textSteps += key.length * STEPS_PER_BYTE;
      const known = this.#texts.get(key);
      if (known !== undefined) return known;
      // The first row that has a key says how its text is written.
      const id = this.#added(textOfRow(chunk, column.rowAt(index)));
      this.#texts.set(key, id);
      return id;
    }
    const [its, ids] = [this.#key as DimensionKey, this.#numbers as NumberIds];
    const key = its.keyOf(numberAt(dictionary, code));
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = this.#added(its.valueOf(key));
    ids.set(key, id);
    return id;
  }

  #added(value: Value): number {
    if (this.values.length === MOST_GROUPS) throw tooManyGroups(this.#option);
    return this.values.push(value) - 1;
  }
}

/** With more pairs than this, the chance that a table of all is mostly empty is great. */
const MOST_IN_TABLE = 2 ** 18;

/** Numbers pairs of numbers below `MOST_GROUPS`. */
class Pairs {
  readonly #ids = new Map<number, number>();
  readonly #pairs: number[] = [];

  get count(): number {
    return this.#pairs.length;
  }

  at(id: number): readonly [before: number, own: number] {
    const pair = this.#pairs[id] as number;
    return [Math.floor(pair / MOST_GROUPS), pair % MOST_GROUPS];
  }

  /** Replaces each number before by that of its pair. */
  replace(before: Uint16Array, own: Uint16Array): void {
    let [most, mostOwn] = [0, 0];
    for (let i = 0; i < own.length; i++) {
      if ((before[i] as number) > most) most = before[i] as number;
      if ((own[i] as number) > mostOwn) mostOwn = own[i] as number;
    }
    const width = mostOwn + 1;
    const isTable = (most + 1) * width <= MOST_IN_TABLE;
    const known = isTable ? new Int32Array((most + 1) * width).fill(-1) : undefined;
    for (let i = 0; i < own.length; i++) {
      const [one, other] = [before[i] as number, own[i] as number];
      if (known === undefined) {
        before[i] = this.#idOf(one, other);
        continue;
      }
      let id = known[one * width + other] as number;
      if (id < 0) {
        id = this.#idOf(one, other);
        known[one * width + other] = id;
      }
      before[i] = id;
    }
  }

  #idOf(before: number, own: number): number {
    const pair = before * MOST_GROUPS + own;
    const known = this.#ids.get(pair);
    if (known !== undefined) return known;
    if (this.#pairs.length === MOST_GROUPS) throw tooManyGroups();
    this.#ids.set(pair, this.#pairs.length);
    return this.#pairs.push(pair) - 1;
  }
}
