import { decimalText } from '../values/decimal.ts';
import type { Value } from '../values/field-type.ts';
import { type Field, isLabel, typeOf } from '../values/field-types.ts';
import { decimalsOf, numberText } from '../values/wording.ts';

/** What is known of a field beside its declaration. */
export type CellContext = {
  readonly min?: number;
  readonly max?: number;
  /** Whether it is of the primary key. */
  readonly isKey?: boolean;
  /** Whether it holds degrees of a place. */
  readonly isPlace?: boolean;
};

/** Writes the cells of one column as HTML: numbers with as many decimals as the column needs. */
export function cellWriter(
  field: Field,
  values: readonly Value[],
  context: CellContext = {},
): (value: Value) => string {
  const writeNumber = numberWriter(field, values, context);
  const hasSeconds = values.some((value) => typeof value === 'string' && SECONDS.test(value));
  return (value) => {
    if (value === null) return '';
    if (typeof value === 'number') return writeNumber(value);
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    if (field.type === 'datetime') return timeOf(value, hasSeconds);
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

/** Of others, so many that the largest has about four digits, and the tiny ones three. */
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
function numberWriter(field: Field, values: readonly Value[], context: CellContext) {
  const { isKey = false, isPlace = false } = context;
  if (field.type !== 'number' && (isKey || isLabel(field, context))) return decimalText;
  let [most, largest] = [0, 0];
  for (const value of values) {
    if (typeof value !== 'number') continue;
    most = Math.max(most, decimalsOf(value));
    largest = Math.max(largest, Math.abs(value));
  }
  const ofComputed = isPlace ? DECIMALS_OF_PLACES : decimalsOfComputed(largest);
  const decimals = most <= MOST_MEASURED ? most : ofComputed;
  return (value: number): string => {
    const isTiny = value !== 0 && Math.abs(value) < 10 ** -decimals / 2;
    const shown = isTiny
      ? decimalText(Number(value.toPrecision(DIGITS_OF_TINY)))
      : numberText(value, decimals);
    const isExact = Number(shown.replaceAll(',', '')) === value;
    return isExact ? shown : `<data value="${value}" title="${value}">${shown}</data>`;
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
