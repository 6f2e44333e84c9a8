import type { Members } from '../arguments/arguments.ts';
import type { DatasetBlock } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import { ANSWER_CUT, type Warning } from '../problem/errors.ts';
import type { Budget } from './budget.ts';
import { encodeCursor } from './cursor.ts';
import type { Output, RowsOutput } from './output.ts';
import { fingerprintOf, type Query, queryOf } from './query.ts';
import { planQuery, type QueryPlan } from './query-plan.ts';
import type { Page, RowStore } from './row-store.ts';
import { helpByManifest } from './zero-result-help.ts';

/** A dataset in a running function. */
export type Dataset = {
  readonly block: DatasetBlock;
  readonly manifest: Manifest;
  /** Datasets of up to this many bytes are answered from memory. */
  readonly residentBytes: number;
  readonly store: RowStore;
  /** Whether the rows are in memory already; if absent, they are. */
  readonly isReady?: () => boolean;
};

/** arguments → query → plan. Throws a Problem if it cannot be answered. */
export function planRows(dataset: Dataset, values: Members, budget: Budget): QueryPlan {
  return planOf(queryOf(dataset.block, dataset.manifest, values, budget), dataset);
}

/** Everything that the answer to a plan depends on, as text. */
export function cacheKeyOfRows({ block, manifest }: Dataset, { path, query }: QueryPlan): string {
  const { limit, after, fields } = query;
  const fingerprint = fingerprintOf(block, query);
  return JSON.stringify([manifest.version, path, fingerprint, limit, after, fields]);
}

/** plan → page → output. */
export async function readRows(dataset: Dataset, plan: QueryPlan, budget: Budget): Promise<Output> {
  const page = await dataset.store.read(plan, budget);
  const output = outputOf(page, plan, dataset);
  if (page.total !== 0 || plan.query.predicate.length === 0) return output;
  const { help = await helpByManifest(plan.query.predicate, dataset.manifest, budget) } = page;
  return { ...output, help };
}

/** The size that a new function loads within its first request's time, or nearly so. */
const LOADED_SOON_BYTES = 8 * 2 ** 20;

/**
 * While a large dataset is loading into memory, its table answers instead; sorts wait for the load.
 */
function planOf(query: Query, dataset: Dataset): QueryPlan {
  const { block, manifest, residentBytes, isReady } = dataset;
  const plan = planQuery(query, block, manifest, residentBytes);
  if (plan.path !== 'resident' || query.sort !== undefined) return plan;
  if (manifest.bytes <= LOADED_SOON_BYTES || isReady === undefined || isReady()) return plan;
  return planQuery(query, block, manifest, 0);
}

function outputOf(page: Page, plan: QueryPlan, { block, manifest }: Dataset): Output & RowsOutput {
  const { query } = plan;
  const { last } = page;
  const next =
    last === undefined ? null : encodeCursor(last, fingerprintOf(block, query), manifest.version);
  return {
    kind: 'rows',
    rows: page.rows,
    total: page.total,
    next,
    warnings: [...emptyFields(query, manifest), ...(next === null ? [] : [cut(page)])],
    explain: { path: plan.path === 'index' ? `index:${plan.field}` : plan.path, ...page.usage },
  };
}

function emptyFields({ predicate }: Query, manifest: Manifest): Warning[] {
  return predicate
    .filter(({ not, test }) => (test === 'empty') === (not === true))
    .filter(({ field }) => manifest.fields[field]?.nulls === manifest.rows)
    .map((condition) => ({
      title: 'Field without values',
      message: `${condition.field} has no value in the whole dataset, so no row matches a filter on it.`,
      // For a range, this names the first of its parameters.
      parameter: condition.parameters[0] as string,
    }));
}

function cut({ rows, total }: Page): Warning {
  const of = total === null ? '' : ` of ${total}`;
  const message = `These are ${rows.length}${of} rows; more may follow. Send params.next as _cursor for the next page.`;
  return { title: ANSWER_CUT, message };
}
