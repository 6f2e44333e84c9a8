import { MOST_BARS } from '../figure/mark.ts';
import { decimalText } from '../text/decimal.ts';
import { numberText } from '../text/wording.ts';
import { isFlat, nameOfRows } from './first-category.ts';
import { addsUp } from './first-number.ts';
import {
  barsOf,
  type KnownData,
  LEAST_DISTINCT,
  MOST_THINGS,
  numberOfThings,
  type Opening,
  whyNoLine,
} from './known-data.ts';
import type { KnownField } from './known-fields.ts';

/** Rules for a first question of things: numbers of those with names, categories, and how a number is spread. */

/** A number of each row, if each has a name. */
export function namedNumbers(known: KnownData): Opening | undefined {
  const { rows, fields } = known;
  const name = nameOfRows(fields);
  if (name === undefined || rows > MOST_THINGS) return undefined;
  const number = numberOfThings(known);
  if (number === undefined || number.known.distinct < LEAST_DISTINCT) return undefined;
  const { title } = number.known.field;
  const why = `each row has its own ${name.field.title} and ${title} is ${number.why}`;
  return { ...barsOf(name, number, title, why), isSum: addsUp(number.known) };
}

/** A number whose greatest is this many times its least crowds at one end of an even axis. */
const WIDE = 100;

/** Two numbers of things that go together. */
export function twoNumbers(known: KnownData): Opening | undefined {
  const { together, fields, rows } = known;
  const name = nameOfRows(fields);
  if (together === undefined || name === undefined || rows > MOST_THINGS) return undefined;
  const [x, y] = [together.x, together.y].map((one) =>
    fields.find(({ field }) => field.name === one),
  );
  if (x === undefined || y === undefined) return undefined;
  const scaleOf = ({ min = 0, max = 0 }: KnownField) =>
    min > 0 && max >= WIDE * min ? 'log' : 'linear';
  const titles = `${y.field.title} and ${x.field.title}`;
  return {
    arguments: {
      _view: 'chart',
      _xy: [x.field.name, y.field.name],
      _scale: [scaleOf(x), scaleOf(y)],
    },
    what: `${y.field.title} against ${x.field.title}`,
    why: `each row has its own ${name.field.title}, and ${titles} go together`,
  };
}

/** Bars of a category: of its rows, or of a number if each value has as many rows. */
export function bars(known: KnownData): Opening | undefined {
  const { block, category, number } = known;
  if (category === undefined) return undefined;
  const { title } = category.field;
  const has = `${title} has ${numberText(category.distinct)} values`;
  if (isFlat(category) && (number !== undefined || !known.isAsked)) {
    if (number === undefined) return undefined;
    const of = number.known.field.title;
    const why = `${has} with as many ${block.noun} each and ${of} is ${number.why}`;
    // Where parts and their total are rows, the parts are added up.
    const isSum = addsUp(number.known) && Object.values(known.totals).some((one) => one.isSum);
    const [measure, what] = isSum
      ? (['sum', 'the sum'] as const)
      : (['avg', 'the average'] as const);
    return { ...barsOf(category, number, `${what} of ${of}`, why, measure), isSum };
  }
  return {
    arguments: { _view: 'chart', _group: [category.field.name], _measure: ['count'] },
    what: `the number of ${block.noun} by ${title}`,
    why: `${has}${whyNoLine(known, `its ${block.noun}`)}`,
  };
}

/** How a number is spread, in steps. */
export function histogram({ number }: KnownData): Opening | undefined {
  if (number === undefined || number.known.distinct < LEAST_DISTINCT) return undefined;
  const { known, why } = number;
  const { field } = known;
  const width = widthOf(known);
  if (width === undefined) return undefined;
  return {
    arguments: { _view: 'chart', _group: [`${field.name}.${width}`], _measure: ['count'] },
    what: `how ${field.title} is spread`,
    why: `${field.title} is ${why}, and it has no dates, places or categories that show more`,
  };
}

/** So many steps show how a number is spread; more if most of it lies in few. */
const STEPS = 20;

const CROWDED = 0.5;

/** A round width of steps: whole for whole numbers. Undefined if it cannot be written. */
function widthOf({ field, min = 0, max = 0, crowded = 0 }: KnownField): string | undefined {
  const steps = crowded > CROWDED ? MOST_BARS - 2 : STEPS;
  const least = (max - min) / steps;
  if (!(least > 0) || !Number.isFinite(least)) return undefined;
  const power = 10 ** Math.floor(Math.log10(least));
  const round = [1, 2, 2.5, 5, 10]
    .map((times) => Number((times * power).toPrecision(3)))
    .find((one) => one >= least * (1 - 1e-9) && (field.type !== 'integer' || one % 1 === 0));
  const width = decimalText(round ?? 1);
  return /^(?:0|[1-9]\d{0,14})(?:\.\d{0,13}[1-9])?$/.test(width) && width.length < 16
    ? width
    : undefined;
}
