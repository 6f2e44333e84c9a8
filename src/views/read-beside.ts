import type { Members } from '../arguments/given.ts';
import { rowReference } from '../block/addresses.ts';
import type { PageState } from '../page/links.ts';
import { rankedFields } from '../page/row-facts.ts';
import type { NumberPlace, RowBeside, RowLink, RowResults } from '../page/row-view.ts';
import { isTooMuch, Problem } from '../problem/errors.ts';
import { nearConditions } from '../query/predicate.ts';
import { rowAt } from '../query/read-row.ts';
import { parsedRows, parsedTexts, rowAddresses } from '../query/row-addresses.ts';
import { type Query, ReadCost, type ReadUsage } from '../query/row-store.ts';
import { type Dataset, runQuery } from '../query/run.ts';
import type { Row } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { type Near, placeOfRow } from '../values/places.ts';
import { listTexts } from '../values/row-texts.ts';
import type { Budget } from '../work/budget.ts';
import { pageOfResults } from './row-links.ts';
import type { OfDataset } from './view.ts';

/** What a row's page is asked for, beside the row. */
export type BesideAsked = {
  readonly of: OfDataset;
  /** The question that led to the row, as read. */
  readonly question: Members;
  /** The same as sent, and which page of its results led to the row. */
  readonly sent: { readonly question: PageState; readonly page: PageState };
  readonly row: Row;
  readonly position: number;
  /** Makes a link of the end of a row's address; `isInResults` if the row is among the results. */
  readonly linkTo: (reference: string, isInResults: boolean) => string;
  readonly budget: Budget;
};

/** What was read for a row's page, and what that cost. */
export type BesideRead = { readonly beside: RowBeside; readonly reads: ReadUsage };

/**
 * Reads what a row's page shows beside the row. What would take more work than a run has left is not
 * shown: the row's own facts always are.
 */
export async function readBeside(asked: BesideAsked): Promise<BesideRead> {
  const { of, question, budget } = asked;
  const planned = of.plan(question, budget).asked;
  if (planned === undefined) throw new TypeError(`${of.block.name} has no rows.`);
  const { dataset, query } = planned;
  const reads = new ReadCost();
  const results = await unlessTooMuch(() => resultsOf(asked, dataset, query, reads));
  const nearest = await unlessTooMuch(() => nearestOf(asked, dataset, reads));
  const numbers = await unlessTooMuch(() => numbersOf(asked, dataset, reads));
  return {
    beside: {
      back: backOf(asked),
      results: results ?? { values: question },
      nearest: nearest ?? [],
      numbers: numbers ?? {},
    },
    reads,
  };
}

/** The state of the page of results that led to the row, without its view. */
function backOf({ of, question, sent, budget }: BesideAsked): PageState {
  const isOfThese = (cursor: string) => {
    try {
      of.plan({ ...question, _cursor: cursor }, budget);
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  };
  const asked = sent.question.filter(([name]) => name !== '_view');
  return [...asked, ...pageOfResults(of.block, sent.page, isOfThese)];
}

/** Undefined for what is more work than the run has left. A store that fails refuses the page. */
async function unlessTooMuch<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isTooMuch(error)) return undefined;
    throw error;
  }
}

/** Where the row is in the results, and the rows beside it there. */
async function resultsOf(
  asked: BesideAsked,
  dataset: Dataset,
  query: Query,
  reads: ReadCost,
): Promise<RowResults> {
  const { of, question: values, position, linkTo, budget } = asked;
  const place = await dataset.store.placeOf?.(query, position, budget, reads);
  if (place === undefined) return { values };
  const { total, found } = place;
  if (found === undefined) return { values, total };
  const link = async (at: number | undefined): Promise<RowLink | undefined> => {
    if (at === undefined) return undefined;
    const { row, segment, output } = await rowAt(dataset, at, budget);
    add(reads, output.explain);
    return { row, href: linkTo(rowReference(of.block.name, segment), true) };
  };
  const [previous, next] = [await link(found.previous), await link(found.next)];
  return { values, total, index: found.before, previous, next };
}

function add(reads: ReadCost, usage: ReadUsage): void {
  reads.chunksRead += usage.chunksRead;
  reads.itemsRead += usage.itemsRead;
  reads.capacityUnits += usage.capacityUnits;
  reads.usd += usage.usd;
}

/** Rows that are shown as near. */
const MOST_NEAR = 5;

/** The nearest rows, if the row has a place. */
async function nearestOf(
  { of, row, position, linkTo, budget }: BesideAsked,
  dataset: Dataset,
  reads: ReadCost,
): Promise<RowLink[]> {
  const near = nearRow(of, row);
  if (near === undefined) return [];
  // One more, since the row itself is the nearest to itself, or one of several at its place.
  const query = { predicate: nearConditions(near), near, limit: MOST_NEAR + 1 };
  const output = await runQuery(dataset, query, budget);
  if (output.kind === 'value') return [];
  add(reads, output.explain);
  const rows = await parsedRows(output, budget);
  const addresses = rowAddresses(of, rows, output);
  return rows
    .map((one, i) => ({ row: one, href: linkTo(addresses[i] as string, false) }))
    .filter((_, i) => output.positions?.[i] !== position)
    .slice(0, MOST_NEAR);
}

function nearRow({ block: { geometry } }: OfDataset, row: Row): Near | undefined {
  if (geometry === undefined) return undefined;
  const at = placeOfRow(row, geometry);
  return at && { at, longitude: geometry.longitude, latitude: geometry.latitude };
}

/**
 * Rows of which a strip shows each. Of more, it shows how many have which value.
 *
 * More strokes would cover each other.
 */
const MOST_STROKES = 200;

/**
 * Values that are compared to tell the places of a row's numbers: those of the first fields. The
 * others have no place.
 *
 * This is some 5 ms, and in a function whose memory is empty a read of as many columns.
 */
const MOST_COMPARED = 4_000_000;

/** The place of each number of the row among all rows that have one there. */
async function numbersOf(
  { of, row, budget }: BesideAsked,
  dataset: Dataset,
  reads: ReadCost,
): Promise<Record<string, NumberPlace>> {
  const { block, manifest, profile } = of;
  const most = Math.floor(MOST_COMPARED / Math.max(1, manifest.rows));
  const fields = rankedFields(block, manifest, profile)
    .filter(({ name }) => typeof row[name] === 'number')
    .slice(0, Math.min(most, MOST_RANKED));
  const numbers: Record<string, NumberPlace> = Object.create(null);
  const all =
    manifest.rows <= MOST_STROKES ? await valuesOf(dataset, fields, budget, reads) : undefined;
  for (const field of fields) {
    const { name } = field;
    const value = row[name] as number;
    const values = all?.flatMap((one) => (typeof one[name] === 'number' ? [one[name]] : []));
    if (values === undefined) {
      const of = manifest.rows - (manifest.fields[name]?.nulls ?? 0);
      const notAbove = await countUpTo(dataset, field, value, budget, reads);
      numbers[name] = { rank: of - notAbove + 1, of };
    } else {
      const rank = 1 + values.filter((other) => other > value).length;
      numbers[name] = { rank, of: values.length, values: values.sort((a, b) => a - b) };
      await budget.checkpoint(values.length * STEPS_PER_VALUE);
    }
  }
  return numbers;
}

/** Numbers that have a place; each may be a read of its column. */
const MOST_RANKED = 60;

/** The cost of comparing and sorting a value, in steps. */
const STEPS_PER_VALUE = 20;

/** These fields of all rows; undefined if they do not fit an answer. */
async function valuesOf(
  { store }: Dataset,
  fields: readonly Field[],
  budget: Budget,
  reads: ReadCost,
): Promise<Row[] | undefined> {
  if (fields.length === 0) return [];
  const query = { predicate: [], limit: MOST_STROKES, fields: fields.map(({ name }) => name) };
  const page = await store.read(query, budget);
  add(reads, page.usage);
  return page.last === undefined ? parsedTexts([listTexts(page.rows)], budget) : undefined;
}

/** How many rows have at most this number in a field: the row itself is one of them. */
async function countUpTo(
  { store }: Dataset,
  field: Field,
  value: number,
  budget: Budget,
  reads: ReadCost,
): Promise<number> {
  const { name } = field;
  const key = typeOf(field).keyOf(value, field) as number;
  const upTo = { test: 'ranges', anyOf: [[Number.NEGATIVE_INFINITY, key]] } as const;
  const predicate = [{ field: name, parameters: [name], ...upTo }];
  const page = await store.read({ predicate, limit: 0, fields: [name] }, budget);
  add(reads, page.usage);
  return page.total;
}
