import { listed } from '../files/source-table.ts';
import { showCell } from '../text/wording.ts';
import { isOfAmounts } from './column-names.ts';
import type { FileDecimal } from './evidence/column-decision.ts';
import { isOfDegrees } from './evidence/place.ts';
import type { InferredColumn } from './inferred-column.ts';

/**
 * Finds the character before decimals that all columns have which show one. Degrees do not count,
 * because they come from other programs than the numbers beside them. If no column shows one, cells
 * that commas separate have a point. Undefined if columns differ, or nothing shows it.
 */
export function decimalOfFile(
  columns: readonly InferredColumn[],
  isCutAtCommas: boolean,
): FileDecimal | undefined {
  const shown = columns.flatMap(({ name, header, decision: { decimalShown: by } }) => {
    return by === undefined || isOfDegrees(header) ? [] : [{ name, ...by }];
  });
  const [first] = shown;
  if (first === undefined) {
    if (!isCutAtCommas || columns.length < 2) return undefined;
    return { decimal: '.', by: 'the commas between cells show', isByDelimiter: true };
  }
  if (shown.some(({ decimal }) => decimal !== first.decimal)) return undefined;
  return { decimal: first.decimal, by: `${showCell(first.cell, 24)} in ${first.name} shows` };
}

/**
 * Whether the file settles a column that may have either character. Commas between the cells settle
 * no amounts, because 1.234 people are more often a thousand.
 */
export function isSettledBy(
  { header, decision: { readings = [], deciding } }: InferredColumn,
  { isByDelimiter }: FileDecimal,
): boolean {
  const decimals = readings.map(({ given }) => given.decimal);
  if (!decimals.includes('.') || !decimals.includes(',')) return false;
  return !isByDelimiter || (!isOfAmounts(header) && !deciding[0]?.cell.includes(','));
}

/**
 * Tells which columns may have two values in a cell, because a comma between digits also separates
 * the cells, and which columns the file has settled. Each has the option that reads it otherwise.
 */
export function decimalNotes(columns: readonly InferredColumn[], isCutAtCommas: boolean): string[] {
  return [...(isCutAtCommas ? columns.flatMap(mayBeLists) : []), ...settledNotes(columns)];
}

function mayBeLists({ name, decision: { type, spelling, deciding } }: InferredColumn): string[] {
  const [first] = deciding;
  const isComma = type === 'number' && spelling.decimalChar === ',';
  if (!isComma || first === undefined || !/^\d,\d$/.test(first.cell)) return [];
  const cell = `${showCell(first.cell)} in line ${first.line}`;
  return [`${name}: ${cell} is read as one number; if it is two: --type ${name}=text`];
}

function settledNotes(columns: readonly InferredColumn[]): string[] {
  const settled = columns.flatMap(({ name, settled: by }) => (by ? [{ name, by }] : []));
  const [{ by } = {}] = settled;
  if (by === undefined) return [];
  const [is, other] = by.decimal === '.' ? ['point', ','] : ['comma', '.'];
  const names = listed(settled.map(({ name }) => name));
  return [`${names}: a ${is} is before decimals, as ${by.by}; otherwise: --decimal ${other}`];
}
