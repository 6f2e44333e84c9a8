import {
  type ArgumentSource,
  type ArgumentType,
  type JsonSchema,
  MOST_TEXT_LENGTH,
  type ValueFault,
} from '../fields/field-type.ts';
import { quotedValue } from '../fields/quoted-value.ts';
import { SPACE } from '../fields/sent-blank.ts';
import { decimalText } from '../text/decimal.ts';

type Axis = { readonly name: string; readonly most: number; readonly pattern: string };

const FRACTION = '(?:\\.[0-9]+)?';
/** As programs write what is near 0: `1.5e-7`. */
const TINY = `[0-9]${FRACTION}[eE]-[0-9]{1,3}`;
const LONGITUDE: Axis = {
  name: 'longitude',
  most: 180,
  pattern: `[+-]?(?:180(?:\\.0+)?|(?:1[0-7][0-9]|0?[0-9]{1,2})${FRACTION}|${TINY})`,
};
const LATITUDE: Axis = {
  name: 'latitude',
  most: 90,
  pattern: `[+-]?(?:0?90(?:\\.0+)?|0?[0-8]?[0-9]${FRACTION}|${TINY})`,
};

/** Where each of some coordinates lies, in order. */
type Axes = readonly Axis[];

/** Points, each a longitude and a latitude in degrees, as in RFC 7946. */
export function axesOf(points: number): Axes {
  return Array.from({ length: 2 * points }, (_, i) => (i % 2 === 0 ? LONGITUDE : LATITUDE));
}

/** How coordinates are read and checked; once read, they are one text with commas. */
export function coordinatesType(
  axes: Axes,
  expected: string,
): Pick<ArgumentType, 'read' | 'readList' | 'schema' | 'sent' | 'expected'> {
  const read = (value: unknown) => {
    const numbers = numbersIn(value);
    return numbers?.length === axes.length ? numbers.map(degreesText).join(',') : value;
  };
  const schema = textOf(axes, '');
  return {
    read,
    readList: read,
    schema: () => schema,
    sent: (_, source: ArgumentSource) => [
      textOf(axes, SPACE),
      ...(source === 'json' ? [listOf(axes)] : []),
    ],
    expected: () => expected,
  };
}

/** Less than the width of an atom from 0 is 0, whose text is short. */
const TINIEST = 1e-15;

function degreesText(degrees: number): string {
  return decimalText(Math.abs(degrees) < TINIEST ? 0 : degrees);
}

function textOf(axes: Axes, space: string): JsonSchema {
  const parts = axes.map(({ pattern }) => `${space}${pattern}${space}`);
  return { type: 'string', maxLength: MOST_TEXT_LENGTH, pattern: `^${parts.join(',')}$` };
}

function listOf(axes: Axes): JsonSchema {
  const { length } = axes;
  const prefixItems = axes.map(({ most }) => ({ type: 'number', minimum: -most, maximum: most }));
  return { type: 'array', prefixItems, minItems: length, maxItems: length };
}

/** The numbers of a text with commas, or of a list; undefined if any is none. */
export function numbersIn(value: unknown): number[] | undefined {
  const parts = typeof value === 'string' ? value.split(',', MOST_PARTS) : value;
  if (!Array.isArray(parts) || parts.length > MOST_PARTS) return undefined;
  const numbers = parts.map((part) =>
    typeof part === 'string' && DECIMAL.test(part.trim()) ? Number(part) : part,
  );
  return numbers.every(Number.isFinite) ? (numbers as number[]) : undefined;
}

/** More than any argument has. */
const MOST_PARTS = 5;

const DECIMAL = /^[+-]?(?:\d{1,3}(?:\.\d{1,250})?|\d(?:\.\d{1,250})?e-\d{1,3})$/i;

/** Says which coordinate is out of range, and whether the two of each point are swapped. */
export function faultOfCoordinates(
  value: unknown,
  name: string,
  axes: Axes,
  expected: string,
): ValueFault {
  const numbers = numbersIn(value);
  if (numbers?.length !== axes.length) {
    const is = Array.isArray(value) ? `a list of ${value.length}` : quotedValue(value);
    const numbersExpected = Array.isArray(value) ? `${axes.length} numbers, ` : '';
    const detail = `${name} is ${is}; expected ${numbersExpected}${expected}.`;
    return { code: 'not-a-place', detail };
  }
  const outside = numbers.findIndex((number, i) => !isWithin(number, axes[i]));
  const { name: axis, most } = axes[outside] as Axis;
  const is = `${name} has the ${axis} ${decimalText(numbers[outside] as number)}; expected one from -${most} to ${most}.`;
  const swapped = numbers.map((_, i) => numbers[i % 2 === 0 ? i + 1 : i - 1] as number);
  if (!swapped.every((number, i) => isWithin(number, axes[i]))) {
    return { code: 'out-of-range', detail: is };
  }
  const suggestion = swapped.map(decimalText).join(',');
  const detail = `${is} The longitude comes first: did you mean ${suggestion}?`;
  return { code: 'out-of-range', detail, suggestion };
}

function isWithin(number: number, axis: Axis | undefined): boolean {
  return axis !== undefined && Math.abs(number) <= axis.most;
}
