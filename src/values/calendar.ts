// Dates of the proleptic Gregorian calendar, years 1 to 9999, in ISO 8601 form.

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

/** These JSON Schema patterns match only dates that exist; they know leap years too. */
const YEAR = '(?!0000)[0-9]{4}';
const MONTH = '(?:0[1-9]|1[0-2])';
const LEAP_YEAR = `(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)`;
export const DAY = `(?:${YEAR}-(?:${MONTH}-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)|${LEAP_YEAR}-02-29)`;
/** A day, a month or a year. */
export const PERIOD = `(?:${YEAR}(?:-${MONTH})?|${DAY})`;
/** Hours and minutes; seconds and their fraction are optional. */
export const TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,9})?)?';
export const OFFSET = '(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])';

/** The start of a day in UTC, in milliseconds since 1970. */
function startOfDay(year: number, month: number, day: number): number {
  // Date.UTC maps the years 0 to 99 to 1900 to 1999.
  return year >= 100
    ? Date.UTC(year, month - 1, day)
    : new Date(0).setUTCFullYear(year, month - 1, day);
}

/** The start of a day such as `2020-05-17`, which must exist, in milliseconds since 1970. */
export function startOfWritten(day: string): number {
  const year = twoDigits(day, 0) * 100 + twoDigits(day, 2);
  return startOfDay(year, twoDigits(day, 5), twoDigits(day, 8));
}

/** The number that two digits at a place in a text make. */
export function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - 0x30) * 10 + text.charCodeAt(at + 1) - 0x30;
}

/**
 * The start of a period's first day, and of the day after its last one, in milliseconds. A period
 * is `2020`, `2020-05` or `2020-05-17`.
 */
export function daysOf(period: string): readonly [start: number, end: number] {
  const [year = 0, month, day] = period.split('-').map(Number);
  if (month === undefined) return [startOfDay(year, 1, 1), startOfDay(year + 1, 1, 1)];
  if (day === undefined) return [startOfDay(year, month, 1), startOfDay(year, month + 1, 1)];
  return [startOfDay(year, month, day), startOfDay(year, month, day + 1)];
}

/** Tells whether a day exists, in the years 1 to 9999. */
export function isDay(year: number, month: number, day: number): boolean {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1) return false;
  if (month !== 2) return day <= 30 || (day === 31 && month < 8 === (month % 2 === 1));
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (isLeap ? 29 : 28);
}

/** Tells whether a text is a day that exists, such as `2020-05-17`. */
export function isWrittenDay(text: string): boolean {
  if (text.length !== 10 || text[4] !== '-' || text[7] !== '-') return false;
  for (let i = 0; i < 10; i++) {
    const code = text.charCodeAt(i);
    if (i !== 4 && i !== 7 && !(code >= 0x30 && code <= 0x39)) return false;
  }
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  return isDay(year, twoDigits(text, 5), twoDigits(text, 8));
}

const DAY_FORM = '0000-00-00';
const TIME_FORM = '0000-00-00T00:00:00';

/**
 * The milliseconds since 1970 of a day or a time to the second, such as `2020-05-17T10:30:00`, that is
 * at hand as the codes of its characters. NaN for others, and for those that do not exist.
 */
export function plainTimeIn(codes: Uint16Array, start: number, end: number): number {
  const length = end - start;
  if (length !== DAY_FORM.length && length !== TIME_FORM.length) return Number.NaN;
  for (let i = 0; i < length; i++) {
    const [code, expected] = [codes[start + i] as number, TIME_FORM.charCodeAt(i)];
    if (expected === 0x30 ? code < 0x30 || code > 0x39 : code !== expected) return Number.NaN;
  }
  const year = twoDigitsIn(codes, start) * 100 + twoDigitsIn(codes, start + 2);
  const [month, day] = [twoDigitsIn(codes, start + 5), twoDigitsIn(codes, start + 8)];
  if (!isDay(year, month, day)) return Number.NaN;
  const ms = startOfDay(year, month, day);
  if (length === DAY_FORM.length) return ms;
  const [hours, minutes] = [twoDigitsIn(codes, start + 11), twoDigitsIn(codes, start + 14)];
  const seconds = twoDigitsIn(codes, start + 17);
  if (hours > 23 || minutes > 59 || seconds > 59) return Number.NaN;
  return ms + ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

/** The number that two digits at a place make. */
export function twoDigitsIn(codes: Uint16Array, at: number): number {
  return ((codes[at] as number) - 0x30) * 10 + (codes[at + 1] as number) - 0x30;
}

/** The UTC date at a time in milliseconds: `2020-05-17`. */
export function dateText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/**
 * Corrects a date to the nearest one that exists: `2023-02-29` becomes the 28th, `2020/5/7` becomes
 * `2020-05-07`. Undefined if the text is ambiguous or not a date.
 */
export function nearestDate(text: string): string | undefined {
  const parts =
    /^(\d{4})[-/. ](\d{1,2})(?:[-/. ](\d{1,2}))?(?![\d])/.exec(text) ??
    /^(\d{4})(\d{2})(\d{2})$/.exec(text) ??
    dayFirst(text);
  if (parts === undefined) return undefined;
  const [, year = '', month = '', day] = parts;
  if (year === '0000') return undefined;
  const nearMonth = within(Number(month), 12);
  const start = `${year}-${padded(nearMonth)}`;
  if (day === undefined) return start;
  const last = new Date(daysOf(start)[1] - DAY_MS).getUTCDate();
  return `${start}-${padded(within(Number(day), last))}`;
}

/** Reads `17.5.2020`, and `17/5/2020` if exactly one of the two numbers can be the month. */
function dayFirst(text: string): string[] | undefined {
  const [, a, sign, b, year] = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})$/.exec(text) ?? [];
  if (a === undefined || b === undefined || year === undefined) return undefined;
  const [first, second] = [Number(a), Number(b)];
  if (sign === '.' || first > 12) return ['', year, b, a];
  return second > 12 ? ['', year, a, b] : undefined;
}

function within(value: number, most: number): number {
  return Math.min(Math.max(value, 1), most);
}

/** Writes a number of at most two digits with two: `07`. */
export function padded(value: number): string {
  return String(value).padStart(2, '0');
}
