import { fieldsInOrder } from '../block/block.ts';
import { type Grouping, groupColumns } from '../block/grouping.ts';
import { NEAR } from '../block/parameter.ts';
import type { Language } from '../languages/language.ts';
import { decimalText } from '../text/decimal.ts';
import { decimalsOf, FROM_RIGHT } from '../text/wording.ts';
import { ownMember, type Row, type Value } from '../values/field-type.ts';
import { type Field, isLabel, keysOfDay, typeOf } from '../values/field-types.ts';
import { DISTANCE } from '../values/places.ts';
import type { DatasetPage } from './page.ts';

/** From here on, most characters are twice as wide as those of Latin. */
const WIDE = /[\u1100-\uffff]/g;

/** How many characters of Latin a text is as wide as. */
export function lengthShown(text: string): number {
  return text.length + (text.match(WIDE)?.length ?? 0);
}

/** The columns of rows or groups: those asked for, or else the key fields and then all others. */
export function columnsOfRows(
  { block, values }: Pick<DatasetPage, 'block' | 'values'>,
  grouping?: Grouping,
): Field[] {
  const all = grouping === undefined ? fieldsInOrder(block) : groupColumns(grouping);
  const asked = values._fields as readonly string[] | undefined;
  const byName = new Map(all.map((field) => [field.name, field]));
  const shown = [...new Set(asked ?? byName.keys())].flatMap((name) => byName.get(name) ?? []);
  // Where one looks at it: behind the name.
  return values[NEAR] === undefined || grouping !== undefined
    ? shown
    : [...shown.slice(0, 1), DISTANCE, ...shown.slice(1)];
}

/** A cell without a value. */
export const NO_VALUE = '<span class="quiet">–</span>';

/** How a column's cells are written, given its rows. */
export function columnWriter(
  field: Field,
  of: Pick<DatasetPage, 'block' | 'manifest' | 'profile' | 'language'>,
  rows: readonly Row[],
) {
  const { name } = field;
  const values = rows.map((row) => row[name] ?? null);
  return { name, write: cellWriter(field, values, of.language, contextOf(field, of)) };
}

/** What is known of all values of a field of the dataset. */
export function contextOf(
  field: Field,
  { block, ...of }: Pick<DatasetPage, 'block' | 'manifest' | 'profile'>,
): CellContext {
  const { name } = field;
  const { primaryKey = [], geometry } = block;
  return {
    ...numbersOf(field, of),
    isKey: primaryKey.includes(name),
    isPlace: name === geometry?.latitude || name === geometry?.longitude,
  };
}

/** Of these, how large its numbers are, and how many decimals they have. */
export function numbersOf(
  { name }: Field,
  { manifest, profile }: Pick<DatasetPage, 'manifest' | 'profile'>,
): CellContext {
  const { min, max } = ownMember(manifest?.fields, name) ?? {};
  const decimals = ownMember(profile?.decimals, name);
  return { min, max, decimals };
}

/** What is known of a field beside its declaration. */
export type CellContext = {
  readonly min?: number;
  readonly max?: number;
  /** The most decimals of all its values, which those of one page need not have. */
  readonly decimals?: number;
  /** Whether it is of the primary key. */
  readonly isKey?: boolean;
  /** Whether it holds degrees of a place. */
  readonly isPlace?: boolean;
};

/** Writes the cells of one column as HTML: numbers with as many decimals as the column needs. */
export function cellWriter(
  field: Field,
  values: readonly Value[],
  language: Language,
  context: CellContext = {},
): (value: Value) => string {
  const writeNumber = numberWriter(field, values, language, context);
  const hasSeconds = values.some((value) => typeof value === 'string' && SECONDS.test(value));
  const hasTimes = (keysOfDay(field) ?? 0) > 1;
  return (value) => {
    if (value === null) return '';
    if (typeof value === 'number') return writeNumber(value);
    if (typeof value === 'boolean') return language.say(value ? 'yes' : 'no');
    if (hasTimes) return timeOf(value, hasSeconds);
    const href = typeOf(field).hrefOf?.(value);
    return href === undefined
      ? escaped(value)
      : `<a href="${escaped(href)}">${escaped(linkText(value))}</a>`;
  };
}

/** A column with more decimals shows what a computation left, not what was measured. */
const MOST_MEASURED = 6;

/** Of degrees, as many are then shown: about a metre. */
const DECIMALS_OF_PLACES = 5;

/** Decimals of other numbers: about four digits for the largest, three for tiny ones. */
const DIGITS = 4;
const DIGITS_OF_TINY = 3;

/** Of what was computed, one shows that it is no whole number, up to some size. */
const LEAST_WHOLE = 10_000;

function decimalsOfComputed(largest: number): number {
  if (largest >= LEAST_WHOLE) return 0;
  const whole = Math.max(1, Math.floor(Math.log10(largest)) + 1);
  return Math.max(1, DIGITS - whole);
}

/** `value` has the digits that are not shown. */
function numberWriter(
  field: Field,
  values: readonly Value[],
  language: Language,
  context: CellContext,
) {
  const { isKey = false, isPlace = false } = context;
  if ((field.type !== 'number' && isKey) || isLabel(field, context)) return decimalText;
  const { decimals: known, min = 0, max = 0 } = context;
  let [most, largest] = [known ?? 0, Math.max(Math.abs(min), Math.abs(max))];
  for (const value of known === undefined ? values : []) {
    if (typeof value !== 'number') continue;
    most = Math.max(most, decimalsOf(value));
    largest = Math.max(largest, Math.abs(value));
  }
  const ofComputed = isPlace ? DECIMALS_OF_PLACES : decimalsOfComputed(largest);
  const decimals = most <= MOST_MEASURED ? most : ofComputed;
  return (value: number): string => {
    const isTiny = value !== 0 && Math.abs(value) < 10 ** -decimals / 2;
    const near = Number(isTiny ? value.toPrecision(DIGITS_OF_TINY) : value.toFixed(decimals));
    const shown = isTiny
      ? decimalText(near).replace('.', language.decimal)
      : language.number(value, decimals);
    return near === value ? shown : `<data value="${value}" title="${value}">${shown}</data>`;
  };
}

/** Times in which seconds are told. */
const SECONDS = /T\d\d:\d\d:(?!00(?:Z|[+-]|$))/;

/** `2020-05-17T10:30:00Z` is shown as `2020-05-17 10:30 UTC`. */
function timeOf(value: string, hasSeconds: boolean): string {
  const [, day, minutes, rest = '', zone = ''] =
    /^(\S+)T(\d\d:\d\d)(:[\d.]+)?(Z|[+-][\d:]+)?$/.exec(value) ?? [];
  if (day === undefined) return escaped(value);
  const shown = `${day} ${minutes}${hasSeconds ? rest : ''}${zone === 'Z' ? ' UTC' : zone && ` ${zone}`}`;
  return `<time datetime="${value}">${shown}</time>`;
}

/** Characters of a link in a table. */
const MOST_LINK = 40;

/** A web address without what all have; a long one is cut. */
function linkText(text: string): string {
  const bare = text.replace(/^https?:\/\/(?:www\.)?/, '').replace(/^([^/?#]+)\/$/, '$1');
  return bare.length <= MOST_LINK ? bare : `${bare.slice(0, MOST_LINK - 1)}…`;
}

export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Whether most of a column's texts are written from the right. */
export function isFromRight({ name }: Field, rows: readonly Row[]): boolean {
  const texts = rows.flatMap((row) => (typeof row[name] === 'string' ? (row[name] as string) : []));
  return 2 * texts.filter((text) => FROM_RIGHT.test(text)).length > texts.length;
}
