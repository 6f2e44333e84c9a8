import { decodeCursor, encodeCursor } from '../arguments/cursor.ts';
import type { Members } from '../arguments/given.ts';
import { type DatasetBlock, nameFieldOf } from '../block/block.ts';
import {
  type Dimension,
  type Grouping,
  groupColumns,
  groupingOf,
  groupingTexts,
  MOST_GROUPS,
  readDimensions,
} from '../block/grouping.ts';
import type { Manifest } from '../block/manifest.ts';
import { DEFAULT_LIMIT } from '../block/options.ts';
import { BBOX, NEAR, WITHIN } from '../block/parameter.ts';
import {
  squareColumns,
  type TwoNumbers,
  type TwoNumbersFound,
  twoNumbersOf,
  XY,
} from '../block/two-numbers.ts';
import { ANSWER_CUT, COUNTED_TWICE, Problem, type Warning } from '../problem/errors.ts';
import { numberText } from '../text/wording.ts';
import type { Field } from '../values/field-types.ts';
import { DISTANCE, type Near } from '../values/places.ts';
import type { RowTexts } from '../values/row-texts.ts';
import type { Budget } from '../work/budget.ts';
import { sha256 } from '../work/sha256.ts';
import { whenThere } from '../work/work.ts';
import { groupsBefore, readGroups } from './group-page.ts';
import { type BinCounts, type Facet, readCounts } from './groups.ts';
import { listsIn, type NotFound, notFoundIn, notFoundWarnings } from './not-found.ts';
import { type Condition, havingOf, nearOf, type Predicate, predicateOf } from './predicate.ts';
import {
  type Page,
  type Query,
  ReadCost,
  type ReadUsage,
  type RowStore,
  type Sort,
  type Whole,
} from './row-store.ts';
import { readTwoNumbers } from './two-numbers.ts';
import type { FilterHelp } from './why-empty.ts';

/** A dataset and the store that serves it. */
export type Dataset = {
  readonly block: DatasetBlock;
  readonly manifest: Manifest;
  readonly store: RowStore;
};

/** A run that is planned but has not started. */
export type PlannedRun = {
  /** What is asked of a dataset. Absent if a block's own function computes the answer. */
  readonly asked?: { readonly dataset: Dataset; readonly query: Query };
  /** Everything that the answer depends on, as text. Only ETags need it. */
  cacheKey(): string;
  /** Returns no promise if there was nothing to wait for. */
  run(budget: Budget): Output | Promise<Output>;
  /** Tells what comes before the page. Absent if a block's own function computes the answer. */
  before?(budget: Budget): Promise<PageBefore | undefined>;
};

/**
 * How many rows or groups come before a page, and the cursor of the page before it. Null is the
 * first page, which has none.
 */
export type PageBefore = { readonly rows: number; readonly cursor: string | null };

/**
 * Plans a run from valid arguments. Reads the grouping unless the caller has done so. Throws a
 * Problem if the arguments cannot be answered.
 */
export type PlanRun = (
  values: Members,
  budget: Budget,
  grouping?: Grouping,
  /** What a page counts beside the answer. */
  counted?: readonly Dimension[],
) => PlannedRun;

/** Plans the runs of a dataset. */
export function plansOf(dataset: Dataset): PlanRun {
  return (values, budget, grouping, counted = []) => {
    const asked = queryOf(dataset, values, budget, grouping);
    const query = counted.length === 0 ? asked : { ...asked, counted };
    return {
      asked: { dataset, query },
      cacheKey: () => cacheKeyOf(dataset, query),
      run: (budgetOfRun) => runQuery(dataset, query, budgetOfRun),
      before: (budgetOfRun) => beforePage(dataset, query, budgetOfRun),
    };
  };
}

/** arguments → query. Throws a Problem if the cursor belongs to another query. */
export function queryOf(
  { block, manifest }: Pick<Dataset, 'block' | 'manifest'>,
  values: Members,
  budget: Budget,
  grouping = groupingOf(block, values),
): Query {
  const predicate = predicateOf(block, values, budget);
  const sort = sortOf(values._sort as readonly string[] | undefined);
  const having = grouping === undefined ? [] : havingOf(grouping, values, budget);
  const cursor = values._cursor as string | undefined;
  const fields = values._fields as readonly string[] | undefined;
  const xy = twoNumbersOf(block, values);
  // Groups and squares have no place. If these are wanted, `_near` only filters their rows.
  const near = grouping === undefined && xy === undefined ? nearOf(block, values) : undefined;
  const facets = readDimensions(block.fields, values._facets);
  const lists = cursor === undefined ? listsIn(block, values) : [];
  return {
    predicate,
    sort,
    near,
    limit: (values._limit as number | undefined) ?? DEFAULT_LIMIT,
    after:
      cursor === undefined
        ? undefined
        : decodeCursor(
            cursor,
            fingerprintOf(block, { predicate, sort, near, grouping, having, xy }),
            manifest,
          ),
    fields: xy === undefined ? fields && [...new Set(fields)] : pointFields(block, xy),
    grouping,
    xy,
    having: having.length === 0 ? undefined : having,
    facets: facets.length === 0 ? undefined : facets,
    lists: lists.length === 0 ? undefined : lists,
  };
}

/** The fields of a point: those that name its row, and both numbers. */
function pointFields(block: DatasetBlock, { x, y }: TwoNumbers): string[] {
  const { primaryKey = [] } = block;
  return [...new Set([nameFieldOf(block) ?? [], primaryKey, x.name, y.name].flat())];
}

function sortOf(texts: readonly string[] | undefined): Sort | undefined {
  if (texts === undefined) return undefined;
  const [first, ...others] = texts.map((text) => ({
    field: text.replace(/^-/, ''),
    descending: text.startsWith('-'),
  }));
  if (first === undefined) return undefined;
  const second = others.find(({ field }) => field !== first.field);
  return second === undefined ? first : { ...first, second };
}

/** Everything that the answer to a query depends on, as text. */
function cacheKeyOf({ block, manifest }: Dataset, query: Query): string {
  const { predicate, limit, after, fields, facets, lists } = query;
  const fingerprint = fingerprintOf(block, query);
  // Help and warnings mention alternatives by number, and the fingerprint does not have these
  // numbers.
  const named = predicate.flatMap(({ test, parameters }) => (test === 'any' ? parameters : []));
  const counted = facets?.map(({ text }) => text);
  return JSON.stringify([
    manifest.version,
    fingerprint,
    limit,
    after,
    fields,
    counted,
    ...named,
    ...(lists ?? []).map(({ members }) => members),
  ]);
}

type Sorted = {
  readonly near?: Near | undefined;
  readonly sort?: Sort | undefined;
  readonly grouping?: Grouping | undefined;
  readonly having?: Predicate | undefined;
  readonly xy?: TwoNumbers | undefined;
};

/**
 * Identifies the block, the predicate, the order and the grouping. A cursor is accepted only by a
 * query with the same fingerprint.
 */
export function fingerprintOf(
  { id }: Pick<DatasetBlock, 'id'>,
  { predicate, sort, near, grouping, having = [], xy }: Pick<Query, 'predicate'> & Sorted,
): string {
  const more = [
    ...(near === undefined ? [] : [near]),
    ...(grouping === undefined ? [] : [groupingTexts(grouping)]),
    ...(having.length === 0 ? [] : [having]),
    ...(xy === undefined ? [] : [[XY, xy.x.name, xy.y.name, xy.scales, xy.hasMedians]]),
  ];
  const text = JSON.stringify([id, predicate.map(withoutNumbers), sort ?? null, ...more]);
  return sha256(text, 'base64url').slice(0, 16);
}

/**
 * Drops the numbers of alternatives, and with them their order, because they make no difference to
 * the rows.
 */
function withoutNumbers(condition: Condition): unknown {
  if (condition.test !== 'any') return condition;
  const alternatives = condition.alternatives
    .map((alternative) => JSON.stringify(alternative.map(({ parameters: _, ...test }) => test)))
    .sort();
  return { test: 'any', alternatives };
}

/** query → page → output. Returns no promise if there was nothing to wait for. */
export function runQuery(dataset: Dataset, query: Query, budget: Budget): Output | Promise<Output> {
  return whenThere(pageOf(dataset, query, budget), (page) => {
    const output = outputOf(page, query, dataset);
    const { facets = [], counted = [], lists = [] } = query;
    if (facets.length === 0 && counted.length === 0 && lists.length === 0) return output;
    return withCounts(output, dataset, query, budget);
  });
}

/** Adds what is counted beside the rows, and what was not found. */
async function withCounts(
  output: Output & RowsOutput,
  { store }: Dataset,
  { predicate, facets = [], counted: beside = [], lists = [] }: Query,
  budget: Budget,
): Promise<Output> {
  const dimensions = [...facets, ...beside];
  const { path, ...usage } = output.explain;
  const reads = Object.assign(new ReadCost(), usage);
  const counted = await readCounts(store, predicate, dimensions, budget, reads);
  const lookUp = store.lookUp?.bind(store);
  const notFound = lookUp && (await notFoundIn(lookUp, lists, budget, reads));
  const missing = notFound === undefined ? [] : notFoundWarnings(notFound, lists);
  return {
    ...output,
    ...(dimensions.length === 0 ? {} : counted),
    ...(missing.length === 0 ? {} : { notFound, warnings: [...output.warnings, ...missing] }),
    explain: { ...reads, path },
  };
}

function pageOf({ store, manifest }: Dataset, query: Query, budget: Budget): Page | Promise<Page> {
  const { grouping, xy } = query;
  if (xy !== undefined) return readTwoNumbers(store, { ...query, xy }, manifest, budget);
  if (grouping !== undefined) return readGroups(store, { ...query, grouping }, budget);
  return store.read(query, budget);
}

/** What comes before a query's page. Undefined if that takes more work than the budget has. */
async function beforePage(
  { block, manifest, store }: Dataset,
  query: Query,
  budget: Budget,
): Promise<PageBefore | undefined> {
  const { grouping } = query;
  if (query.after === undefined) return { rows: 0, cursor: null };
  try {
    const before =
      grouping === undefined
        ? await store.before?.(query, budget)
        : await groupsBefore(store, { ...query, grouping }, budget);
    if (before === undefined) return undefined;
    const { rows, after } = before;
    if (after === undefined) return { rows, cursor: null };
    return { rows, cursor: encodeCursor(after, fingerprintOf(block, query), manifest.version) };
  } catch (error) {
    // The page is there without it.
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

function outputOf(page: Page, query: Query, { block, manifest }: Dataset): Output & RowsOutput {
  const { last } = page;
  const { chunksRead, itemsRead, capacityUnits, usd } = page.usage;
  const usage = { chunksRead, itemsRead, capacityUnits, usd };
  const next =
    last === undefined ? null : encodeCursor(last, fingerprintOf(block, query), manifest.version);
  const warnings = [...emptyFields(query.predicate, manifest), ...countedTwice(query, manifest)];
  if (page.swapped !== undefined) warnings.push(swappedPlace(query, page.swapped));
  if (next !== null) warnings.push(cut(page, query));
  if (page.unlisted !== undefined) warnings.push(moreGroups(page.unlisted, page.total));
  return {
    kind: 'rows',
    fields: answeredFields(block, query, page),
    rows: page.rows,
    positions: page.positions,
    total: page.total,
    next,
    last,
    warnings,
    whole: page.whole,
    matching: page.matching,
    xy: page.xy,
    help: page.help,
    explain: { path: page.path, ...usage },
  };
}

/** The fields of each row in the answer to a query. */
function answeredFields(block: DatasetBlock, query: Query, { xy }: Page): readonly Field[] {
  if (query.xy !== undefined && xy?.of === 'squares') return squareColumns(query.xy);
  const all = query.grouping === undefined ? block.fields : groupColumns(query.grouping);
  const asked = query.fields === undefined ? all : fieldsNamed(query.fields, all);
  return query.near === undefined ? asked : [...asked, DISTANCE];
}

function fieldsNamed(names: readonly string[], all: readonly Field[]): Field[] {
  const byName = new Map(all.map((field) => [field.name, field]));
  return names.map((name) => byName.get(name) as Field);
}

function emptyFields(predicate: Predicate, manifest: Manifest): Warning[] {
  const warnings: Warning[] = [];
  for (const condition of predicate) {
    if (condition.test === 'any') {
      warnings.push(...emptyFields(condition.alternatives.flat(), manifest));
    }
    if (!('field' in condition)) continue;
    const { field, test, not, parameters } = condition;
    const needsValue = (test === 'empty') === (not === true);
    if (!needsValue || manifest.fields[field]?.nulls !== manifest.rows) continue;
    warnings.push({
      title: 'Field without values',
      message: `${field} has no value in the whole dataset, so no row matches a filter on it.`,
      // A range has two parameters; this is the first of them.
      parameter: parameters[0] as string,
    });
  }
  return warnings;
}

/** Totals among the rows of groups, unless a filter or the groups tell them apart. */
function countedTwice({ grouping, predicate }: Query, { totals = {} }: Manifest): Warning[] {
  if (grouping === undefined) return [];
  const told = new Set(grouping.dimensions.map(({ field }) => field.name));
  for (const condition of predicate) if ('field' in condition) told.add(condition.field);
  const left = Object.entries(totals).filter(([name]) => !told.has(name));
  return left.map(([name, value]) => ({
    title: COUNTED_TWICE,
    message: `${JSON.stringify(value)} in ${name} is the total of the others, and is counted beside them. _not.${name}=${value} leaves it out.`,
  }));
}

function swappedPlace({ near, predicate }: Query, rows: number): Warning {
  const title = 'Longitude and latitude swapped?';
  const found = rows === 1 ? 'one row matches' : `${numberText(rows)} rows match`;
  if (!predicate.some(({ parameters }) => parameters.includes(WITHIN))) {
    const message = `With longitudes and latitudes swapped, ${found}: ${BBOX} is west,south,east,north.`;
    return { title, message, parameter: BBOX };
  }
  const [longitude, latitude] = near?.at ?? [];
  const message = `With ${NEAR}=${latitude},${longitude}, ${found}: the longitude comes first, then the latitude.`;
  return { title, message, parameter: NEAR };
}

function moreGroups(unlisted: number, total: number): Warning {
  const message = `These are the last of the first ${numberText(MOST_GROUPS)} groups, which are all that are listed: ${numberText(unlisted)} more are counted in the total of ${numberText(total)}. Sort by another column, let _having choose among the groups, or filter for fewer rows.`;
  return { title: 'More groups than are listed', message };
}

function cut({ rows, total }: Page, { grouping }: Query): Warning {
  const what = grouping === undefined ? 'rows' : 'groups';
  const message = `These are ${numberText(rows.length)} of ${numberText(total)} ${what}; more follow. Send params.next as _cursor for the next page.`;
  return { title: ANSWER_CUT, message };
}

/** A block's answer, before it is formatted for a client. */
export type Output = (RowsOutput | ValueOutput) & {
  readonly warnings: readonly Warning[];
  readonly explain: Explain;
};

/** A page of rows as JSON text; `next` is the cursor of the next page. */
export type RowsOutput = {
  readonly kind: 'rows';
  /** The members of each row, in order. */
  readonly fields: readonly Field[];
  readonly rows: RowTexts;
  /** Where each row is in the dataset; absent if they are not rows of it. */
  readonly positions?: ArrayLike<number>;
  /** The rows' addresses, relative to the block's. Absent if the answer does not have them. */
  readonly addresses?: readonly string[];
  readonly total: number;
  readonly next: string | null;
  /** The position of the last row, if more rows follow. */
  readonly last?: number;
  /** For groups: how many of the dataset's rows are in them. */
  readonly matching?: number;
  /** What an answer about two numbers is of. */
  readonly xy?: TwoNumbersFound;
  /** For groups: those of this page and all further ones. */
  readonly whole?: Whole;
  /** Present if no row matches: what each filter contributes to that. */
  readonly help?: readonly FilterHelp[];
  /** The counts of values, by the text of each facet. Absent if the query has no facets. */
  readonly facets?: Readonly<Record<string, Facet>>;
  /** The rows in the bins of histograms, by field. Absent if none were asked for. */
  readonly bins?: Readonly<Record<string, BinCounts>>;
  /** The values of lists that no row has. Absent if there are none. */
  readonly notFound?: NotFound | undefined;
};

type ValueOutput = {
  readonly kind: 'value';
  readonly value: Readonly<Record<string, unknown>>;
};

/** How the answer was found, and what that cost on DynamoDB. */
type Explain = ReadUsage & { readonly path: string };
