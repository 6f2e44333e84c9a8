import { decimalText } from '../text/decimal.ts';
import { isBlankText } from '../text/fold.ts';
import type { Value } from './field-type.ts';
import { type Field, typeOf } from './field-types.ts';
import {
  type DecimalChar,
  type GroupChar,
  isUnitOfCells,
  readSpelledNumber,
  withoutUnit,
} from './spelled-number.ts';
import { type MonthLanguage, timeParser } from './written-time.ts';

/** How a file writes a column's values, in the words of Frictionless Table Schema. */
export type Spelling = {
  /** `.` if absent. */
  readonly decimalChar?: DecimalChar;
  /** The character between groups of three digits; if absent, none are grouped. */
  readonly groupChar?: GroupChar;
  /** True if groups are of two digits before the last three, as in India: 12,34,567. */
  readonly indianGroups?: true;
  /** False if a currency or percent stands around each number. */
  readonly bareNumber?: false;
  /** The cells that mean true, and those that mean false; true/false, yes/no and 1/0 if absent. */
  readonly trueValues?: readonly string[];
  readonly falseValues?: readonly string[];
  /** A strptime pattern of dates or times, such as `%d/%m/%Y`; ISO 8601 if absent. */
  readonly format?: string;
  /** The language of the months' names in `format`; English if absent. */
  readonly monthLanguage?: MonthLanguage;
  /** Cells that mean nothing is there, beside blank ones. */
  readonly missingValues?: readonly string[];
  /** True if a number whose decimals are more than binary64 holds is the nearest that it holds. */
  readonly nearestNumber?: true;
  /** How many cells were not of the field's type when it was chosen; such cells are blank. */
  readonly oddCells?: number;
};

/** How many cells of a file may be odd, if so many of an earlier one were: more is a fault. */
export function mostOdd(oddCells: number): number {
  return 2 * oddCells + 10;
}

/** Reads a cell: its value, null if nothing is there, undefined if it is not of the field's type. */
export type CellReader = (cell: string) => Value | undefined;

/**
 * A reader of a column's cells. It reads one file: a unit that changes within it is refused, since
 * amounts in two currencies are not one column. It tells of each odd cell that is blank for that.
 */
export function cellReader(
  field: Field,
  spelling: Spelling,
  tellOdd: (cell: string) => void = () => {},
): CellReader {
  const read = filledReader(field, spelling);
  const { missingValues, oddCells } = spelling;
  const missing = new Set(missingValues);
  let oddLeft = oddCells === undefined ? 0 : mostOdd(oddCells);
  return (cell) => {
    const text = cell.trim();
    if (isBlankCell(text) || (missing.size > 0 && missing.has(text))) return null;
    const value = read(text);
    if (value !== undefined || oddLeft === 0) return value;
    oddLeft--;
    tellOdd(cell);
    return null;
  };
}

/** Whether a trimmed cell has nothing that one could search for, such as a zero-width space. */
export function isBlankCell(text: string): boolean {
  return text === '' || (text.charCodeAt(0) >= 0x80 && isBlankText(text));
}

function filledReader(field: Field, spelling: Spelling): CellReader {
  const type = typeOf(field);
  const { decimalChar, groupChar, bareNumber, trueValues, falseValues } = spelling;
  const { format, monthLanguage, nearestNumber } = spelling;
  if (nearestNumber) return numberReader(field, spelling);
  if (decimalChar !== undefined || groupChar !== undefined) return numberReader(field, spelling);
  if (bareNumber === false) return numberReader(field, spelling);
  if (trueValues !== undefined && falseValues !== undefined) {
    return wordReader(trueValues, falseValues);
  }
  if (format === undefined) return (text) => type.readCell(text, field);
  const parse = timeParser(format, monthLanguage);
  return (text) => {
    const parsed = parse(text);
    return parsed === undefined ? undefined : type.readCell(parsed, field);
  };
}

function numberReader(field: Field, spelling: Spelling): CellReader {
  const { decimalChar = '.', groupChar, indianGroups, bareNumber, nearestNumber } = spelling;
  const groupSize = indianGroups ? 2 : 3;
  const type = typeOf(field);
  const read = (text: string) => {
    const found = readSpelledNumber(text, decimalChar, nearestNumber);
    if (found === undefined) return undefined;
    if (found.group !== undefined && found.group !== groupChar) return undefined;
    if (found.groupSize !== undefined && found.groupSize !== groupSize) return undefined;
    return type.readCell(decimalText(found.value), field);
  };
  if (bareNumber !== false) return read;
  let unit = field.unit !== undefined && isUnitOfCells(field.unit) ? field.unit : undefined;
  return (text) => {
    const found = withoutUnit(text);
    if (found === undefined) return undefined;
    unit ??= found.unit;
    return found.unit === unit ? read(found.bare) : undefined;
  };
}

function wordReader(trueValues: readonly string[], falseValues: readonly string[]): CellReader {
  const values = new Map<string, boolean>([
    ...trueValues.map((word): [string, boolean] => [word, true]),
    ...falseValues.map((word): [string, boolean] => [word, false]),
  ]);
  return (text) => values.get(text);
}
