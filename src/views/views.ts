import { XY } from '../block/two-numbers.ts';
import type { ViewName } from '../block/views.ts';
import { firstOf } from '../first/first-question.ts';
import { invalidArguments } from '../problem/errors.ts';
import { isNumeric, typeOf } from '../values/field-types.ts';
import type { Budget } from '../work/budget.ts';
import { doorOf } from './block-page.tsx';
import { call } from './call.tsx';
import { chart, regrouped } from './chart.tsx';
import { columns } from './columns.tsx';
import { figuresView } from './figures.tsx';
import { map } from './map.tsx';
import { table } from './table.tsx';
import type { Arrival, Door, Given, OfDataset, ViewKind, ViewQuery } from './view.ts';

export { sentPairs } from '../page/links.ts';
export { readForPage } from '../page/page-arguments.ts';
export { languageOf, readPage, readView, refusedView, renderBlockPage } from './block-page.tsx';
export { checkFigure, figureFile } from './figure-file.ts';
export { arriveAtRow, readRowArguments, readRowPage, renderRowPage } from './row.tsx';

type Kinds = Readonly<Record<ViewName, ViewKind>>;

/** A page of several figures asks each as a page of its own does. */
const figures = figuresView(openDataset);

/** The views of a dataset, by the names that callers use. */
const KINDS: Kinds = { figures, chart, map, table, columns, api: call };

/** What is known of a page at its door. */
export function arriveAt(arrival: Arrival): Door {
  return doorOf(arrival, Object.values(KINDS));
}

export function openView(door: Door, read: Given | undefined, budget: Budget): ViewQuery {
  if (door.manifest === undefined) throw new TypeError(`${door.block.name} has no rows.`);
  return openDataset(door, read ?? { values: {} }, budget);
}

/**
 * Chooses the view of a page, and what it asks: the view that is named, or else the one that the
 * arguments are for, or else that of the block's first question.
 */
export function openDataset(of: OfDataset, read: Given, budget: Budget): ViewQuery {
  const query = sorted(asSeason(of, chosen(withFirst(of, budget), read)));
  return { ...query, planned: query.view.plan?.(query, of, budget) };
}

function chosen(of: OfDataset, given: Given): ViewQuery {
  const named = given.values._view as ViewName | undefined;
  checkView(named, given);
  const kinds = Object.values(KINDS);
  const meant =
    kinds.find((one) => one.isMeant?.(of, given)) ?? kinds.find((one) => one.isFirst?.(of));
  const kind = named === undefined ? meant : KINDS[named];
  if (kind !== undefined) return kind.ask(of, given);
  const first = firstOf(of.block, of.manifest, of.profile).arguments;
  return KINDS[first._view as ViewName].ask(of, given, first);
}

/** The views of a question about two numbers: its figure, and its call. */
const OF_TWO_NUMBERS: readonly (ViewName | undefined)[] = [undefined, 'chart', 'api'];

/** Throws a Problem if the view that is named has no place for two numbers. */
function checkView(named: ViewName | undefined, { values }: Given): void {
  if (values[XY] === undefined || OF_TWO_NUMBERS.includes(named)) return;
  const detail = `_view=${named} and ${XY} ask for different answers: two numbers are drawn in _view=chart. Leave one out.`;
  throw invalidArguments([{ code: 'option-of-another-question', detail, parameter: XY }]);
}

/** The block with what its page opens with as it is read: a text of a list as a list. */
function withFirst(of: OfDataset, budget: Budget): OfDataset {
  const { block, readArguments } = of;
  const { first } = block;
  if (first === undefined) return of;
  const given = { query: {}, body: first, isPost: true, isWebhook: false };
  return { ...of, block: { ...block, first: readArguments(given, budget).values } };
}

/**
 * Parts of one date are the season: a month of the year, with a line a year. Months of years would
 * each have one year alone.
 */
function asSeason({ block }: OfDataset, query: ViewQuery): ViewQuery {
  const [one, two] = query.grouping?.dimensions ?? [];
  if (one === undefined || two === undefined || one.field !== two.field) return query;
  const names = [one.partName, two.partName];
  if (!names.includes('year') || !names.includes('month')) return query;
  const { name } = one.field;
  return regrouped(block, query, [`${name}.month_of_year`, `${name}.year`]);
}

/**
 * Groups that are given no order, and have none of their own, begin with the largest: as if that
 * were asked for, so that the page's links, files and programs have the order too.
 */
function sorted(query: ViewQuery): ViewQuery {
  const { values, grouping, added } = query;
  const { dimensions: [dimension, second] = [], measures: [measure] = [] } = grouping ?? {};
  if (values._sort !== undefined || dimension === undefined || measure === undefined) return query;
  const isOrdered = dimension.part !== undefined || typeOf(dimension.field).isOrdered;
  if (second !== undefined || isOrdered || !isNumeric(measure.column)) return query;
  const _sort = `-${measure.column.name}`;
  return { ...query, values: { ...values, _sort: [_sort] }, added: { ...added, _sort } };
}
