import { DAY_MS, startOfWritten } from '../values/calendar.ts';
import type { Value } from '../values/field-type.ts';
import { type Field, isLabel, typeOf } from '../values/field-types.ts';
import { instantOf } from '../values/time-zone.ts';
import type { TypedColumn } from './format.ts';

/** The styles of cells, by their places in `cellXfs` of the workbook. */
export const STYLE = {
  general: 0,
  head: 1,
  text: 2,
  whole: 3,
  label: 4,
  date: 5,
  time: 6,
  fineTime: 7,
  link: 8,
  wrapped: 9,
} as const;

/** Characters of a cell, as Excel counts them. A longer text is cut there, and the cell says so. */
export const MOST_CELL_TEXT = 32_767;

/** Whole numbers from here on have 16 digits; Excel keeps 15 of them. */
const SIXTEEN_DIGITS = 1e15;

/** Less is zero for Excel. */
const LEAST_NUMBER = 2.2250738585072014e-308;

/**
 * Excel counts days from 1900 on, with a 29th of February 1900 that never was: before March 1900,
 * programs read a number as different days. So earlier dates are texts.
 */
const FIRST_DAY = '1900-03-01';
const DAYS_TO_1970 = 25_569;

/** Characters of an address that a cell can link to. */
const MOST_ADDRESS = 2079;

/** Days that a column of times remembers; then it forgets all. */
const MOST_DAYS = 4096;

/** What Excel cannot hold of a column as its type would have it; how many cells tell of it. */
export type Exception = 'early' | 'longNumber' | 'tinyNumber' | 'repeatedHour' | 'cut' | 'unlinked';

/** A cell: its XML after its address, and the characters that it takes about. */
export type Cell = {
  /** The attributes of `c` and what is in it. */
  readonly xml: string;
  readonly shown: number;
  /** Why it is not as its type would have it. */
  readonly exception?: Exception;
  /** What it links to. */
  readonly link?: string;
};

export type WriteCell = (value: Exclude<Value, null>) => Cell;

/** How the values of a column are written, by what its type says of them. */
export function cellWriter({ field, ...bounds }: TypedColumn): WriteCell {
  const type = typeOf(field);
  if (type.json === 'boolean') return (value) => booleanCell(value);
  if (type.json === 'integer' || type.json === 'number') {
    const isWhole = type.json === 'integer';
    const plain = isWhole ? STYLE.whole : STYLE.general;
    const style = isWhole && isLabel(field, bounds) ? STYLE.label : plain;
    return (value) => (typeof value === 'number' ? numberCell(value, style) : otherCell(value));
  }
  if (type.comparedBy === 'number' && type.keysOfDay !== undefined) {
    if (type.keysOfDay === 1) return dateCell;
    return timeWriter(field);
  }
  const { hrefOf } = type;
  return (value) => {
    if (typeof value !== 'string') return otherCell(value);
    const isLink = hrefOf?.(value) !== undefined;
    return isLink ? linkCell(value) : textCell(value);
  };
}

/** A text. It never runs as a formula, not even after somebody edits it: its format is text too. */
export function textCell(text: string, style: number = STYLE.text): Cell {
  if (text.length > MOST_CELL_TEXT) {
    const told = ` [cut: the text has ${text.length} characters, and a cell at most ${MOST_CELL_TEXT}; CSV has all of it]`;
    const kept = text.slice(0, MOST_CELL_TEXT - told.length).toWellFormed();
    return { ...textCell(kept + told, style), exception: 'cut' };
  }
  const space = SPACED.test(text) ? ' xml:space="preserve"' : '';
  return {
    xml: ` s="${style}" t="inlineStr"><is><t${space}>${escapedXml(text)}</t></is></c>`,
    shown: text.length,
  };
}

const SPACED = /^\s|\s$|[\n\t]/;

/** Values of other kinds than a column's type says, as texts. */
function otherCell(value: Value): Cell {
  return textCell(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function booleanCell(value: Value): Cell {
  if (typeof value !== 'boolean') return otherCell(value);
  return { xml: ` t="b"><v>${value ? 1 : 0}</v></c>`, shown: 5 };
}

function numberCell(value: number, style: number): Cell {
  const size = Math.abs(value);
  if (Number.isInteger(value) && size >= SIXTEEN_DIGITS) {
    // What is not exact is an amount, and no name of anything.
    if (style !== STYLE.general || Number.isSafeInteger(value)) {
      return { ...textCell(BigInt(value).toString()), exception: 'longNumber' };
    }
  }
  if (value !== 0 && size < LEAST_NUMBER) {
    return { ...textCell(String(value)), exception: 'tinyNumber' };
  }
  return plainNumber(value, style, String(value).length);
}

function plainNumber(value: number, style: number, shown: number): Cell {
  return { xml: `${style === 0 ? '' : ` s="${style}"`}><v>${value}</v></c>`, shown };
}

function dateCell(value: Value): Cell {
  if (typeof value !== 'string' || !DATE.test(value)) return otherCell(value);
  if (value < FIRST_DAY) return { ...textCell(value), exception: 'early' };
  return plainNumber(startOfWritten(value) / DAY_MS + DAYS_TO_1970, STYLE.date, 10);
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d(?:\.\d{1,3})?)(Z|[+-]\d\d:\d\d)?$/;

/**
 * Times as the clocks of the field's zone show them, as its page has them. Where clocks showed a time
 * twice, the later one is a text with its offset: so each cell means one instant.
 */
function timeWriter({ timeZone: zone = 'UTC', local }: Field): WriteCell {
  /** For a day with an offset, whether the clocks kept it all day. */
  const days = new Map<string, boolean>();
  const keepsOffset = (day: string, offset: string, ahead: number) => {
    const key = day + offset;
    const known = days.get(key);
    if (known !== undefined) return known;
    const start = startOfWritten(day);
    const isKept =
      instantOf(start, zone) === start - ahead &&
      instantOf(start + DAY_MS, zone) === start + DAY_MS - ahead;
    if (days.size >= MOST_DAYS) days.clear();
    days.set(key, isKept);
    return isKept;
  };
  return (value) => {
    const [, day, clock, offset] = (typeof value === 'string' && TIME.exec(value)) || [];
    if (day === undefined || clock === undefined) return otherCell(value);
    if (day < FIRST_DAY) return { ...textCell(value as string), exception: 'early' };
    const wall = Date.parse(`${day}T${clock}Z`);
    if (local !== true && offset !== undefined && offset !== 'Z') {
      const ahead = wall - Date.parse(value as string);
      if (!keepsOffset(day, offset, ahead) && instantOf(wall, zone) !== wall - ahead) {
        return { ...textCell(value as string), exception: 'repeatedHour' };
      }
    }
    const style = clock.includes('.') ? STYLE.fineTime : STYLE.time;
    return plainNumber(wall / DAY_MS + DAYS_TO_1970, style, 19);
  };
}

function linkCell(text: string): Cell {
  const link = linkTarget(text);
  if (link === undefined) return { ...textCell(text), exception: 'unlinked' };
  return { ...textCell(text, STYLE.link), link };
}

/**
 * The address that a cell with this text links to. Undefined if it has none that Excel takes for
 * sure: it calls a whole file damaged for a link that it cannot read.
 */
export function linkTarget(text: string): string | undefined {
  if (text.length > MOST_ADDRESS || !URL.canParse(text)) return undefined;
  const { href } = new URL(text);
  return href.length <= MOST_ADDRESS && TARGET.test(href) ? href : undefined;
}

/** The characters of RFC 3986, with at most one `#`. */
const TARGET =
  /^https?:\/\/[A-Za-z0-9.-]+(?::\d+)?\/(?:[\w.~!$&'()*+,;=:@/?-]|%[\dA-Fa-f]{2})*(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[\dA-Fa-f]{2})*)?$/;

/**
 * A text in XML. What XML cannot have is written as `_x0001_`, and what looks like that as
 * `_x005F_x0001_` (ECMA-376, part 1, 22.9.2.19).
 */
export function escapedXml(text: string): string {
  if (!TO_ESCAPE.test(text) && text.isWellFormed()) return text;
  return text
    .replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replace(UNFIT, unfitCharacter)
    .replace(/[&<>"]/g, (one) => ENTITIES[one] as string);
}

const TO_ESCAPE = /[&<>"_\p{Cc}\ufffe\uffff]/u;
const UNFIT = /[\p{Cc}\p{Cs}\ufffe\uffff]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function unfitCharacter(one: string): string {
  const code = one.charCodeAt(0);
  // XML has these, and those from 127 to 159. It would read a carriage return as a line feed.
  if (one === '\t' || one === '\n' || (code >= 0x7f && code <= 0x9f)) return one;
  return `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;
}
