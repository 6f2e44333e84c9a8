import { decimalText } from '../text/decimal.ts';
import { isBlankText } from '../text/fold.ts';
import type { Value } from './field-type.ts';
import { type Field, typeOf } from './field-types.ts';
import type { OtherCalendar } from './other-calendars.ts';
import {
  type DecimalChar,
  type GroupChar,
  isUnitOfCells,
  type MinusForm,
  readSpelledNumber,
  withMinusBefore,
  withoutApostrophe,
  withoutTextMark,
  withoutUnit,
} from './spelled-number.ts';
import { type PointForm, writtenPoint } from './written-point.ts';
import { type MonthLanguage, timeParser } from './written-time.ts';

/** How a file writes the values of a column, in the words of Frictionless Table Schema. */
export type Spelling = {
  /** Absent means `.`. */
  readonly decimalChar?: DecimalChar;
  /** The character between groups of three digits. Absent if digits are not grouped. */
  readonly groupChar?: GroupChar;
  /** Present if groups before the last three digits have two digits, as in India: 12,34,567. */
  readonly indianGroups?: true;
  /**
   * Where negative numbers have their minus, if it is not before them; `any` if several ways occur
   * in the column.
   */
  readonly minus?: MinusForm | 'any';
  /** True if cells may be formulas of one text, by which spreadsheets keep zeros: `="00123"`. */
  readonly textFormulas?: true;
  /** True if numbers or codes may have an apostrophe before them, with which spreadsheets mark texts. */
  readonly apostrophe?: true;
  /** False if numbers have a currency or percent before or after them. */
  readonly bareNumber?: false;
  /**
   * The cells that mean true, and those that mean false. If absent, these are true/false, yes/no
   * and 1/0.
   */
  readonly trueValues?: readonly string[];
  readonly falseValues?: readonly string[];
  /**
   * The strptime pattern of dates or times, such as `%d/%m/%Y`; `%s` and `%Q` count seconds and
   * milliseconds since 1970, `excel` days as spreadsheets do. Absent means ISO 8601.
   */
  readonly format?: string;
  /** True if a spreadsheet has typed some of the dates, which are then in ISO 8601. */
  readonly typedTimes?: true;
  /** True if times finer than a millisecond are cut to it. */
  readonly cutTime?: true;
  /** The language of the names of months in `format`. Absent means English. */
  readonly monthLanguage?: MonthLanguage;
  /** The calendar of dates in `format`, where their years are its years. Absent means ours. */
  readonly calendar?: OtherCalendar;
  /** Cells that mean that there is no value. Blank cells mean it too. */
  readonly missingValues?: readonly string[];
  /** True if a number whose decimals are more than binary64 holds is the nearest that it holds. */
  readonly nearestNumber?: true;
  /**
   * Set if cells are points, such as `POINT(-76.61 39.29)`, and the value is one of a point's
   * numbers: `longitude` is the first, as the standard has it, unless the text names directions.
   */
  readonly point?: 'longitude' | 'latitude';
  /** How these points are written. Absent means Well-Known Text. */
  readonly pointForm?: Exclude<PointForm, 'wkt'>;
  /** How many cells were not of the field's type when it was chosen; such cells are blank. */
  readonly oddCells?: number;
};

/** How many cells of a file may be odd, if so many of an earlier one were: more is a fault. */
export function mostOdd(oddCells: number): number {
  return 2 * oddCells + 10;
}

/**
 * Reads a cell: returns its value, null if there is none, or undefined if it is not of the field's
 * type.
 */
export type CellReader = (cell: string) => Value | undefined;

/** Makes a reader that takes no odd cell for blank. */
export function strictReader(field: Field, { oddCells: _, ...spelling }: Spelling): CellReader {
  return cellReader(field, spelling);
}

/**
 * Makes a reader for the cells of a column in one file. It refuses a unit that changes within the
 * file, since amounts in two currencies do not make one column. It tells of each odd cell that it
 * takes for blank.
 */
export function cellReader(
  field: Field,
  spelling: Spelling,
  tellOdd: (cell: string) => void = () => {},
): CellReader {
  const read = filledReader(field, spelling);
  const { missingValues, oddCells, textFormulas } = spelling;
  const missing = new Set(missingValues);
  let oddLeft = oddCells === undefined ? 0 : mostOdd(oddCells);
  return (cell) => {
    const text = textFormulas ? withoutFormula(cell.trim()).trim() : cell.trim();
    if (isBlankCell(text) || (missing.size > 0 && missing.has(text))) return null;
    const value = read(text);
    if (value !== undefined || oddLeft === 0) return value;
    oddLeft--;
    tellOdd(cell);
    return null;
  };
}

/** Reads the key of a cell from the codes of its characters. NaN if `cellReader` must read it. */
export type PlainKeyReader = (codes: Uint16Array, start: number, end: number) => number;

/** Makes a reader of cells that are written as most are. Undefined if none is in the column. */
export function plainKeyReader(field: Field, spelling: Spelling): PlainKeyReader | undefined {
  const type = typeOf(field);
  const { decimalChar = '.', bareNumber, format, point, missingValues = [] } = spelling;
  const isPlain = decimalChar === '.' && bareNumber !== false && (format ?? point) === undefined;
  if (!isPlain || type.comparedBy !== 'number') return undefined;
  const read: PlainKeyReader = (codes, start, end) =>
    type.plainKeyIn?.(codes, start, end, field) ?? Number.NaN;
  const isClear = missingValues.every((word) => {
    const codes = Uint16Array.from(word, (sign) => sign.charCodeAt(0));
    return Number.isNaN(read(codes, 0, codes.length));
  });
  return isClear ? read : undefined;
}

/** Whether a cell's text is the value, if it has no white space around it. */
export function readsTextsAsTheyAre({ type }: Field, spelling: Spelling): boolean {
  const { missingValues = [], textFormulas, apostrophe, point } = spelling;
  return type === 'text' && missingValues.length === 0 && !(textFormulas ?? apostrophe ?? point);
}

/**
 * Tells whether a trimmed cell has nothing that one could search for: it may have a zero-width
 * space.
 */
export function isBlankCell(text: string): boolean {
  return text === '' || (text.charCodeAt(0) >= 0x80 && isBlankText(text));
}

const TEXT_FORMULA = /^="([^"]*(?:""[^"]*)*)"$/;

/** The text of a formula of one text; other cells as they are. */
export function withoutFormula(cell: string): string {
  if (!cell.startsWith('="')) return cell;
  const text = TEXT_FORMULA.exec(cell)?.[1];
  return text === undefined ? cell : text.replaceAll('""', '"');
}

function filledReader(field: Field, { point, pointForm, ...spelling }: Spelling): CellReader {
  if (point !== undefined) {
    const read = filledReader(field, spelling);
    return (text) => {
      const written = writtenPoint(text);
      if (written?.form !== (pointForm ?? 'wkt')) return undefined;
      return written.place && read(written.place[point]);
    };
  }
  const type = typeOf(field);
  const { decimalChar, groupChar, bareNumber, trueValues, falseValues } = spelling;
  const { format, monthLanguage, calendar, typedTimes, cutTime, nearestNumber, minus, apostrophe } =
    spelling;
  if (apostrophe && field.type === 'text') return (text) => withoutTextMark(text) ?? text;
  if (nearestNumber || minus || apostrophe) return numberReader(field, spelling);
  if (decimalChar !== undefined || groupChar !== undefined) return numberReader(field, spelling);
  if (bareNumber === false) return numberReader(field, spelling);
  if (trueValues !== undefined && falseValues !== undefined) {
    return wordReader(trueValues, falseValues);
  }
  const cut = cutTime ? cutToMilliseconds : same;
  if (format === undefined) return (text) => type.readCell(cut(text), field);
  const parse = timeParser(format, monthLanguage, calendar);
  return (text) => {
    const parsed = parse(text);
    if (parsed === undefined) return typedTimes ? type.readCell(cut(text), field) : undefined;
    // A spreadsheet's day is one of its numbers, and so is a time; which of both, the field says.
    const isDay = format === 'excel' && field.type === 'date' && parsed.endsWith(MIDNIGHT);
    return type.readCell(isDay ? parsed.slice(0, -MIDNIGHT.length) : cut(parsed), field);
  };
}

/** How a day ends that is written as a time. */
export const MIDNIGHT = 'T00:00:00';

/** A time in ISO 8601 with at most three decimals of a second. */
export function cutToMilliseconds(text: string): string {
  return text.replace(/(:\d\d\.\d{3})\d+/, '$1');
}

function same(text: string): string {
  return text;
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
  if (bareNumber !== false) return signedReader(read, spelling);
  let unit = field.unit !== undefined && isUnitOfCells(field.unit) ? field.unit : undefined;
  const readWithUnit = (text: string) => {
    const found = withoutUnit(text);
    if (found === undefined) return undefined;
    unit ??= found.unit;
    return found.unit === unit ? read(found.bare) : undefined;
  };
  return signedReader(readWithUnit, spelling);
}

/** Makes a reader of numbers that may have their sign as bookkeepers or spreadsheets write it. */
function signedReader(read: CellReader, { minus, apostrophe }: Spelling): CellReader {
  if (minus === undefined && apostrophe === undefined) return read;
  return (text) => {
    const bare = (apostrophe && withoutApostrophe(text)) ?? text;
    const signed = minus === undefined ? undefined : withMinusBefore(bare);
    if (signed === undefined) return read(bare);
    return minus === 'any' || signed.form === minus ? read(signed.text) : undefined;
  };
}

function wordReader(trueValues: readonly string[], falseValues: readonly string[]): CellReader {
  const values = new Map<string, boolean>([
    ...trueValues.map((word): [string, boolean] => [word, true]),
    ...falseValues.map((word): [string, boolean] => [word, false]),
  ]);
  return (text) => values.get(text);
}
