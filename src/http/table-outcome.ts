import type { DatasetProfile } from '../block/manifest.ts';
import { NEAR } from '../block/parameter.ts';
import type { PageOutcome } from '../page/block-view.ts';
import { countedBeside } from '../page/filter-order.ts';
import type { OpenedView } from '../page/opened-view.ts';
import { parsedRows, rowAddresses } from '../query/row-addresses.ts';
import type { PlannedRun } from '../query/run.ts';
import type { Budget } from '../work/budget.ts';
import { columnSummaries } from './column-summaries.ts';
import { loadPages } from './load-pages.ts';
import type { Answered } from './read-figure.ts';
import { type PagedDataset, rowLinks, type ViewAsked } from './view-asked.ts';

/** Rows on a page when the request has no `_limit`. */
const PAGE_LIMIT = 40;

/** Groups on a page when the request has no `_limit`. */
const GROUPS_LIMIT = 200;

/**
 * Work for telling which of all rows a page has, in steps. Then the page does not say it, and leads
 * back to the first page alone.
 */
const STEPS_BEFORE = 5_000_000;

/** Plans the table of a page: as many rows as fit it, with the fields of their addresses. */
export async function planTable(
  served: PagedDataset,
  profile: DatasetProfile | undefined,
  { values, grouping }: OpenedView,
  budget: Budget,
): Promise<PlannedRun> {
  const { plan } = served;
  const { rowsThatFit, tableColumns } = await loadPages();
  const { columns } = tableColumns({ ...served, profile, values }, grouping);
  const { primaryKey = [], geometry } = served.block;
  // The way to a row follows from its place.
  const places =
    values[NEAR] === undefined || geometry === undefined
      ? []
      : [geometry.longitude, geometry.latitude];
  const fields = grouping === undefined ? (values._fields as string[] | undefined) : undefined;
  const counted = countedBeside(served.block, served.manifest, profile, values);
  return plan(
    {
      ...{ ...values, _limit: rowsThatFit(limitOf(values, grouping), columns.length) },
      ...(fields === undefined ? {} : { _fields: [...fields, ...primaryKey, ...places] }),
    },
    budget,
    grouping,
    counted,
  );
}

/** How many rows or groups a page has. */
function limitOf({ _limit }: OpenedView['values'], grouping: OpenedView['grouping']): number {
  return (_limit ?? (grouping === undefined ? PAGE_LIMIT : GROUPS_LIMIT)) as number;
}

/** The table of an answer: of rows, or of groups. */
export async function tableOutcome(
  asked: ViewAsked,
  { view, values, grouping }: OpenedView,
  planned: PlannedRun,
  budget: Budget,
): Promise<{ readonly outcome: PageOutcome; readonly output: Answered }> {
  const output = await planned.run(budget);
  if (output.kind === 'value') throw new TypeError('A table is of rows.');
  const { served, sent, profile } = asked;
  const { total, next, help, facets, bins } = output;
  const rows = await parsedRows(output, budget);
  const pages = await loadPages();
  const table = pages.tableColumns({ ...served, profile, values }, grouping, rows);
  const { columns } = table;
  const limit = limitOf(values, grouping);
  const isShort = rows.length < limit && rows.length === pages.rowsThatFit(limit, columns.length);
  const groups =
    grouping === undefined ? {} : { groups: { grouping, matching: output.matching ?? 0 } };
  // The page is there without what comes before it, which gives way.
  const before = view === 'table' ? await planned.before?.(budget.part(STEPS_BEFORE)) : undefined;
  const fields = columns.map(({ field }) => field);
  const isOfRows = view === 'table' && grouping === undefined;
  return {
    output,
    outcome: {
      kind: 'rows',
      ...{ rows, limit, ...groups },
      summaries: isOfRows ? await columnSummaries(asked, planned, fields, total, budget) : {},
      columns: pages.columnsOfRows({ ...served, values }, grouping),
      table,
      isShort: isShort && next !== null,
      body: await pages.writeTableBody(
        { ...served, profile, given: sent, language: asked.language },
        { rows, columns, near: values[NEAR], ...groups },
        (steps) => budget.checkpoint(steps),
        rowAddresses(served, rows, output).map(rowLinks(asked)),
      ),
      ...(facets === undefined ? {} : { facets }),
      ...(bins === undefined ? {} : { bins }),
      ...(before === undefined ? {} : { before }),
      ...{ total, next, warnings: [...asked.warnings, ...output.warnings] },
      ...(help === undefined ? {} : { help }),
    },
  };
}
