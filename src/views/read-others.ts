import type { Members } from '../arguments/given.ts';
import type { Grouping } from '../block/grouping.ts';
import { MOST_LIMIT } from '../block/options.ts';
import { MOST_QUIET_LINES, MOST_QUIET_POINTS } from '../figure/mark.ts';
import { type Others, type Picks, placeAmong } from '../figure/question.ts';
import { isTooMuch } from '../problem/errors.ts';
import { describeFilters } from '../query/filters-in-words.ts';
import { parsedRows, parsedTexts } from '../query/row-addresses.ts';
import type { Output } from '../query/run.ts';
import type { Row } from '../values/field-type.ts';
import type { Budget } from '../work/budget.ts';
import type { OfDataset } from './view.ts';

type RowsOutput = Output & { readonly kind: 'rows' };

/** Work for what is drawn quietly beside the picks, in steps: a quarter of a run's. */
const STEPS_OF_OTHERS = 5_000_000;

/** All groups of an answer, also those beyond its first page. */
export async function allGroups(output: RowsOutput, budget: Budget): Promise<readonly Row[]> {
  const { next, whole } = output;
  return next === null || whole === undefined
    ? parsedRows(output, budget)
    : parsedTexts(whole(budget), budget);
}

/**
 * Reads the groups of the values that were not picked, by the same question without that filter.
 * Undefined if there are none; if they are too many, or too much work, only how many values they are, as far as that is known.
 */
export async function readOthers(
  { block, manifest, plan }: OfDataset,
  picks: Picks,
  asked: { readonly values: Members; readonly grouping: Grouping; readonly budget: Budget },
): Promise<Others | undefined> {
  const { field } = picks;
  const { distinct = 0 } = manifest.fields[field.name] ?? {};
  const count = distinct - picks.values.length;
  const { grouping } = asked;
  const dimension = grouping.dimensions.find((one) => one.field === field);
  if (dimension === undefined || count <= 0) return undefined;
  const { [field.name]: _, _cursor, _fields, _facets, _sort, ...values } = asked.values;
  // Other filters may leave fewer of them.
  const isAll = describeFilters(block, values).length === 0 && !picks.values.includes(null);
  const leftOut = isAll ? count : 'some';
  if (count > MOST_QUIET_LINES) return { leftOut };
  const budget = asked.budget.part(STEPS_OF_OTHERS);
  try {
    const output = await plan({ ...values, _limit: MOST_LIMIT }, budget, grouping).run(budget);
    if (output.kind === 'value') return undefined;
    if (output.total > MOST_QUIET_POINTS) return { leftOut };
    const placeOf = placeAmong(picks);
    const groups = await allGroups(output, budget);
    const others = groups.filter((group) => {
      return placeOf(group[dimension.column.name] ?? null) === picks.values.length;
    });
    return others.length === 0 ? undefined : { groups: others };
  } catch (error) {
    if (!isTooMuch(error)) throw error;
    return { leftOut };
  }
}
