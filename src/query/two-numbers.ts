import { type Dimension, type Grouping, type Measure, ROW_COUNT } from '../block/grouping.ts';
import type { Manifest } from '../block/manifest.ts';
import {
  type AxisFound,
  MOST_POINTS,
  MOST_SQUARES,
  MOST_ZEROS,
  SCALE,
  type Scale,
  type StepMedian,
  squareColumns,
  type TwoNumbers,
  XY,
} from '../block/two-numbers.ts';
import type { MeasureName } from '../measures/measures.ts';
import { invalidArguments } from '../problem/errors.ts';
import type { Field } from '../values/field-types.ts';
import type { Budget } from '../work/budget.ts';
import { evenSteps, logSteps } from './axis-steps.ts';
import type { Condition, Predicate } from './predicate.ts';
import { type GroupTable, type Page, type Query, ReadCost, type RowStore } from './row-store.ts';

/** A query of two numbers of each row. `fields` are those of a point: what names it, and both. */
export type TwoNumbersQuery = Query & { readonly xy: TwoNumbers };

/** An axis is logarithmic if its greatest number is at least this many times its least. */
const FAR_APART = 1000;

/** A step with fewer rows has no median. */
const LEAST_OF_MEDIAN = 20;

/** Steps along x of the medians of points. */
const STEPS_OF_POINTS = 10;

type Known = Pick<Manifest, 'rows' | 'fields'>;

/** Some rows: how many they are, and how far their numbers reach. */
type Reach = { readonly rows: number; readonly x: Ends; readonly y: Ends };
type Ends = readonly [min: number, max: number] | undefined;

/**
 * Reads two numbers of each row that matches and has both: the rows themselves, or squares that
 * count them if they are more than `MOST_POINTS`.
 */
export async function readTwoNumbers(
  store: RowStore,
  { xy, predicate: asked, fields }: TwoNumbersQuery,
  known: Known,
  budget: Budget,
): Promise<Page> {
  const usage = new ReadCost();
  const reader: Reader = { store, xy, budget, usage };
  const { x, y } = xy;
  const blank = [x, y].filter(({ name }) => known.fields[name]?.nulls !== 0);
  const filled = [...asked, ...blank.map(filledCondition)];
  const all = reachKnown(reader, filled, known) ?? (await reachOf(reader, filled));
  const { matching, help } = blank.length === 0 ? all : await countOf(reader, asked, known);
  const { scales, predicate, reach } = await scaled(reader, filled, all);
  const found = {
    x: axisOf(x, scales.x, reach.x),
    y: axisOf(y, scales.y, reach.y),
    rows: reach.rows,
    without: matching - all.rows,
    zeros: all.rows === reach.rows ? undefined : all.rows - reach.rows,
  };
  const about = { matching, help, path: 'columns', usage };
  if (reach.rows <= MOST_POINTS) {
    const points = { predicate, limit: MOST_POINTS, fields };
    const page = await store.read(points, budget);
    addUsage(usage, page.usage);
    // Very long names do not fit, and squares need none.
    if (page.last === undefined) {
      const medians = await mediansOf(
        reader,
        predicate,
        stepsOf(scales.x, reach.x, STEPS_OF_POINTS),
      );
      return {
        ...about,
        rows: page.rows,
        positions: page.positions,
        total: page.total,
        xy: { of: 'rows', ...found, medians },
      };
    }
  }
  const steps = {
    x: stepsOf(scales.x, reach.x, MOST_SQUARES.x),
    y: stepsOf(scales.y, reach.y, MOST_SQUARES.y),
  };
  const rows = await squaresOf(reader, predicate, steps);
  const medians = await mediansOf(reader, predicate, steps.x);
  return { ...about, rows, total: rows.length, xy: { of: 'squares', ...found, medians } };
}

/** What reads a question, and what its reads have cost so far. */
type Reader = {
  readonly store: RowStore;
  readonly xy: TwoNumbers;
  readonly budget: Budget;
  readonly usage: ReadCost;
};

function filledCondition({ name }: Field): Condition {
  return { test: 'empty', not: true, field: name, parameters: [XY] };
}

function addUsage(usage: ReadCost, more: Page['usage']): void {
  usage.chunksRead += more.chunksRead;
  usage.itemsRead += more.itemsRead;
  usage.capacityUnits += more.capacityUnits;
  usage.usd += more.usd;
}

/** How far the numbers of all rows reach, which the import has told. Undefined if it has not. */
function reachKnown({ xy }: Reader, predicate: Predicate, { rows, fields }: Known) {
  if (predicate.length > 0 || rows === 0) return undefined;
  const [x, y] = [xy.x, xy.y].map(({ name }): Ends => {
    const { min, max } = fields[name] ?? {};
    return min === undefined || max === undefined ? undefined : [min, max];
  });
  if (x === undefined || y === undefined) return undefined;
  return { rows, x, y, matching: rows, help: undefined };
}

async function reachOf({ store, xy: { x, y }, budget, usage }: Reader, predicate: Predicate) {
  const measures = [
    ROW_COUNT,
    ...[x, y].flatMap((field) => ['min', 'max'].map((of) => measureOf(of as MeasureName, field))),
  ];
  const grouping: Grouping = { dimensions: [], measures, option: XY };
  return store.group(predicate, [grouping], budget, usage, async ({ groups, matching, help }) => {
    const table = groups[0] as GroupTable;
    const columns = await columnsOf(table, measures.length);
    const [rows = 0, minX, maxX, minY, maxY] = columns.map(([value]) => value as number | null);
    const ends = (min?: number | null, max?: number | null): Ends =>
      min == null || max == null ? undefined : [min, max];
    return { rows: rows ?? 0, x: ends(minX, maxX), y: ends(minY, maxY), matching, help };
  });
}

async function countOf({ store, budget, usage }: Reader, predicate: Predicate, { rows }: Known) {
  if (predicate.length === 0) return { matching: rows, help: undefined };
  const grouping: Grouping = { dimensions: [], measures: [ROW_COUNT], option: XY };
  return store.group(predicate, [grouping], budget, usage, async ({ matching, help }) => ({
    matching,
    help,
  }));
}

const AXES = ['x', 'y'] as const;
type AxisName = (typeof AXES)[number];
type Scales = Readonly<Record<AxisName, Scale>>;

/** The scale of each axis, and the rows that have a place on both. */
async function scaled(
  reader: Reader,
  predicate: Predicate,
  all: Reach,
): Promise<{ readonly scales: Scales; readonly predicate: Predicate; readonly reach: Reach }> {
  const { scales: asked, ...fields } = reader.xy;
  for (const axis of AXES) if (asked?.[axis] === 'log') checkLog(fields[axis], all[axis]);
  const mayBeLog = (axis: AxisName) => {
    const [min, max] = all[axis] ?? [0, 0];
    return asked?.[axis] !== 'linear' && min >= 0 && max > 0;
  };
  const axes = AXES.filter(mayBeLog);
  const zeros = axes.filter((axis) => all[axis]?.[0] === 0);
  const scalesOf = (reach: Reach, some: readonly AxisName[]): Scales => {
    const scaleOf = (axis: AxisName): Scale => {
      const [min, max] = reach[axis] ?? [1, 1];
      const isLog = some.includes(axis) && (asked !== undefined || max >= FAR_APART * min);
      return isLog ? 'log' : 'linear';
    };
    return { x: scaleOf('x'), y: scaleOf('y') };
  };
  if (zeros.length > 0) {
    const above = [...predicate, ...zeros.map((axis) => aboveZero(fields[axis]))];
    const reach = await reachOf(reader, above);
    const scales = scalesOf(reach, axes);
    const isFew = asked !== undefined || all.rows - reach.rows <= MOST_ZEROS * all.rows;
    if (isFew && zeros.every((axis) => scales[axis] === 'log')) {
      return { scales, predicate: above, reach };
    }
  }
  const others = axes.filter((axis) => !zeros.includes(axis));
  return { scales: scalesOf(all, others), predicate, reach: all };
}

/** Throws a Problem if numbers that are to be on a logarithmic axis are not above 0. */
function checkLog({ title }: Field, ends: Ends): void {
  if (ends === undefined || (ends[0] >= 0 && ends[1] > 0)) return;
  const why = ends[0] < 0 ? 'has numbers below 0' : 'has zeros alone';
  const detail = `${title} ${why}, which have no logarithm. Ask for ${SCALE}=linear, leave ${SCALE} out, or filter for numbers above 0.`;
  throw invalidArguments([{ code: 'out-of-range', detail, parameter: SCALE }]);
}

function aboveZero({ name }: Field): Condition {
  const anyOf = [[Number.MIN_VALUE, Number.POSITIVE_INFINITY]] as const;
  return { test: 'ranges', anyOf, field: name, parameters: [XY] };
}

function axisOf({ name }: Field, scale: Scale, ends: Ends): AxisFound {
  return { field: name, scale, min: ends?.[0] ?? null, max: ends?.[1] ?? null };
}

function stepsOf(scale: Scale, ends: Ends, most: number): number[] {
  const [min, max] = ends ?? [0, 0];
  return scale === 'log' ? logSteps(min, max, most) : evenSteps(min, max, most);
}

function measureOf(of: MeasureName, field: Field): Measure {
  const column = { name: `${of}_${field.name}`, title: field.title, type: field.type };
  return { text: `${of}:${field.name}`, of, field, column };
}

function stepDimension(field: Field, edges: readonly number[]): Dimension {
  return { text: field.name, field, edges, column: { ...field, type: 'integer' } };
}

async function columnsOf(table: GroupTable, count: number) {
  const columns = [];
  for (let i = 0; i < count; i++) columns.push(await table.valuesOf(i, table.groups));
  return columns;
}

/** The squares that have rows, as JSON texts: along x, then along y. */
async function squaresOf(
  { store, xy, budget, usage }: Reader,
  predicate: Predicate,
  steps: { readonly x: readonly number[]; readonly y: readonly number[] },
): Promise<string[]> {
  const { x, y } = xy;
  const dimensions = [stepDimension(x, steps.x), stepDimension(y, steps.y)];
  const grouping: Grouping = { dimensions, measures: [ROW_COUNT], option: XY };
  const names = squareColumns(xy).map(({ name }) => name);
  return store.group(predicate, [grouping], budget, usage, async ({ groups }) => {
    const [ofX = [], ofY = [], counts = []] = await columnsOf(groups[0] as GroupTable, 3);
    return counts.map((count, i) => {
      const [across, up] = [ofX[i] as number, ofY[i] as number];
      const ends = [steps.x[across], steps.x[across + 1], steps.y[up], steps.y[up + 1], count];
      return JSON.stringify(Object.fromEntries(names.map((name, k) => [name, ends[k]])));
    });
  });
}

/** The medians of y along x, if they are wanted, of the steps that have enough rows. */
async function mediansOf(
  { store, xy: { x, y, hasMedians }, budget, usage }: Reader,
  predicate: Predicate,
  steps: readonly number[],
): Promise<StepMedian[] | undefined> {
  if (!hasMedians) return undefined;
  const measures = [ROW_COUNT, measureOf('median', y)];
  const grouping: Grouping = { dimensions: [stepDimension(x, steps)], measures, option: XY };
  return store.group(predicate, [grouping], budget, usage, async ({ groups }) => {
    const [at = [], counts = [], medians = []] = await columnsOf(groups[0] as GroupTable, 3);
    return at.flatMap((step, i) => {
      const [count, median] = [counts[i] as number, medians[i] as number];
      const [from = 0, to = 0] = [steps[step as number], steps[(step as number) + 1]];
      return count < LEAST_OF_MEDIAN ? [] : [{ from, to, count, median }];
    });
  });
}
