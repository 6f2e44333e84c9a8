import type { GeneratedSet } from '../data/generated-set.ts';
import type { Arguments } from '../data/queries.ts';

/** A number column (NaN for no value) with its rows in ascending order, or a text's dictionary. */
type Column =
  | { kind: 'number'; values: Float64Array; order: Uint32Array; sorted: Float64Array }
  | { kind: 'text'; codes: Uint32Array; codeOf: Map<string, number>; rows: Uint32Array[] };

export type BareColumns = { texts: string[]; columns: Map<string, Column> };

/** A condition made ready: how many rows it selects, which ones, and a test of one row. */
type Selection =
  | {
      kind: 'range';
      count: number;
      rows: Uint32Array;
      values: Float64Array;
      low: number;
      high: number;
    }
  | { kind: 'codes'; count: number; rows: Uint32Array; codes: Uint32Array; wanted: Uint8Array };

/** Typed-array columns, sorted permutations, dictionaries, and every row serialised once. */
export function bareColumns({ block, rows }: GeneratedSet): BareColumns {
  const columns = new Map<string, Column>();
  for (const { type, name } of block.fields) {
    const cells = rows.map((row) => row[name] ?? null);
    if (type === 'text' || type === 'phone')
      columns.set(name, textColumn(cells as (string | null)[]));
    else columns.set(name, numberColumn(cells as (number | null)[]));
  }
  return { texts: rows.map((row) => JSON.stringify(row)), columns };
}

/** The answer to a query, as JSON text. */
export function find(
  { texts, columns }: BareColumns,
  { _limit, ...conditions }: Arguments,
): string {
  const selections = selectionsOf(columns, conditions).sort((a, b) => a.count - b.count);
  const [first, ...others] = selections;
  const limit = Number(_limit);
  if (first === undefined) return answer(texts, [...texts.keys()].slice(0, limit), texts.length);
  if (first.count * 16 < texts.length) {
    let rows = first.rows;
    for (const other of others) rows = rows.filter((row) => isSelected(other, row));
    const found = rows.slice().sort();
    return answer(texts, found.subarray(0, limit), found.length);
  }
  const found: number[] = [];
  let total = others.length === 0 ? first.count : 0;
  for (let row = 0; row < texts.length; row++) {
    if (!selections.every((selection) => isSelected(selection, row))) continue;
    if (found.length < limit) found.push(row);
    if (others.length > 0) total++;
    else if (found.length === limit) break;
  }
  return answer(texts, found, total);
}

function answer(texts: string[], rows: ArrayLike<number>, total: number): string {
  let results = '';
  for (let i = 0; i < rows.length; i++) {
    results += `${i === 0 ? '' : ','}${texts[rows[i] as number]}`;
  }
  return `{"results":[${results}],"total":${total}}`;
}

function isSelected(selection: Selection, row: number): boolean {
  if (selection.kind === 'codes') {
    return selection.wanted[selection.codes[row] as number] === 1;
  }
  const value = selection.values[row] as number;
  return value >= selection.low && value <= selection.high;
}

function selectionsOf(
  columns: BareColumns['columns'],
  conditions: Omit<Arguments, '_limit'>,
): Selection[] {
  const ranges = new Map<string, { low: number; high: number }>();
  const selections: Selection[] = [];
  for (const [name, value] of Object.entries(conditions)) {
    if (typeof value === 'string') {
      selections.push(selectText(columns.get(name) as Column & { kind: 'text' }, value));
      continue;
    }
    const field = name.slice(0, -4);
    const range = ranges.get(field) ?? { low: -Infinity, high: Infinity };
    if (name.endsWith('_min')) range.low = value;
    else range.high = value;
    ranges.set(field, range);
  }
  for (const [field, { low, high }] of ranges) {
    const { values, order, sorted } = columns.get(field) as Column & { kind: 'number' };
    const rows = order.subarray(countBelow(sorted, low, false), countBelow(sorted, high, true));
    selections.push({ kind: 'range', count: rows.length, rows, values, low, high });
  }
  return selections;
}

function selectText({ codes, codeOf, rows }: Column & { kind: 'text' }, text: string): Selection {
  const wanted = new Uint8Array(rows.length);
  const code = codeOf.get(text);
  if (code !== undefined) wanted[code] = 1;
  if (text.includes('*')) {
    const word = text.slice(1, -1);
    for (const [key, its] of codeOf) if (key.includes(word)) wanted[its] = 1;
  }
  const lists = rows.filter((_, its) => wanted[its] === 1);
  const [only] = lists;
  const all = lists.length === 1 && only !== undefined ? only : joined(lists);
  return { kind: 'codes', count: all.length, rows: all, codes, wanted };
}

function joined(lists: Uint32Array[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}

/** How many values lie below a bound, or at most at it. */
function countBelow(sorted: Float64Array, bound: number, orAt: boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = sorted[middle] as number;
    if (value < bound || (orAt && value === bound)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function numberColumn(cells: (number | null)[]): Column {
  const values = Float64Array.from(cells, (cell) => cell ?? Number.NaN);
  const order = Uint32Array.from(cells.keys())
    .filter((row) => !Number.isNaN(values[row]))
    .sort((a, b) => (values[a] as number) - (values[b] as number));
  const sorted = Float64Array.from(order, (row) => values[row] as number);
  return { kind: 'number', values, order, sorted };
}

/** Code 0 is no value, and no text has it. */
function textColumn(cells: (string | null)[]): Column {
  const codeOf = new Map<string, number>();
  const members: number[][] = [[]];
  const codes = Uint32Array.from(cells, (cell, row) => {
    if (cell === null) return 0;
    const code = codeOf.get(cell) ?? members.push([]) - 1;
    codeOf.set(cell, code);
    members[code]?.push(row);
    return code;
  });
  return { kind: 'text', codes, codeOf, rows: members.map((list) => Uint32Array.from(list)) };
}
