import { type Condition, type KeyedRow, matches } from '../../src/query/predicate.ts';
import type { Query, Sort } from '../../src/query/query.ts';
import type { Key, Row } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';

/** A field's values: the first row with each, the ranks of their keys, and each row's place among them. */
type Values = {
  readonly firsts: readonly KeyedRow[];
  /** Ascending with the keys, from 0; `keys`, their number, if there is none. */
  readonly ranks: Uint32Array;
  readonly keys: number;
  readonly places: Uint32Array;
};

/** Reads all rows for each query: `matches` is tried once for each value that a field has. */
export class NaiveAnswers {
  readonly #rows: readonly KeyedRow[];
  readonly #names: readonly string[];
  readonly #values = new Map<string, Values>();

  constructor(fields: readonly Field[], rows: readonly KeyedRow[]) {
    this.#rows = rows;
    this.#names = fields.map(({ name }) => name);
    for (const name of this.#names) this.#values.set(name, valuesOf(name, rows));
  }

  /** The positions of all rows that match, in order. */
  positions({ predicate, sort }: Pick<Query, 'predicate' | 'sort'>): Uint32Array {
    const tests = predicate.map((condition) => this.#testOf(condition));
    const found: number[] = [];
    for (let row = 0; row < this.#rows.length; row++) {
      let passes = true;
      for (let i = 0; passes && i < tests.length; i++) {
        const [passing, places] = tests[i] as (typeof tests)[number];
        passes = passing[places[row] as number] === 1;
      }
      if (passes) found.push(row);
    }
    const positions = Uint32Array.from(found);
    return sort === undefined ? positions : this.#sorted(positions, sort);
  }

  /** A row of an answer, as JSON. */
  rowText(position: number, fields: readonly string[] = this.#names): string {
    const { values } = this.#rows[position] as KeyedRow;
    const row: Row = Object.fromEntries(fields.map((name) => [name, values[name] ?? null]));
    return JSON.stringify(row);
  }

  /** Rows of an answer, a line of JSON each. */
  lines(positions: Uint32Array, fields?: readonly string[]): string {
    return Array.from(positions, (position) => `${this.rowText(position, fields)}\n`).join('');
  }

  #testOf(condition: Condition): readonly [passing: Uint8Array, places: Uint32Array] {
    if (!('field' in condition)) {
      const passing = Uint8Array.from(this.#rows, (row) => Number(matches([condition], row)));
      return [passing, Uint32Array.from(this.#rows, (_, row) => row)];
    }
    const { firsts, places } = this.#values.get(condition.field) as Values;
    return [Uint8Array.from(firsts, (row) => Number(matches([condition], row))), places];
  }

  /** A counting sort by rank: ties stay in the dataset's order, those without a key come last. */
  #sorted(positions: Uint32Array, { field, descending }: Sort): Uint32Array {
    const { ranks, places, keys } = this.#values.get(field) as Values;
    const rankAt = (position: number) => {
      const rank = ranks[places[position] as number] as number;
      return rank === keys || !descending ? rank : keys - 1 - rank;
    };
    const ends = new Uint32Array(keys + 1);
    for (const position of positions) {
      const rank = rankAt(position);
      ends[rank] = (ends[rank] as number) + 1;
    }
    for (let rank = 1; rank <= keys; rank++) {
      ends[rank] = (ends[rank] as number) + (ends[rank - 1] as number);
    }
    const sorted = new Uint32Array(positions.length);
    for (let i = positions.length - 1; i >= 0; i--) {
      const rank = rankAt(positions[i] as number);
      const end = (ends[rank] as number) - 1;
      ends[rank] = end;
      sorted[end] = positions[i] as number;
    }
    return sorted;
  }
}

function valuesOf(name: string, rows: readonly KeyedRow[]): Values {
  const firsts: KeyedRow[] = [];
  const placeOf = new Map<unknown, number>();
  const places = Uint32Array.from(rows, (row) => {
    const value = row.values[name] ?? null;
    let place = placeOf.get(value);
    if (place === undefined) {
      place = firsts.push(row) - 1;
      placeOf.set(value, place);
    }
    return place;
  });
  const ofFirsts = firsts.map(({ keys }) => keys[name]);
  const sorted = sortedKeys(ofFirsts);
  const rankOf = new Map(sorted.map((key, rank) => [key, rank]));
  const ranks = Uint32Array.from(ofFirsts, (key) =>
    key === undefined ? sorted.length : (rankOf.get(key) as number),
  );
  return { firsts, places, ranks, keys: sorted.length };
}

/** Each key once: numbers by value, texts by the bytes of their UTF-8. */
function sortedKeys(keys: readonly (Key | undefined)[]): Key[] {
  return [...new Set(keys.filter((key) => key !== undefined))].sort((a, b) =>
    typeof a === 'string'
      ? Buffer.compare(Buffer.from(a), Buffer.from(b as string))
      : a - (b as number),
  );
}
