import type { DatasetBlock } from '../block/block.ts';
import { MOST_LIMIT } from '../block/options.ts';
import { keyTexts, readRowSegment, rowSegment, segmentOf } from '../block/row-key.ts';
import { Problem } from '../problem/errors.ts';
import { numberText, shorten } from '../text/wording.ts';
import type { Row } from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import { listTexts } from '../values/row-texts.ts';
import type { Budget } from '../work/budget.ts';
import type { Condition } from './predicate.ts';
import type { Query } from './row-store.ts';
import { type Dataset, type Output, runQuery } from './run.ts';

/**
 * A row as JSON text and as values, the last segment of its address, and the output of the read
 * that found it.
 */
export type FoundRow = ReadRow & { readonly segment: string };

type ReadRow = {
  readonly text: string;
  readonly row: Row;
  /** Where it is in the dataset. */
  readonly position: number;
  readonly output: Output;
};

/**
 * Reads the row whose address ends with this segment. Throws a Problem if there is none. If the
 * segment belongs to a version that is no longer served, that is a 410.
 */
export async function readRow(
  dataset: Dataset,
  segment: string,
  budget: Budget,
): Promise<FoundRow> {
  const { block, manifest } = dataset;
  const key = readRowSegment(block, segment);
  if (key === undefined) throw unknownRow(`No row has this address. ${formOf(block)}`);
  if (key.kind === 'fields') return readByKey(dataset, key.texts, budget);
  const { version, position } = key;
  if (version !== manifest.version) {
    if (version.length !== manifest.version.length) {
      throw unknownRow(`${shorten(version)} is not a version of ${block.name}. ${formOf(block)}`);
    }
    throw expiredRow(block, manifest.version);
  }
  if (position >= manifest.rows) {
    const detail = `There is no row ${position}: this version of ${block.name} has ${numberText(manifest.rows)} rows, the first is row 0.`;
    throw unknownRow(detail);
  }
  return rowAt(dataset, position, budget);
}

/** Reads the row at a position of the dataset. */
export async function rowAt(dataset: Dataset, position: number, budget: Budget): Promise<FoundRow> {
  const { block, manifest } = dataset;
  const after = position === 0 ? undefined : position - 1;
  const at = pages(dataset, { predicate: [], limit: 1, after }, budget);
  const [found] = (await at.next()).value ?? [];
  if (found === undefined) throw new Error(`Row ${position} of ${manifest.rows} was not found.`);
  return { ...found, segment: rowSegment(block, manifest, found.row, position) };
}

/**
 * Finds rows by equality, which compares folded texts, and returns the one whose key is exactly
 * this.
 */
async function readByKey(
  dataset: Dataset,
  texts: readonly string[],
  budget: Budget,
): Promise<FoundRow> {
  const { block } = dataset;
  const { primaryKey = [] } = block;
  const predicate = primaryKey.flatMap((name, i) => equalTo(block, name, texts[i] as string) ?? []);
  let near: readonly string[] | undefined;
  if (predicate.length === primaryKey.length) {
    for await (const found of pages(dataset, { predicate, limit: MOST_LIMIT }, budget)) {
      for (const one of found) {
        const key = keyTexts(block, one.row) ?? [];
        if (key.every((text, i) => text === texts[i])) return { ...one, segment: segmentOf(key) };
        near ??= key;
      }
    }
  }
  const named = primaryKey.map(
    (name, i) => `${name} ${JSON.stringify(shorten(texts[i] as string))}`,
  );
  const detail = `No row of ${block.name} has ${named.join(' and ')}.`;
  if (near === undefined) throw unknownRow(detail);
  throw unknownRow(
    `${detail} Did you mean ${near.map((text) => shorten(text)).join(', ')}?`,
    segmentOf(near),
  );
}

/**
 * Makes the condition that a field equals the value in this text. Returns undefined if the text is
 * not of the field's type.
 */
function equalTo(
  { fields }: Pick<DatasetBlock, 'fields'>,
  name: string,
  text: string,
): Condition | undefined {
  const field = fields.find((one) => one.name === name);
  if (field === undefined) return undefined;
  const type = typeOf(field);
  const value = type.readCell(text, field);
  if (value === undefined) return undefined;
  const key = type.keyOf(value, field);
  const named = { field: name, parameters: [name] };
  if (key === '') return { ...named, test: 'empty' };
  return { ...named, ...type.equalTo(key) };
}

/** Reads the rows of a query page by page. The number of pages is bounded by the dataset's rows. */
async function* pages(
  dataset: Dataset,
  query: Query,
  budget: Budget,
): AsyncGenerator<readonly ReadRow[], undefined> {
  let { after } = query;
  do {
    const page = { ...query, after };
    const output = await runQuery(dataset, page, budget);
    if (output.kind !== 'rows') return undefined;
    const { positions = [] } = output;
    yield listTexts(output.rows).map((text, i) => ({
      text,
      row: JSON.parse(text),
      output,
      position: positions[i] as number,
    }));
    after = output.last;
    await budget.checkpoint(output.rows.length * STEPS_PER_ROW);
  } while (after !== undefined);
  return undefined;
}

/** The cost of parsing and comparing a row, in steps. */
const STEPS_PER_ROW = 500;

function formOf({ name, primaryKey }: DatasetBlock): string {
  return primaryKey === undefined
    ? `A row of ${name} is rows/<version>-<position>, as the answers of its pages link to it.`
    : `A row of ${name} is rows/ and its ${primaryKey.join(',')}, percent-encoded.`;
}

function unknownRow(detail: string, suggestion?: string): Problem {
  const fault = { code: 'unknown-row' as const, detail };
  return new Problem('unknown-row', detail, {
    faults: [suggestion === undefined ? fault : { ...fault, suggestion }],
  });
}

function expiredRow({ name }: DatasetBlock, version: string): Problem {
  const detail = `The address is of a row of another version of ${name}. Version ${version} is served now: find the row in it by a filter.`;
  return new Problem('row-expired', detail);
}
