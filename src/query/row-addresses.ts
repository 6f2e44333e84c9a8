import type { Members } from '../arguments/given.ts';
import { rowReference } from '../block/addresses.ts';
import { type Block, datasetOf } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import { rowSegment } from '../block/row-key.ts';
import type { Row } from '../values/field-type.ts';
import { DISTANCE } from '../values/places.ts';
import { listTexts, rowText } from '../values/row-texts.ts';
import type { Budget } from '../work/budget.ts';
import type { Output, RowsOutput } from './run.ts';

/** The block whose rows have addresses. */
type OfRows = { readonly block: Block; readonly manifest?: Manifest };

/**
 * The addresses of an answer's rows, given with their primary keys, relative to their block's. Rows
 * that are not of the dataset have none.
 */
export function rowAddresses(
  { block, manifest }: OfRows,
  rows: readonly Row[],
  { positions }: Pick<RowsOutput, 'positions'>,
): string[] {
  const dataset = datasetOf(block);
  if (dataset === undefined || manifest === undefined || positions === undefined) return [];
  return rows.map((row, i) => {
    const segment = rowSegment(dataset, manifest, row, positions[i] as number);
    return rowReference(block.name, segment);
  });
}

/** The work of parsing a character of a row, in steps. */
const STEPS_PER_CHARACTER = 3;

/** An answer's rows as values. */
export function parsedRows({ rows }: RowsOutput, budget: Budget): Promise<Row[]> {
  return parsedTexts([listTexts(rows)], budget);
}

/** The texts of rows as values. */
export async function parsedTexts(
  texts: AsyncIterable<Iterable<string>> | Iterable<Iterable<string>>,
  budget: Budget,
): Promise<Row[]> {
  const parsed: Row[] = [];
  for await (const some of texts) {
    for (const text of some) {
      parsed.push(JSON.parse(text));
      await budget.checkpoint(text.length * STEPS_PER_CHARACTER);
    }
  }
  return parsed;
}

/**
 * Adds the rows' addresses to an answer that was read with its key fields. Its rows then have only
 * the fields that were asked for.
 */
export async function withAddresses(
  served: OfRows,
  output: Output,
  { _fields: fields }: Members,
  budget: Budget,
): Promise<Output> {
  if (output.kind === 'value' || output.positions === undefined) return output;
  const rows = await parsedRows(output, budget);
  const addresses = rowAddresses(served, rows, output);
  // How far a row is from a place is no field, but it is always there.
  const added = output.fields.filter(({ name }) => name === DISTANCE.name);
  const names = [...new Set([...((fields ?? []) as string[]), ...added.map(({ name }) => name)])];
  if (fields === undefined || names.length === output.fields.length)
    return { ...output, addresses };
  return { ...output, addresses, rows: rows.map((row) => rowText(row, names)) };
}
