import type { Field } from '../fields/field.ts';
import type { Budget } from '../query/budget.ts';
import type { Condition, KeyedRow, Predicate } from '../query/predicate.ts';
import type { Query, Sort } from '../query/query.ts';
import { NOTHING_READ, type Page, type RowStore } from '../query/row-store.ts';
import { MOST_ANSWER_BYTES, rowText } from '../query/row-text.ts';
import { type RowSlices, textsOf } from '../query/row-texts.ts';
import { compareSorted, placeAfter } from '../query/sort-rows.ts';
import { helpByCounting, type RowCounts } from '../query/zero-result-help.ts';
import {
  bytesOfRow,
  type Column,
  type Columns,
  type Laid,
  makeColumns,
  type TextColumn,
} from './columns.ts';
import { type Selection, select, stepsOfSelecting } from './selection.ts';

/** Answers from rows held in memory, given in the dataset's order. Reads no DynamoDB item. */
export function residentStore(fields: readonly Field[], rows: readonly KeyedRow[]): RowStore {
  const columns = makeColumns(fields, rows);
  const everyRow = Uint32Array.from(rows.keys());
  const orders = new Map<string, Uint32Array>();
  const orderOf = (sort: Sort) => {
    const name = `${sort.descending ? '-' : ''}${sort.field}`;
    const order = orders.get(name) ?? sortedOrder(columns, sort);
    orders.set(name, order);
    return order;
  };
  return {
    read: async ({ query }, budget) => {
      const isUnfiltered = query.predicate.length === 0 && query.sort === undefined;
      const matching = isUnfiltered
        ? everyRow
        : await matchingRows(columns, query, orderOf, budget);
      const page = await pageOf(columns, query, matching, budget);
      if (matching.length > 0 || isUnfiltered) return page;
      return {
        ...page,
        help: await helpByCounting(query.predicate, countsOf(columns, budget), budget),
      };
    },
  };
}

function countsOf(data: Columns, budget: Budget): RowCounts {
  return {
    rows: data.count,
    count: async (predicate) => {
      const steps = predicate.map((condition) => stepsOf(data, condition));
      if (!budget.affordHint(steps.reduce((sum, one) => sum + one, 0))) return null;
      return (await matchingInOrder(data, predicate, budget)).length;
    },
    values: async (field) => {
      const { codesOfKey, raws, rows } = data.columns[field] as TextColumn;
      return Array.from(codesOfKey, ([key, codes]) => ({
        key,
        text: raws[codes[0] as number] as string,
        rows: codes.reduce((sum, code) => sum + (rows[code] as Uint32Array).length, 0),
      }));
    },
  };
}

/** The positions of all rows that match, in the query's order. */
async function matchingRows(
  data: Columns,
  { predicate, sort }: Query,
  orderOf: (sort: Sort) => Uint32Array,
  budget: Budget,
): Promise<Uint32Array> {
  for (const condition of predicate) {
    budget.spend(stepsOf(data, condition), condition.parameters[0]);
  }
  if (sort === undefined) return matchingInOrder(data, predicate, budget);
  const order = orderOf(sort);
  if (predicate.length === 0) return order;
  budget.spend(data.count / 2, '_sort');
  const isMatch = new Uint8Array(data.count);
  for (const row of await matchingInOrder(data, predicate, budget)) isMatch[row] = 1;
  return order.filter((row) => isMatch[row] === 1);
}

function stepsOf({ count, columns }: Columns, condition: Condition): number {
  return stepsOfSelecting(condition, columns[condition.field] as Column, count);
}

/**
 * Applies the most selective condition first, from its sorted values or dictionary, then the
 * others.
 */
async function matchingInOrder(
  { count, columns }: Columns,
  predicate: Predicate,
  budget: Budget,
): Promise<Uint32Array> {
  const selections: Selection[] = [];
  for (const condition of predicate) {
    const column = columns[condition.field] as Column;
    await budget.turn(stepsOfSelecting(condition, column, count));
    selections.push(await select(condition, column, budget));
  }
  const [first, ...others] = selections.sort((a, b) => a.count - b.count) as [
    Selection,
    ...Selection[],
  ];
  // Beyond a few per cent, scanning every row in order is faster than sorting the rows found.
  const areFew = first.count * 16 < count;
  const rows = areFew ? first.rows() : first.scan();
  let kept = rows.length;
  for (const other of others) {
    await budget.turn(kept / 8);
    kept = other.keep(rows, kept);
  }
  const found = rows.subarray(0, kept);
  return areFew ? found.sort() : found;
}

async function pageOf(
  data: Columns,
  query: Query,
  matching: Uint32Array,
  budget: Budget,
): Promise<Page> {
  const { after, limit, fields, sort } = query;
  const from =
    after === undefined
      ? 0
      : sort === undefined
        ? firstAfter(matching, after)
        : placeAfter(matching.indexOf(after));
  const positions = matching.subarray(from, Math.min(from + limit, matching.length));
  const rows =
    fields === undefined
      ? wholeRows(data, positions)
      : await partsOfRows(data, positions, fields, budget);
  const at = from + rows.length;
  return {
    rows,
    total: matching.length,
    ...(at < matching.length ? { last: matching[at - 1] as number } : {}),
    usage: NOTHING_READ,
  };
}

/** As many of the rows as fit in an answer. */
function wholeRows({ laid }: Columns, positions: Uint32Array): RowSlices {
  let bytes = 0;
  let length = 0;
  for (; length < positions.length; length++) {
    bytes += bytesOfRow(laid.starts, positions[length] as number);
    if (bytes > MOST_ANSWER_BYTES) break;
  }
  return slicesOf(laid, positions.subarray(0, length));
}

function slicesOf({ bytes, starts }: Laid, positions: Uint32Array): RowSlices {
  return {
    length: positions.length,
    sources: Array.from(positions, () => bytes),
    starts: positions.map((position) => starts[position] as number),
    ends: positions.map((position) => starts[position + 1] as number),
  };
}

/** The cost of parsing one byte of a row's text, which omitting fields requires. */
const STEPS_PER_BYTE = 0.5;

async function partsOfRows(
  { laid }: Columns,
  positions: Uint32Array,
  fields: readonly string[],
  budget: Budget,
): Promise<readonly string[]> {
  const texts: string[] = [];
  let bytes = 0;
  for (let i = 0; i < positions.length; i++) {
    const own = positions.subarray(i, i + 1);
    const steps = bytesOfRow(laid.starts, own[0] as number) * STEPS_PER_BYTE;
    budget.spend(steps, '_fields');
    await budget.turn(steps);
    const [whole = ''] = textsOf(slicesOf(laid, own));
    const text = rowText(JSON.parse(whole), fields);
    bytes += Buffer.byteLength(text);
    if (bytes > MOST_ANSWER_BYTES) break;
    texts.push(text);
  }
  return texts;
}

function sortedOrder({ count, columns }: Columns, { field, descending }: Sort): Uint32Array {
  const column = columns[field] as Column;
  const value = (row: number) => {
    if (column.kind === 'text') {
      const code = column.codes[row] as number;
      return code === 0 ? null : (column.keys[code] as string);
    }
    const number = column.values[row] as number;
    return Number.isNaN(number) ? null : number;
  };
  return Uint32Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => compareSorted(value(a), value(b), descending) || a - b,
  );
}

/** The index of the first position after this one; positions must ascend. */
function firstAfter(positions: Uint32Array, after: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((positions[middle] as number) > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
