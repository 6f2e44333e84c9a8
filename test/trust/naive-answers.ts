import type { DatasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import {
  inOrder,
  type NaiveQuery,
  type NaiveTest,
  naiveKey,
  naiveRows,
  naiveTests,
} from '../support/naive.ts';
import type { Values } from './trust-service.ts';

/** A field's values: the first row with each, the ranks of their keys, and each row's place among them. */
type FieldValues = {
  readonly firsts: readonly Row[];
  /** Ascending with the keys, from 0; `keys`, their number, if there is none. */
  readonly ranks: Uint32Array;
  readonly keys: number;
  readonly places: Uint32Array;
};

/** The most rows or groups of a page, if a request has a `_limit` or not. */
export function naiveLimit(limit: unknown): number {
  return limit === undefined ? 1000 : Number(limit);
}

/**
 * Reads all rows for each query, by what docs/semantics.md says and by no code of the product's: a
 * filter is tried once for each value that its field has.
 */
export class NaiveAnswers {
  readonly #block: Pick<DatasetBlock, 'fields' | 'geometry'>;
  readonly #rows: readonly Row[];
  readonly #names: readonly string[];
  readonly #values = new Map<string, FieldValues>();

  constructor(block: Pick<DatasetBlock, 'fields' | 'geometry'>, rows: readonly Row[]) {
    this.#block = block;
    this.#rows = rows;
    this.#names = block.fields.map(({ name }) => name);
    for (const field of block.fields) this.#values.set(field.name, valuesOf(field, rows));
  }

  /** The positions of all rows that match what is sent, in order. */
  positions({ _sort, ...given }: Values): Uint32Array {
    const { fields, geometry } = this.#block;
    const asked: NaiveQuery = { arguments: given, geometry };
    if (_sort === undefined && given._near !== undefined) {
      return Uint32Array.from(naiveRows(fields, this.#rows, asked));
    }
    const tests = naiveTests(fields, asked).map((one) => this.#tried(one));
    const found: number[] = [];
    for (let row = 0; row < this.#rows.length; row++) {
      if (tests.every((passes) => passes(row))) found.push(row);
    }
    const positions = Uint32Array.from(found);
    return _sort === undefined ? positions : this.#sorted(positions, String(_sort));
  }

  /** A row of an answer, as JSON. */
  rowText(position: number, fields: readonly string[] = this.#names): string {
    const values = this.#rows[position] as Row;
    const row: Row = Object.fromEntries(fields.map((name) => [name, values[name] ?? null]));
    return JSON.stringify(row);
  }

  /** Rows of an answer, a line of JSON each. */
  lines(positions: Uint32Array, fields?: readonly string[]): string {
    return Array.from(positions, (position) => `${this.rowText(position, fields)}\n`).join('');
  }

  /** The test of a field is made once for each of its values. */
  #tried({ field, alternatives, passes }: NaiveTest): (row: number) => boolean {
    if (field !== undefined) {
      const { firsts, places } = this.#values.get(field) as FieldValues;
      const passing = Uint8Array.from(firsts, (row) => Number(passes(row)));
      return (row) => passing[places[row] as number] === 1;
    }
    if (alternatives !== undefined) {
      const some = alternatives.map((tests) => tests.map((one) => this.#tried(one)));
      return (row) => some.some((tests) => tests.every((isPassed) => isPassed(row)));
    }
    return (row) => passes(this.#rows[row] as Row);
  }

  /** A counting sort by rank: ties stay in the dataset's order, those without a key come last. */
  #sorted(positions: Uint32Array, order: string): Uint32Array {
    const [sort = '', second] = order.split(',');
    if (second !== undefined) return this.#sorted(this.#sorted(positions, second), sort);
    const descending = sort.startsWith('-');
    const field = sort.replace(/^-/, '');
    const { ranks, places, keys } = this.#values.get(field) as FieldValues;
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

function valuesOf(field: Field, rows: readonly Row[]): FieldValues {
  const firsts: Row[] = [];
  const placeOf = new Map<unknown, number>();
  const places = Uint32Array.from(rows, (row) => {
    const value = row[field.name] ?? null;
    let place = placeOf.get(value);
    if (place === undefined) {
      place = firsts.push(row) - 1;
      placeOf.set(value, place);
    }
    return place;
  });
  const ofFirsts = firsts.map((row) => naiveKey(field, row));
  const sorted = [...new Set(ofFirsts.filter((key) => key !== null))].sort(inOrder);
  const rankOf = new Map(sorted.map((key, rank) => [key, rank]));
  const ranks = Uint32Array.from(ofFirsts, (key) =>
    key === null ? sorted.length : (rankOf.get(key) as number),
  );
  return { firsts, places, ranks, keys: sorted.length };
}
