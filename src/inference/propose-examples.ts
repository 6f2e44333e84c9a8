import type { Example } from '../block/block.ts';
import type { PointFields } from '../block/declaration.ts';
import type { Value } from '../values/field-type.ts';
import { type Field, isLabel, isNumeric } from '../values/field-types.ts';
import { fold } from '../values/fold.ts';
import { cellReader, type Spelling } from '../values/spelling.ts';
import { numberText } from '../values/wording.ts';
import type { InferredColumn } from './propose-roles.ts';

type Parts = {
  readonly main: string | undefined;
  readonly primaryKey: string | undefined;
  readonly geometry: PointFields | undefined;
};

type Told = { readonly column: InferredColumn; readonly field: Field & Spelling };

/** Up to three requests, each of which some rows answer, but not all. */
export function proposeExamples(
  columns: readonly InferredColumn[],
  fields: readonly (Field & Spelling)[],
  { main, primaryKey, geometry }: Parts,
): readonly Example[] {
  const told = columns.map((column, i): Told => ({ column, field: fields[i] as Field & Spelling }));
  const others = told.filter(
    ({ column: { name } }) =>
      ![main, primaryKey, geometry?.latitude, geometry?.longitude].includes(name),
  );
  const found = [
    firstOf(others, ofCategory),
    firstOf(others, ofNumbers) ?? firstOf(others, ofTimes),
    firstOf(
      told.filter(({ column }) => column.name === main),
      ofText,
    ),
  ].filter((example) => example !== undefined);
  if (found.length > 0) return found;
  return [{ title: 'The first rows', arguments: { _limit: 10 } }];
}

function firstOf(
  all: readonly Told[],
  make: (told: Told) => Example | undefined,
): Example | undefined {
  for (const one of all) {
    const example = make(one);
    if (example !== undefined) return example;
  }
  return undefined;
}

/** A text of a few, one that many rows have. */
function ofCategory(told: Told): Example | undefined {
  const { distinct, filled, samples } = told.column.decision;
  if (told.field.type !== 'text' || !distinct.isExact || distinct.count > samples.length) {
    return undefined;
  }
  if (distinct.count * 2 > filled) return undefined;
  return ofText(told);
}

function ofText({ field, column }: Told): Example | undefined {
  const { samples } = column.decision;
  const keys = new Set(samples.map(({ cell }) => fold(cell)));
  keys.delete('');
  // Texts that differ in case alone are equal, and all rows would have them.
  if (keys.size < 2) return undefined;
  const [commonest] = samples
    .filter(({ cell }) => fold(cell) !== '')
    .sort((a, b) => (b.count ?? 0) - (a.count ?? 0));
  if (commonest === undefined) return undefined;
  const { cell } = commonest;
  const argument = cell.replaceAll('*', '\\*');
  return { title: `${field.title}: ${cell}`, arguments: { [field.name]: argument } };
}

/** From the middle of some numbers on. */
function ofNumbers({ field, column }: Told): Example | undefined {
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

/** A number with its first digit alone, which is easier to read than all. */
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

/** The last year. */
function ofTimes({ field, column }: Told): Example | undefined {
  const { range } = column.decision;
  if ((field.type !== 'date' && field.type !== 'datetime') || range === undefined) return undefined;
  const [first, last] = [range.min, range.max].map((value: Value) => String(value).slice(0, 4));
  if (first === last || last === undefined) return undefined;
  return { title: `${field.title}, from ${last} on`, arguments: { [`${field.name}_min`]: last } };
}
