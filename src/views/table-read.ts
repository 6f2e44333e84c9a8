import { NEAR } from '../block/parameter.ts';
import { columnsOfRows } from '../page/cells.ts';
import { countedBeside } from '../page/filter-order.ts';
import type { DatasetPage } from '../page/page.ts';
import type { Warning } from '../problem/errors.ts';
import { parsedRows, rowAddresses } from '../query/row-addresses.ts';
import type { PageBefore, PlannedRun } from '../query/run.ts';
import type { FilterHelp } from '../query/why-empty.ts';
import type { Row } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import type { Budget } from '../work/budget.ts';
import type { ColumnSummaries } from './column-summaries.ts';
import { rowLinks } from './row-links.ts';
import { type Groups, rowsThatFit, writeTableBody } from './table-body.ts';
import { type TableShown, tableColumns } from './table-columns.ts';
import type { OfDataset, Read, Reading, ViewQuery } from './view.ts';

/** Rows, or groups, as a table. */
export type TableRead = Read & {
  readonly matching: number;
  readonly total: number;
  readonly next: string | null;
  readonly warnings: readonly Warning[];
  readonly rows: readonly Row[];
  /** The answer's columns, and those that the table has. */
  readonly columns: readonly Field[];
  readonly table: TableShown;
  /** Set if the rows are groups. */
  readonly groups?: Groups;
  /** The rows as the body of a table, in HTML. */
  readonly body: string;
  /** How many rows a page has, if nothing cuts it. */
  readonly limit: number;
  /** Whether the table has fewer rows than that, to have fewer cells. */
  readonly isShort: boolean;
  /** What comes before the page. Absent if it was not counted. */
  readonly before?: PageBefore;
  /** What is told of columns, each of the rows that match. */
  readonly summaries: ColumnSummaries;
  readonly help?: readonly FilterHelp[];
};

export type TableProps = { readonly page: DatasetPage; readonly found: TableRead };

/** Rows on a page when the request has no `_limit`. */
const PAGE_LIMIT = 40;

/** Groups on a page when the request has no `_limit`. */
const GROUPS_LIMIT = 200;

/** Plans the table of a page: as many rows as fit it, with the fields of their addresses. */
export function planTable(
  { values, grouping }: ViewQuery,
  of: OfDataset,
  budget: Budget,
): PlannedRun {
  const { block, manifest, profile, plan } = of;
  const { columns } = tableColumns({ ...of, values }, grouping);
  const { primaryKey = [], geometry } = block;
  // The way to a row follows from its place.
  const places =
    values[NEAR] === undefined || geometry === undefined
      ? []
      : [geometry.longitude, geometry.latitude];
  const asked = grouping === undefined ? (values._fields as string[] | undefined) : undefined;
  const _fields = asked === undefined ? values._fields : [...asked, ...primaryKey, ...places];
  const _limit = rowsThatFit(limitOf(values, grouping), columns.length);
  const counted = countedBeside(block, manifest, profile, values);
  return plan({ ...values, _limit, _fields }, budget, grouping, counted);
}

/** How many rows or groups a page has. */
function limitOf({ _limit }: ViewQuery['values'], grouping: ViewQuery['grouping']): number {
  return (_limit ?? (grouping === undefined ? PAGE_LIMIT : GROUPS_LIMIT)) as number;
}

/** The rows or groups of a page as a table, without what is told beside it. */
export async function readRows(
  { values, grouping }: ViewQuery,
  { of, page, warnings, budget }: Reading,
  planned: PlannedRun,
): Promise<TableRead> {
  const output = await planned.run(budget);
  if (output.kind === 'value') throw new TypeError('A table is of rows.');
  const { total, next, help, facets, bins } = output;
  const rows = await parsedRows(output, budget);
  const table = tableColumns({ ...of, values }, grouping, rows);
  const { columns } = table;
  const limit = limitOf(values, grouping);
  const isCut = rows.length < limit && rows.length === rowsThatFit(limit, columns.length);
  const matching = (grouping === undefined ? total : output.matching) ?? 0;
  const groups = grouping && { grouping, matching };
  const links = rowAddresses(of, rows, output).map(rowLinks(page));
  const near = values[NEAR];
  return {
    ...{ output, rows, groups, matching, total, next, help, facets, bins, table, limit },
    summaries: {},
    columns: columnsOfRows({ ...of, values }, grouping),
    isShort: isCut && next !== null,
    body: await writeTableBody(page, { rows, columns, near, groups }, links),
    warnings: [...warnings, ...output.warnings],
  };
}
