import type { Arguments } from '../arguments/arguments.ts';
import { MOST_LIMIT } from '../block/options.ts';
import type { RowsFormat } from '../formats/render-format.ts';
import { Problem } from '../problem/errors.ts';
import type { Output } from '../query/output.ts';

/**
 * Refuses to answer with only some of the rows in a format that cannot say so: a caller who did not
 * ask for a page would take them for all.
 */
export function checkWhole(
  output: Output,
  format: RowsFormat,
  { _limit: limit }: Arguments['values'],
): void {
  if (output.kind === 'value' || output.next === null || limit !== undefined) return;
  const { total, rows } = output;
  const detail = `${total} rows match, and an answer in ${format} cannot say that some are missing: it has ${rows.length} of them. Filter for fewer, or ask for pages: with _limit=${MOST_LIMIT}, and then with the _cursor that each answer's Link header has, until it has none.`;
  throw new Problem('result-too-large', detail, {
    faults: [{ code: 'result-too-large', detail, parameter: '_limit' }],
  });
}
