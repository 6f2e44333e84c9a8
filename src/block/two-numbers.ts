import type { Field } from '../values/field-types.ts';
import { HAVING } from './grouping.ts';

/** The option that asks for two numbers of each row, and those that say how. */
export const XY = '_xy';
export const SCALE = '_scale';
export const MEDIANS = '_medians';
export const XY_NAMES = [XY, SCALE, MEDIANS] as const;

/** How numbers lie on an axis: evenly, or each step a multiple of the one before. */
export const SCALES = ['linear', 'log'] as const;
export type Scale = (typeof SCALES)[number];

/** With more rows than this, rows are counted in squares. */
export const MOST_POINTS = 1000;

/** Squares across and up. An answer has no more than both allow. */
export const MOST_SQUARES = { x: 50, y: 30, all: 1500 } as const;

/** The most rows, of all, that may have a 0, and so no place on an axis that is logarithmic unasked. */
export const MOST_ZEROS = 0.05;

/** Options of other questions, which a question about two numbers cannot have. */
export const EXCLUDED_BY_XY = [
  '_group',
  '_measure',
  HAVING,
  '_sort',
  '_fields',
  '_limit',
  '_cursor',
] as const;

/** A question about two numbers of each row. */
export type TwoNumbers = {
  readonly x: Field;
  readonly y: Field;
  /** The scales that were asked for. Absent if the numbers decide for each. */
  readonly scales?: { readonly x: Scale; readonly y: Scale };
  /** Whether the medians of y are wanted, along x. */
  readonly hasMedians: boolean;
};

/** Reads the two numbers of valid arguments. Undefined if they do not ask for them. */
export function twoNumbersOf(
  { fields }: { readonly fields: readonly Field[] },
  values: Readonly<Record<string, unknown>>,
): TwoNumbers | undefined {
  if (values[XY] === undefined) return undefined;
  const [x, y] = (values[XY] as readonly string[]).map((name) =>
    fields.find((field) => field.name === name),
  );
  if (x === undefined || y === undefined) return undefined;
  const [ofX, ofY = ofX] = (values[SCALE] ?? []) as readonly Scale[];
  const scales = ofX === undefined || ofY === undefined ? undefined : { x: ofX, y: ofY };
  return { x, y, scales, hasMedians: values[MEDIANS] === true };
}

/** The columns of an answer in squares. */
export function squareColumns({ x, y }: TwoNumbers): Field[] {
  const end = ({ name, title, unit }: Field, of: 'from' | 'to'): Field => ({
    name: `${name}_${of}`,
    title: `${title}, ${of === 'from' ? 'from' : 'below'}`,
    type: 'number',
    unit,
  });
  const ends = [x, y].flatMap((field) => [end(field, 'from'), end(field, 'to')]);
  return [...ends, { name: 'count', title: 'Rows', type: 'integer' }];
}

/** An axis of an answer: the least and the greatest number of its rows, null if it has none. */
export type AxisFound = {
  readonly field: string;
  readonly scale: Scale;
  readonly min: number | null;
  readonly max: number | null;
};

/** A step along x, its rows, and the median of their y. */
export type StepMedian = {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly median: number;
};

/** What an answer about two numbers is of. Its rows are the points or the squares. */
export type TwoNumbersFound = {
  readonly of: 'rows' | 'squares';
  readonly x: AxisFound;
  readonly y: AxisFound;
  /** How many rows the points or the squares have together. */
  readonly rows: number;
  /** How many more match but lack one of the numbers, or both. */
  readonly without: number;
  /** How many more have a 0, which has no place on a logarithmic axis. Absent if none. */
  readonly zeros?: number;
  readonly medians?: readonly StepMedian[];
};
