import type { DatasetProfile } from '../block/manifest.ts';
import type { PageOutcome } from '../page/block-view.ts';
import type { OpenedView } from '../page/opened-view.ts';
import type { Output, PlannedRun } from '../query/run.ts';
import type { Budget } from '../work/budget.ts';
import { loadPages } from './load-pages.ts';
import { parsedRows, rowAddresses } from './row-addresses.ts';
import { countedFor, type PagedDataset, rowLinks, type ViewAsked } from './view-asked.ts';

/** Rows on a page when the request has no `_limit`. */
const PAGE_LIMIT = 40;

/** Groups on a page when the request has no `_limit`. */
const GROUPS_LIMIT = 200;

/** Plans the table of a page: as many rows as fit it, with the fields of their addresses. */
export async function planTable(
  served: PagedDataset,
  profile: DatasetProfile | undefined,
  { values, grouping }: OpenedView,
  budget: Budget,
): Promise<PlannedRun> {
  const { block, plan } = served;
  const { columnsOfRows, rowsThatFit } = await loadPages();
  const { length } = columnsOfRows({ block, values }, grouping);
  const { primaryKey = [] } = block;
  const limit = (values._limit ?? (grouping === undefined ? PAGE_LIMIT : GROUPS_LIMIT)) as number;
  const fields = grouping === undefined ? (values._fields as string[] | undefined) : undefined;
  const { facets, bins } = countedFor(served, profile, values);
  return plan(
    {
      ...{ ...values, _limit: rowsThatFit(limit, length) },
      ...(fields === undefined ? {} : { _fields: [...fields, ...primaryKey] }),
      ...facets,
    },
    budget,
    grouping,
    bins,
  );
}

/** The table of an answer: of rows, or of groups. */
export async function tableOutcome(
  asked: ViewAsked,
  { values, grouping }: OpenedView,
  output: Output,
  budget: Budget,
): Promise<PageOutcome> {
  if (output.kind === 'value') throw new TypeError('A table is of rows.');
  const { served, sent } = asked;
  const { total, next, help, facets, bins } = output;
  const rows = await parsedRows(output, budget);
  const { columnsOfRows, columnsThatFit, rowsThatFit, writeTableBody } = await loadPages();
  const columns = columnsOfRows({ ...served, values }, grouping);
  const columnsShown = columnsThatFit(columns.length, rows.length);
  const { _limit: limit = 0 } = values as { readonly _limit?: number };
  const isShort = rows.length < limit && rows.length === rowsThatFit(limit, columns.length);
  const groups =
    grouping === undefined ? {} : { groups: { grouping, matching: output.matching ?? 0 } };
  return {
    kind: 'rows',
    ...{ rows, columns, columnsShown, ...groups },
    isShort: isShort && next !== null,
    body: await writeTableBody(
      { ...served, profile: asked.profile, given: sent },
      { rows, columns: columns.slice(0, columnsShown), ...groups },
      (steps) => budget.checkpoint(steps),
      rowAddresses(served, rows, output).map(rowLinks(asked)),
    ),
    ...(facets === undefined ? {} : { facets }),
    ...(bins === undefined ? {} : { bins }),
    ...{ total, next, warnings: [...asked.warnings, ...output.warnings] },
    ...(help === undefined ? {} : { help }),
  };
}
