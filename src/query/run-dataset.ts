import type { Members } from '../arguments/given.ts';
import type { DatasetBlock } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import { BBOX, NEAR, WITHIN } from '../block/search-parameters.ts';
import type { Field } from '../fields/field-types.ts';
import { ANSWER_CUT, type Warning } from '../problem/errors.ts';
import { numberText } from '../words/number-text.ts';
import type { Budget } from './budget.ts';
import { encodeCursor } from './cursor.ts';
import { DISTANCE } from './distance.ts';
import { readFacets } from './facets.ts';
import { columnsOf } from './grouping.ts';
import type { Output, RowsOutput } from './output.ts';
import { fingerprintOf, type Query, queryOf } from './query.ts';
import { planQuery, type QueryPlan } from './query-plan.ts';
import { readGroups } from './read-groups.ts';
import { type Page, Reads, type RowStore } from './row-store.ts';

/** A dataset in a running function. */
export type Dataset = {
  readonly block: DatasetBlock;
  readonly manifest: Manifest;
  readonly store: RowStore;
};

/** arguments → query → plan. Throws a Problem if it cannot be answered. */
export function planRows(dataset: Dataset, values: Members, budget: Budget): QueryPlan {
  const { block, manifest } = dataset;
  return planQuery(queryOf(block, manifest, values, budget), block, manifest);
}

/** Everything that the answer to a plan depends on, as text. */
export function cacheKeyOfRows({ block, manifest }: Dataset, { query }: QueryPlan): string {
  const { predicate, limit, after, fields, facets } = query;
  const fingerprint = fingerprintOf(block, query);
  // Help and warnings name alternatives by their numbers, which the fingerprint leaves out.
  const named = predicate.flatMap(({ test, parameters }) => (test === 'any' ? parameters : []));
  const counted = facets?.map(({ text }) => text);
  return JSON.stringify([manifest.version, fingerprint, limit, after, fields, counted, ...named]);
}

/** plan → page → output. */
export async function readRows(dataset: Dataset, plan: QueryPlan, budget: Budget): Promise<Output> {
  const { query } = plan;
  const page =
    query.grouping === undefined
      ? await dataset.store.read(plan, budget)
      : await readGroups(dataset.store, { ...query, grouping: query.grouping }, budget);
  const output = outputOf(page, plan, dataset);
  if (query.facets === undefined) return output;
  const reads = Object.assign(new Reads(), output.explain);
  const facets = await readFacets(dataset.store, query.predicate, query.facets, budget, reads);
  return { ...output, facets, explain: { ...reads, path: page.path } };
}

function outputOf(page: Page, plan: QueryPlan, { block, manifest }: Dataset): Output & RowsOutput {
  const { query } = plan;
  const { last } = page;
  const { chunksRead, itemsRead, capacityUnits, usd } = page.usage;
  const usage = { chunksRead, itemsRead, capacityUnits, usd };
  const next =
    last === undefined ? null : encodeCursor(last, fingerprintOf(block, query), manifest.version);
  return {
    kind: 'rows',
    fields: answeredFields(block, query),
    rows: page.rows,
    ...(page.positions === undefined ? {} : { positions: page.positions }),
    total: page.total,
    next,
    ...(last === undefined ? {} : { last }),
    warnings: [
      ...emptyFields(query, manifest),
      ...(page.swapped === undefined ? [] : [swappedPlace(query, page.swapped)]),
      ...(next === null ? [] : [cut(page, query)]),
    ],
    ...(page.whole === undefined ? {} : { whole: page.whole }),
    ...(page.matching === undefined ? {} : { matching: page.matching }),
    ...(page.help === undefined ? {} : { help: page.help }),
    explain: { path: page.path, ...usage },
  };
}

/** The members of each row that a query answers with. */
function answeredFields(block: DatasetBlock, query: Query): readonly Field[] {
  const all = query.grouping === undefined ? block.fields : columnsOf(query.grouping);
  const byName = new Map(all.map((field) => [field.name, field]));
  const asked = query.fields?.map((name) => byName.get(name) as Field) ?? all;
  return query.near === undefined ? asked : [...asked, DISTANCE];
}

function emptyFields({ predicate }: Query, manifest: Manifest): Warning[] {
  return predicate
    .flatMap((condition) => (condition.test === 'any' ? condition.alternatives.flat() : condition))
    .filter((condition) => 'field' in condition)
    .filter(({ not, test }) => (test === 'empty') === (not === true))
    .filter(({ field }) => manifest.fields[field]?.nulls === manifest.rows)
    .map((condition) => ({
      title: 'Field without values',
      message: `${condition.field} has no value in the whole dataset, so no row matches a filter on it.`,
      // For a range, this names the first of its parameters.
      parameter: condition.parameters[0] as string,
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

function cut({ rows, total }: Page, { grouping }: Query): Warning {
  const what = grouping === undefined ? 'rows' : 'groups';
  const message = `These are ${numberText(rows.length)} of ${numberText(total)} ${what}; more follow. Send params.next as _cursor for the next page.`;
  return { title: ANSWER_CUT, message };
}
