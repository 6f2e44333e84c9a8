import type { Row, Value } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import type { PointFields } from '../../src/values/places.ts';
import { compared } from './naive.ts';

/** Groups as the contract reads, sharing no code with the product: the oracle. */
export type NaiveGrouping = {
  readonly _group?: readonly string[];
  readonly _measure?: readonly string[];
};

/** The groups of some rows, in the order of their values. */
export function naiveGroups(
  fields: readonly Field[],
  rows: readonly Row[],
  { _group: group = [], _measure: measure = ['count'] }: NaiveGrouping,
  geometry?: PointFields,
): Record<string, Value>[] {
  const groups = new Map<
    string,
    { keys: (string | number | null)[]; values: Value[]; rows: Row[] }
  >();
  // A value is written as in the first row that has it.
  const spelled = group.map(() => new Map<string | number | null, Value>());
  for (const row of rows) {
    const parts = group.map((text) => partOf(text, fields, row, geometry));
    const keys = parts.map(({ key }) => key);
    const values = parts.map(({ key, value }, i) => {
      if (!spelled[i]?.has(key)) spelled[i]?.set(key, value);
      return spelled[i]?.get(key) ?? null;
    });
    const known = groups.get(JSON.stringify(keys));
    if (known === undefined) groups.set(JSON.stringify(keys), { keys, values, rows: [row] });
    else known.rows.push(row);
  }
  if (group.length === 0 && groups.size === 0) groups.set('', { keys: [], values: [], rows: [] });
  // With several dimensions a group is a part of those with the same first value.
  const wholes = new Map<unknown, Row[]>();
  for (const { keys, rows: its } of group.length < 2 ? [] : groups.values()) {
    const whole = wholes.get(keys[0]) ?? [];
    for (const row of its) whole.push(row);
    wholes.set(keys[0], whole);
  }
  const sums = new Map(
    measure.map((text) => [text, new Map<readonly Row[], Fraction | undefined>()]),
  );
  return [...groups.values()]
    .sort((a, b) => {
      const at = a.keys.findIndex((key, i) => key !== b.keys[i]);
      return at < 0 ? 0 : naiveOrder(a.keys[at] ?? null, b.keys[at] ?? null);
    })
    .map(({ keys, values, rows: its }) =>
      Object.fromEntries([
        ...group.flatMap((text, i): [string, Value][] => {
          const name = text.replaceAll('.', '_');
          const value = values[i] ?? null;
          if (!CELLS.test(text)) return [[name, value]];
          const box = value === null ? null : (BOXES.get(`${text} ${value}`) ?? null);
          return [
            [name, value],
            [`${name}_box`, box],
          ];
        }),
        ...measure.map((text): [string, Value] => [
          text.replaceAll(':', '_'),
          text.startsWith('share:')
            ? shared(text, fields, its, wholes.get(keys[0]) ?? rows, sums.get(text) as never)
            : measured(text, fields, its),
        ]),
      ]),
    );
}

/** The same groups sorted by a column, as `_sort` names it: nulls last, ties as they were. */
export function naiveSorted(
  groups: readonly Record<string, Value>[],
  fields: readonly Field[],
  { _group = [], _measure = ['count'] }: NaiveGrouping,
  sort: string | undefined,
): Record<string, Value>[] {
  if (sort === undefined) return [...groups];
  const [first = '', second] = sort.split(',');
  if (second !== undefined) {
    const asked = { _group, _measure };
    // A sort is stable, so the second order is the first to be made.
    return naiveSorted(naiveSorted(groups, fields, asked, second), fields, asked, first);
  }
  const name = sort.replace('-', '');
  const asked = name.replace(/_box$/, '');
  const text = [..._group, ..._measure].find((one) => one.replace(/[.:]/g, '_') === asked);
  const type = typeOfColumn(fields, text as string);
  const keyed = groups.map((group) => ({
    group,
    key: naiveKey({ type, name, title: name }, group[name] ?? null),
  }));
  keyed.sort(({ key: a }, { key: b }) => {
    const order = naiveOrder(a, b);
    return sort.startsWith('-') && a !== null && b !== null ? -order : order;
  });
  return keyed.map(({ group }) => group);
}

/** The type of a column of groups, by what was asked for. */
function typeOfColumn(fields: readonly Field[], text: string): Field['type'] {
  if (/^(?:share|p\d\d):/.test(text)) return 'number';
  if (CELLS.test(text)) return 'text';
  const [, of = '', name = '', by = ''] = /^(?:(\w+):)?(\w+)(?:\.(.+))?$/.exec(text) ?? [];
  if (['count', 'distinct'].includes(of)) return 'integer';
  if (['avg', 'median'].includes(of) || /^\d/.test(by)) return 'number';
  if (by !== '')
    return by === 'day'
      ? 'date'
      : /^(?:year|month_of_year|week_of_year|weekday|hour)$/.test(by)
        ? 'integer'
        : 'text';
  return fields.find((field) => field.name === name)?.type ?? 'integer';
}

/** Null is last; texts are in the order of their code points. */
export function naiveOrder(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  if (typeof a === 'number') return a - (b as number);
  return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
}

/** What a value is compared by: the number of a time or a boolean, and a text as it is folded. */
export function naiveKey(
  field: Pick<Field, 'type' | 'name' | 'title'>,
  value: Value,
): string | number | null {
  if (value === null) return null;
  if (field.type === 'datetime') {
    return Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(String(value)) ? String(value) : `${value}Z`);
  }
  if (field.type === 'date') return String(value);
  return typeof value === 'string' ? compared(field, value) || null : Number(value);
}

/** A dimension of cells, and the boxes of the cells that were found, by the dimension and centre. */
const CELLS = /^place\.([\d.]+)(m|km|mi|ft)$/;
const BOXES = new Map<string, string>();

/**
 * The cell of a place, as docs/semantics.md defines it: all borders are listed, and the cell begins
 * at the last one that the place has passed.
 */
function cellOf(text: string, row: Row, geometry: PointFields) {
  const [, number = '', unit = ''] = CELLS.exec(text) ?? [];
  const width = Number(number) * ({ m: 1, km: 1000, mi: 1609.344, ft: 0.3048 }[unit] as number);
  const [lon, lat] = [row[geometry.longitude], row[geometry.latitude]];
  if (typeof lon !== 'number' || typeof lat !== 'number') return undefined;
  if (Math.abs(lon) > 180 || Math.abs(lat) > 90) return undefined;
  const radius = 6_371_008.8;
  const bands = Math.max(1, Math.round((Math.PI * radius) / width));
  const [band, south, north] = lastBorder(lat, -90, 180, bands);
  const middle = ((-90 + (180 * (band + 0.5)) / bands) * Math.PI) / 180;
  const boxes = Math.max(1, Math.round((2 * Math.PI * radius * Math.cos(middle)) / width));
  const [box, west, east] = lastBorder(lon === 180 ? -180 : lon, -180, 360, boxes);
  const millionths = (degrees: number) => plain(Math.round(degrees * 1e6) / 1e6);
  const centre = [(west + east) / 2, (south + north) / 2].map(millionths).join();
  const ends = [west, south, under(east), band === bands - 1 ? north : under(north)];
  BOXES.set(`${text} ${centre}`, ends.map(plain).join());
  return { key: band * 5e6 + box, value: centre };
}

/** The last of the borders at or below a number, which of them it is, and the next one. */
function lastBorder(at: number, from: number, range: number, parts: number) {
  const border = (i: number) => Math.round((from + (range * i) / parts) * 1e6) / 1e6;
  const number = Math.abs(at) < 1e-15 ? 0 : at;
  let [low, high] = [0, parts];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (border(middle) <= number) low = middle;
    else high = middle;
  }
  return [low, border(low), border(low + 1)] as const;
}

/** The greatest number below another, or below 0 the greatest that is not taken for 0. */
function under(number: number): number {
  if (number === 0) return -1e-15;
  let step = Math.abs(number) * 2 ** -52;
  while (number - step / 2 < number) step /= 2;
  return number - step;
}

/** A number without an exponent. */
function plain(number: number): string {
  if (number === -1e-15) return '-0.000000000000001';
  const text = String(number === 0 ? 0 : number);
  const [digits = '', power] = text.split('e-');
  if (power === undefined) return text;
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  const sign = number < 0 ? '-' : '';
  return `${sign}0.${'0'.repeat(Number(power) - 1)}${whole}${fraction}`;
}

function partOf(text: string, fields: readonly Field[], row: Row, geometry?: PointFields) {
  if (CELLS.test(text) && geometry !== undefined) {
    return cellOf(text, row, geometry) ?? { key: null, value: null };
  }
  const [, name = '', by] = /^(\w+)(?:\.(.+))?$/.exec(text) ?? [];
  const field = fields.find((one) => one.name === name) as Field;
  const value = row[name] ?? null;
  const key = naiveKey(field, value);
  if (key === null) return { key, value: null };
  if (by === undefined) return { key, value };
  const part = /^\d/.test(by) ? rangeOf(value as number, by) : timePart(String(value), by);
  return { key: part, value: part };
}

/** A time is written in its field's zone, so its text has all parts. */
function timePart(text: string, by: string): string | number {
  const day = text.slice(0, 10);
  const date = new Date(`${day}T00:00:00Z`);
  switch (by) {
    case 'year':
      return Number(text.slice(0, 4));
    case 'quarter':
      return `${text.slice(0, 4)}-Q${Math.ceil(Number(text.slice(5, 7)) / 3)}`;
    case 'month':
      return text.slice(0, 7);
    case 'day':
      return day;
    case 'month_of_year':
      return Number(text.slice(5, 7));
    case 'week_of_year':
      return Number(String(timePart(text, 'week')).slice(-2));
    case 'weekday':
      return date.getUTCDay() || 7;
    case 'weekend':
      return date.getUTCDay() % 6 === 0 ? 'weekend' : 'weekday';
    case 'hour':
      return Number(text.slice(11, 13));
  }
  // The week of a Thursday: the one of its year that has the 4th of January is the first.
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  let week = 1;
  for (const year = date.getUTCFullYear(); ; week++) {
    date.setUTCDate(date.getUTCDate() - 7);
    if (date.getUTCFullYear() < year)
      return `${String(year).padStart(4, '0')}-W${String(week).padStart(2, '0')}`;
  }
}

function rangeOf(value: number, width: string): number {
  const [its, wide] = [fractionOf(value), fractionOf(Number(width))];
  const [a, b] = [its.over * wide.under, wide.over * its.under];
  const whole = a / b - (a % b < 0n ? 1n : 0n);
  return nearest({ over: whole * wide.over, under: wide.under });
}

function measured(text: string, fields: readonly Field[], rows: readonly Row[]): Value {
  if (text === 'count') return rows.length;
  const [of = '', name = ''] = text.split(':');
  const field = fields.find((one) => one.name === name) as Field;
  const keyed = rows.flatMap((row) => {
    const value = row[name] ?? null;
    const key = naiveKey(field, value);
    return key === null ? [] : [{ value, key }];
  });
  keyed.sort((a, b) => naiveOrder(a.key, b.key));
  if (of === 'count') return keyed.length;
  if (of === 'distinct') return new Set(keyed.map(({ key }) => key)).size;
  if (keyed.length === 0) return null;
  if (of === 'min') return keyed[0]?.value ?? null;
  if (of === 'max') return keyed.at(-1)?.value ?? null;
  const numbers = keyed.map(({ value }) => fractionOf(value as number));
  if (of === 'median') {
    const middle = [numbers[(numbers.length - 1) >> 1], numbers[numbers.length >> 1]];
    return nearest(divided(sumOf(middle as Fraction[]), 2));
  }
  const [, hundredths] = /^p(\d\d)$/.exec(of) ?? [];
  if (hundredths !== undefined) {
    const way = (numbers.length - 1) * Number(hundredths);
    const [low, high] = [numbers[Math.floor(way / 100)], numbers[Math.ceil(way / 100)]];
    const parts = [times(low as Fraction, 100 - (way % 100)), times(high as Fraction, way % 100)];
    return nearest(divided(sumOf(parts), 100));
  }
  return nearest(of === 'sum' ? sumOf(numbers) : divided(sumOf(numbers), numbers.length));
}

/** A group's part of a whole. */
function shared(
  text: string,
  fields: readonly Field[],
  rows: readonly Row[],
  whole: readonly Row[],
  sums: Map<readonly Row[], Fraction | undefined>,
): Value {
  if (text === 'share:count') return whole.length === 0 ? null : rows.length / whole.length;
  const name = text.replace('share:sum:', '');
  if (fields.every((field) => field.name !== name)) throw new Error(`There is no ${name}.`);
  const sumIn = (some: readonly Row[]) => {
    const numbers = some.flatMap((row) => (row[name] == null ? [] : fractionOf(Number(row[name]))));
    return numbers.length === 0 ? undefined : sumOf(numbers);
  };
  if (!sums.has(whole)) sums.set(whole, sumIn(whole));
  const [part, all] = [sumIn(rows), sums.get(whole)];
  if (part === undefined || all === undefined || all.over === 0n) return null;
  const sign = all.over < 0n ? -1n : 1n;
  return nearest({ over: sign * part.over * all.under, under: sign * part.under * all.over });
}

/** The groups that pass the filters of `_having`, which are on numbers here. */
export function naiveHaving(
  groups: readonly Record<string, Value>[],
  having: Readonly<Record<string, unknown>>,
): Record<string, Value>[] {
  return groups.filter((group) =>
    Object.entries(having).every(([name, wanted]) => {
      const [, column = '', end] = /^(.+?)(?:_(min|max))?$/.exec(name) ?? [];
      const value = group[column] ?? null;
      if (value === null) return false;
      if (end === 'min') return Number(value) >= Number(wanted);
      return end === 'max' ? Number(value) <= Number(wanted) : value === Number(wanted);
    }),
  );
}

function times({ over, under }: Fraction, by: number): Fraction {
  return { over: over * BigInt(by), under };
}

type Fraction = { readonly over: bigint; readonly under: bigint };

/** The decimal number that JSON has for a number, over a power of ten. */
export function fractionOf(value: number): Fraction {
  const [mantissa = '', exponent = '0'] = JSON.stringify(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const power = Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  return power < 0
    ? { over: digits, under: 10n ** BigInt(-power) }
    : { over: digits * 10n ** BigInt(power), under: 1n };
}

/** Of fractions over powers of ten: over the greatest of them. */
function sumOf(numbers: readonly Fraction[]): Fraction {
  return numbers.reduce((a, b) => {
    const [coarse, fine] = a.under < b.under ? [a, b] : [b, a];
    return { over: coarse.over * (fine.under / coarse.under) + fine.over, under: fine.under };
  });
}

function divided({ over, under }: Fraction, by: number): Fraction {
  return { over, under: under * BigInt(by) };
}

/** By so many digits that only a fraction made for it would be rounded wrongly. */
function nearest({ over, under }: Fraction): number {
  const digits = 400n;
  return Number(`${(over * 10n ** digits) / under}e-${digits}`);
}
