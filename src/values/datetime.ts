import {
  DAY,
  DAY_MS,
  daysOf,
  isDay,
  nearestDate,
  OFFSET,
  PERIOD,
  padded,
  plainTimeIn,
  startOfWritten,
  TIME,
  twoDigits,
} from './calendar.ts';
import { byRanges } from './comparison.ts';
import { readPeriod, YEAR_NUMBER } from './date.ts';
import {
  type Interval,
  type NumberType,
  type ParameterFacts,
  quotedValue,
  SPACE,
} from './field-type.ts';
import { instantOf, isUtc, offsetAt } from './time-zone.ts';

/**
 * How a field's times are read: as local times without an offset, or as instants that are shown in
 * a time zone.
 */
type Zoned = { readonly local?: true; readonly timeZone?: string };

const WRITTEN = new RegExp(`^(${DAY})[Tt ](${TIME}) ?(${OFFSET}|z)?$`);

/** The forms in which times are read: periods, and times with or without an offset. */
const LOCAL_FORM = new RegExp(`^(?:${PERIOD}|${DAY}T${TIME})$`);
const INSTANT_FORM = new RegExp(`^(?:${PERIOD}|${DAY}T${TIME}${OFFSET})$`);

function formOf({ local }: Zoned): RegExp {
  return local ? LOCAL_FORM : INSTANT_FORM;
}

/** Instants or local times, to the millisecond; compared by milliseconds since 1970. */
export const datetime: NumberType = {
  noun: 'a time such as 2020-05-17T10:30:00Z',
  json: 'string',
  format: 'date-time',
  // Reading a time looks up the zone's offset about six times, at 3 µs each.
  ...byRanges(intervalOf, (field) => (isUtc(zoneOf(field)) ? 50 : 2000)),
  keysOfDay: DAY_MS,
  isOrdered: true,
  control: 'range',
  readCell: (text, field) => {
    const plain = readPlain(text, field);
    if (plain !== undefined) return plain;
    const [start, end] = millisecondsOf(text, field) ?? [];
    if (start === undefined || end === undefined || /\.\d{3}\d*[1-9]/.test(text)) return undefined;
    const value = writtenAt(start, field);
    // The zone of the field may move the year out of the range 1 to 9999.
    return /^(?!0000)\d{4}-/.test(value) ? value : undefined;
  },
  plainKeyIn: (codes, start, end, { local }) =>
    local && end - start === '0000-00-00T00:00:00'.length
      ? plainTimeIn(codes, start, end)
      : Number.NaN,
  writeCell: (value) => value as string,
  keyOf: (value, field) =>
    millisecondsOfPlain(value as string) ?? (millisecondsOf(value as string, field) as Interval)[0],
  valueOf: writtenAt,
  textLength: (key, field) =>
    (key % 1000 === 0 ? '0000-00-00T00:00:00' : '0000-00-00T00:00:00.000').length +
    (field.local ? '' : isUtc(zoneOf(field)) ? 'Z' : '+00:00').length,
  orders: ['earliest first', 'latest first'],
  shown: String,
  read: (value) => {
    const text = readPeriod(value);
    if (typeof text !== 'string') return text;
    // Decoding a query turns the plus sign of an offset into a space.
    const [, day, time, offset = ''] =
      WRITTEN.exec(text.replace(/ (\d\d:\d\d)$/, offsetBehindTime)) ?? [];
    return day === undefined ? text : `${day}T${time}${offset.toUpperCase()}`;
  },
  formOf,
  schema: (parameter) => ({ type: 'string', pattern: formOf(parameter).source }),
  sent: (parameter, source) => [
    {
      type: 'string',
      pattern: `^${SPACE}(?:${PERIOD}|${DAY}[Tt ]${TIME}${parameter.local ? '' : `[ ]?(?:${OFFSET}|z)`})${SPACE}$`,
    },
    ...(source === 'json' ? [YEAR_NUMBER] : []),
  ],
  expected: ({ local }) =>
    `a time such as ${local ? '2020-05-17T10:30:00' : '2020-05-17T10:30:00Z'}, or a whole day, month or year such as 2020-05-17, 2020-05 or 2020`,
  fault: (value, parameter, expected) => {
    const near = typeof value === 'string' ? nearestTime(value.trim(), parameter) : undefined;
    const suggestion = near !== undefined && formOf(parameter).test(near) ? near : undefined;
    const fix = suggestion === undefined ? `expected ${expected}` : `write ${suggestion}`;
    return {
      code: 'not-a-datetime',
      detail: `${parameter.name} is ${quotedValue(value)}, ${whyNone(value, parameter)}; ${fix}.`,
      suggestion,
    };
  },
  hint: 'A minute, a day, a month or a year means all of it.',
};

/** The interval of a time or a period in milliseconds, both ends inclusive. */
function intervalOf(argument: unknown, field: Zoned): Interval {
  const text = argument as string;
  const [start, end] = text.includes(':')
    ? (millisecondsOf(text, field) as Interval)
    : daysOf(text).map((wall) => instantOf(wall, zoneOf(field)));
  return [start as number, (end as number) - 1];
}

function offsetBehindTime(found: string, offset: string, at: number, text: string): string {
  return text.slice(0, at).includes(':') ? `+${offset}` : found;
}

function zoneOf({ local, timeZone = 'UTC' }: Zoned): string {
  return local ? 'UTC' : timeZone;
}

/**
 * The interval in milliseconds that a text covers; its end is exclusive. Undefined if the text is
 * not a time, if a local field gets an offset, or if any other field gets none.
 */
function millisecondsOf(text: string, field: Zoned): Interval | undefined {
  const [, day, time = '', offset] = WRITTEN.exec(text) ?? [];
  if (day === undefined || (offset === undefined) !== (field.local === true)) return undefined;
  const [hour = 0, minute = 0, second] = time.split(':').map(Number);
  const [, fraction] = time.split('.');
  const whole = ((hour * 60 + minute) * 60 + Math.floor(second ?? 0)) * 1000;
  const start = startOfWritten(day) + whole - minutesOf(offset ?? 'Z') * 60_000;
  if (fraction === undefined) return [start, start + (second === undefined ? 60_000 : 1000)];
  // A time with a fraction of a second is an instant, which may lie between two milliseconds.
  const milliseconds = Number(fraction.padEnd(9, '0')) / 1e6;
  return [start + Math.ceil(milliseconds), start + Math.floor(milliseconds) + 1];
}

/**
 * The milliseconds of a text as `writtenAt` writes most: local, or with a Z. Several times as fast as
 * `millisecondsOf`. Undefined for other forms.
 */
function millisecondsOfPlain(text: string): number | undefined {
  const end = text.endsWith('Z') ? text.length - 1 : text.length;
  const hasFraction = end === 23 && text[19] === '.';
  if ((end !== 19 && !hasFraction) || text[10] !== 'T' || text[16] !== ':') return undefined;
  const minutes = twoDigits(text, 11) * 60 + twoDigits(text, 14);
  const fraction = hasFraction ? Number(text.slice(20, end)) : 0;
  return startOfWritten(text) + (minutes * 60 + twoDigits(text, 17)) * 1000 + fraction;
}

/** A date with hours and minutes; zeros stand for digits. */
const FORM = '0000-00-00T00:00';

/**
 * Reads a time with up to three decimals in the form in which `writtenAt` writes it. Most cells
 * have that form, and reading texts alone is faster than making dates. Undefined for other forms,
 * and for times that do not exist.
 */
function readPlain(text: string, field: Zoned): string | undefined {
  const zone = field.local ? '' : 'Z';
  const end = text.length - zone.length;
  if (end < 16 || end > 23 || (zone !== '' && !(text[end] === zone && isUtc(zoneOf(field))))) {
    return undefined;
  }
  for (let i = 0; i < 16; i++) {
    const [code, expected] = [text.charCodeAt(i), FORM.charCodeAt(i)];
    const isRight =
      expected === 0x30
        ? code >= 0x30 && code <= 0x39
        : code === expected || (i === 10 && code === 0x20);
    if (!isRight) return undefined;
  }
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  if (!isDay(year, twoDigits(text, 5), twoDigits(text, 8))) return undefined;
  if (twoDigits(text, 11) > 23 || twoDigits(text, 14) > 59) return undefined;
  if (end === 19 && text[10] === 'T' && hasSeconds(text)) return text;
  const [, second, fraction] = /^(?::([0-5]\d)(?:\.(\d{1,3}))?)?$/.exec(text.slice(16, end)) ?? [];
  if (second === undefined && end > 16) return undefined;
  const parts =
    fraction === undefined || Number(fraction) === 0 ? '' : `.${fraction.padEnd(3, '0')}`;
  return `${text.slice(0, 10)}T${text.slice(11, 16)}:${second ?? '00'}${parts}${zone}`;
}

/** Whether a colon and two digits up to 59 follow the minutes. */
function hasSeconds(text: string): boolean {
  const [tens, ones] = [text.charCodeAt(17), text.charCodeAt(18)];
  return text[16] === ':' && tens >= 0x30 && tens <= 0x35 && ones >= 0x30 && ones <= 0x39;
}

function minutesOf(offset: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/**
 * Writes an instant in its field's zone, with milliseconds unless they are zero:
 * `2020-05-17T10:30:00-04:00`.
 */
function writtenAt(key: number, field: Zoned): string {
  const zone = zoneOf(field);
  const ahead = offsetAt(zone, key) / 60_000;
  const text = new Date(key + ahead * 60_000).toISOString().replace(/(?:\.000)?Z$/, '');
  if (field.local) return text;
  if (isUtc(zone)) return `${text}Z`;
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60];
  return `${text}${ahead < 0 ? '-' : '+'}${padded(hours)}:${padded(minutes)}`;
}

function whyNone(value: unknown, { local, timeZone = 'UTC' }: ParameterFacts): string {
  const [, day, , offset] = typeof value === 'string' ? (WRITTEN.exec(value) ?? []) : [];
  if (day === undefined) return 'which is not a time';
  if (local && offset !== undefined) return 'but the field has times without an offset';
  return `which has no offset from UTC (the field's zone is ${timeZone})`;
}

/** The nearest time that exists. It has an offset if the field needs one. */
function nearestTime(text: string, parameter: ParameterFacts): string | undefined {
  const [, day = '', hours, minutes, rest = '', offset] =
    /^([^T ]+)[T ](\d\d?):(\d\d)(:\d\d(?:\.\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) return nearestDate(text);
  const nearest = nearestDate(day);
  if (nearest === undefined) return undefined;
  const time = [most(hours, 23), most(minutes, 59), ...(rest === '' ? [] : [seconds(rest)])].join(
    ':',
  );
  if (parameter.local) return `${nearest}T${time}`;
  const written = (offset ?? '').toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  if (written !== '') return `${nearest}T${time}${written}`;
  const [wall] = millisecondsOf(`${nearest}T${time}Z`, {}) ?? [];
  if (wall === undefined) return undefined;
  return writtenAt(instantOf(wall, zoneOf(parameter)), parameter);
}

function most(digits: string, bound: number): string {
  return padded(Math.min(Number(digits), bound));
}

function seconds(text: string): string {
  const [whole = '', fraction] = text.slice(1).split('.');
  return Number(whole) > 59
    ? '59'
    : `${padded(Number(whole))}${fraction === undefined ? '' : `.${fraction.slice(0, 9)}`}`;
}
