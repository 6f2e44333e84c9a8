import type { Example } from '../block/block.ts';
import { fold } from '../text/fold.ts';
import { numberText } from '../text/wording.ts';
import type { Value } from '../values/field-type.ts';
import { type Field, isLabel, isNumeric } from '../values/field-types.ts';
import type { PointFields } from '../values/places.ts';
import { cellReader, type Spelling } from '../values/spelling.ts';
import { type InferredColumn, isOfPlaces } from './inferred-column.ts';

/** Returns the first item with the highest score. Undefined if all score 0. */
export function best<T>(all: readonly T[], score: (one: T) => number): T | undefined {
  let [found, most]: [T | undefined, number] = [undefined, 0];
  for (const one of all) {
    const scored = score(one);
    if (scored > most) [found, most] = [one, scored];
  }
  return found;
}

type ProposedRoles = {
  readonly main: string | undefined;
  readonly primaryKey: string | undefined;
  readonly geometry: PointFields | undefined;
};

type DecidedColumn = { readonly column: InferredColumn; readonly field: Field & Spelling };

/** Proposes up to three requests that match some rows, but not all. */
export function proposeExamples(
  columns: readonly InferredColumn[],
  fields: readonly (Field & Spelling)[],
  { main, primaryKey, geometry }: ProposedRoles,
): readonly Example[] {
  const all = columns.map(
    (column, i): DecidedColumn => ({ column, field: fields[i] as Field & Spelling }),
  );
  const others = all.filter(
    ({ column }) =>
      ![main, primaryKey, geometry?.latitude, geometry?.longitude].includes(column.name) &&
      !isOfPlaces(column),
  );
  const found = [
    firstOf(others, ofCategory),
    firstOf(others, ofNumbers) ?? firstOf(others, ofTimes),
    firstOf(
      all.filter(({ column }) => column.name === main),
      ofText,
    ),
  ].filter((example) => example !== undefined);
  if (found.length > 0) return found;
  return [{ title: 'The first rows', arguments: { _limit: 10 } }];
}

function firstOf(
  all: readonly DecidedColumn[],
  make: (decided: DecidedColumn) => Example | undefined,
): Example | undefined {
  for (const one of all) {
    const example = make(one);
    if (example !== undefined) return example;
  }
  return undefined;
}

/** Filters by a common value of a text with few values. */
function ofCategory(decided: DecidedColumn): Example | undefined {
  const { distinct, filled, samples } = decided.column.decision;
  if (decided.field.type !== 'text' || !distinct.isExact || distinct.count > samples.length) {
    return undefined;
  }
  if (distinct.count * 2 > filled) return undefined;
  return ofText(decided);
}

function ofText({ field, column }: DecidedColumn): Example | undefined {
  const read = cellReader(field, field);
  const samples = column.decision.samples.map((one) => {
    const value = read(one.cell);
    return typeof value === 'string' ? { ...one, cell: value } : one;
  });
  const keys = new Set(samples.map(({ cell }) => fold(cell)));
  keys.delete('');
  // Texts that differ only in case are equal, so all rows would match.
  if (keys.size < 2) return undefined;
  const [commonest] = samples
    .filter(({ cell }) => fold(cell) !== '')
    .sort((a, b) => (b.count ?? 0) - (a.count ?? 0));
  if (commonest === undefined) return undefined;
  const { cell } = commonest;
  const argument = cell.replaceAll('*', '\\*');
  return { title: `${field.title}: ${cell}`, arguments: { [field.name]: argument } };
}

/** Filters numbers from the middle upwards. */
function ofNumbers({ field, column }: DecidedColumn): Example | undefined {
  const { range, samples } = column.decision;
  if (!isNumeric(field) || range === undefined || range.min === range.max) return undefined;
  const read = cellReader(field, field);
  const values = samples
    .map(({ cell }) => read(cell))
    .filter((value): value is number => typeof value === 'number' && value > Number(range.min))
    .sort((a, b) => a - b);
  const middle = values[Math.floor(values.length / 2)] ?? Number(range.max);
  const limits = { min: Number(range.min), max: Number(range.max) };
  const isYear = isLabel(field, limits);
  const round = isYear ? middle : roundBelow(middle);
  const value = round > limits.min ? round : middle;
  const title = `${field.title}, at least ${withUnit(isYear ? String(value) : numberText(value), field.unit)}`;
  return { title, arguments: { [`${field.name}_min`]: value } };
}

/** Rounds a number down to its first digit, which is easier to read. */
function roundBelow(value: number): number {
  if (value < 10) return Math.floor(value);
  const power = 10 ** Math.floor(Math.log10(value));
  return Math.floor(value / power) * power;
}

function withUnit(number: string, unit: string | undefined): string {
  if (unit === undefined) return number;
  if (/^\p{Sc}$/u.test(unit)) return `${unit}${number}`;
  return unit === '%' ? `${number}%` : `${number} ${unit}`;
}

/** Filters the last year. */
function ofTimes({ field, column }: DecidedColumn): Example | undefined {
  const { range } = column.decision;
  if ((field.type !== 'date' && field.type !== 'datetime') || range === undefined) return undefined;
  const [first, last] = [range.min, range.max].map((value: Value) => String(value).slice(0, 4));
  if (first === last || last === undefined) return undefined;
  return { title: `${field.title}, from ${last} on`, arguments: { [`${field.name}_min`]: last } };
}
