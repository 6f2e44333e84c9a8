import { groupingOf } from '../block/grouping.ts';
import type { ColumnSummary } from '../page/block-view.ts';
import { Problem } from '../problem/errors.ts';
import { countColumns } from '../query/column-counts.ts';
import type { PlannedRun } from '../query/run.ts';
import type { Field } from '../values/field-types.ts';
import type { Budget } from '../work/budget.ts';
import { loadPages } from './load-pages.ts';
import type { ViewAsked } from './view-asked.ts';

/**
 * Work for summing up the columns of a table where filters leave some of the rows, in steps. Then
 * the head has names alone: what the import told is of all rows.
 */
const STEPS_OF_SUMMARIES = 4_000_000;

type Summaries = Readonly<Record<string, ColumnSummary>>;

/** What the head of a table says of its columns: of the rows that match, and of no others. */
export async function columnSummaries(
  { served, profile, language }: Pick<ViewAsked, 'served' | 'profile' | 'language'>,
  planned: PlannedRun,
  fields: readonly Field[],
  total: number,
  budget: Budget,
): Promise<Summaries> {
  const { block, manifest } = served;
  const { summaryOfAll, summaryOfCounts, summaryQuestion } = await loadPages();
  const of = { block, manifest, profile, language };
  const found = new Map<string, ColumnSummary | undefined>();
  if (total === manifest.rows) {
    for (const field of fields) found.set(field.name, summaryOfAll(of, field));
    return told(found);
  }
  if (total === 0 || planned.asked === undefined) return {};
  const asked = fields.flatMap((field) => {
    const question = summaryQuestion(of, field);
    return question === undefined ? [] : [{ field, question }];
  });
  const dimensions = asked.flatMap(({ question }) => question.dimension ?? []);
  const measures = asked.flatMap(({ question }) => question.measures);
  try {
    const { counts, measured } = await countColumns(
      planned.asked,
      dimensions,
      measures.length === 0 ? [] : (groupingOf(block, { _measure: measures })?.measures ?? []),
      budget.part(STEPS_OF_SUMMARIES),
    );
    for (const { field, question } of asked) {
      const ofValues = question.dimension && counts[dimensions.indexOf(question.dimension)];
      const values = question.measures.map((one) => measured[measures.indexOf(one)] ?? null);
      found.set(field.name, summaryOfCounts(of, field, total, ofValues, values));
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return {};
  }
  return told(found);
}

function told(found: ReadonlyMap<string, ColumnSummary | undefined>): Summaries {
  return Object.fromEntries(
    [...found].filter((one): one is [string, ColumnSummary] => one[1] !== undefined),
  );
}
