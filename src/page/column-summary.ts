import type { DatasetBlock } from '../block/block.ts';
import type { FieldStatistics } from '../block/manifest.ts';
import type { ColumnCounts } from '../query/column-counts.ts';
import { decimalsOf, numberText } from '../text/wording.ts';
import { DAY_MS } from '../values/calendar.ts';
import { ownMember, type Value } from '../values/field-type.ts';
import { type Field, isLabel, isNumeric, keysOfDay, typeOf } from '../values/field-types.ts';
import { dayInWords } from './block-head.tsx';
import type { BlockView, ColumnSummary } from './block-view.ts';
import { stepOf } from './question-strip.tsx';
import { cellWriter } from './table-body.ts';

/** What one field's values are summed up by. */
type OfColumn = Pick<BlockView, 'block' | 'manifest' | 'profile'>;

/** Values of a column that are counted one by one. */
const MOST_COUNTED = 500;

/** Columns of a small histogram, at most. */
const MOST_BINS = 24;

/**
 * Values that are parts of a bar. Where fewer than one row in so many has the commonest, or values
 * differ in most rows, a bar shows nothing.
 */
const MOST_PARTS = 8;
const LEAST_COMMON = 50;

/** How a column's values among some rows are asked for: by a dimension, and by measures. */
export type SummaryQuestion = { readonly dimension?: string; readonly measures: readonly string[] };

/** What to ask of the rows that match, to sum up a column. Undefined if nothing is told of it. */
export function summaryQuestion(
  { block, manifest }: OfColumn,
  field: Field,
): SummaryQuestion | undefined {
  const { name } = field;
  const { distinct = 0, min = 0, max = 0 } = manifest?.fields[name] ?? {};
  if (distinct === 0) return undefined;
  const days = keysOfDay(field);
  if (days !== undefined) {
    return {
      dimension: `${name}.${partFor((max - min) / days)}`,
      measures: [`min:${name}`, `max:${name}`],
    };
  }
  const hasEnds = isNumeric(field) && isNamed(block as DatasetBlock, field, { min, max });
  if (hasEnds) return { measures: [`count:${name}`, `min:${name}`, `max:${name}`] };
  if (distinct <= MOST_COUNTED) return { dimension: name, measures: [] };
  if (!isNumeric(field)) return { measures: [`count:${name}`, `distinct:${name}`] };
  const step = stepOf(max - min, MOST_BINS - 1);
  return step === undefined
    ? undefined
    : { dimension: `${name}.${step}`, measures: [`median:${name}`] };
}

/** A column summed up by the answers to its question. */
export function summaryOfCounts(
  of: OfColumn,
  field: Field,
  rows: number,
  counts: ColumnCounts | undefined,
  measured: readonly Value[],
): ColumnSummary | undefined {
  const { distinct = 0 } = of.manifest?.fields[field.name] ?? {};
  const nulls = counts?.find(({ value }) => value === null)?.count ?? 0;
  const filled = (counts ?? []).filter(({ value }) => value !== null);
  if (keysOfDay(field) !== undefined) {
    const [least, greatest] = measured;
    if (typeof least !== 'string' || typeof greatest !== 'string') return emptyOf(rows);
    const bins = binsOfPeriods(filled);
    return { rows, nulls, text: spanText(least, greatest), ...(bins && { bins }) };
  }
  if (counts === undefined) {
    const [present, ...others] = measured;
    const without = rows - Number(present);
    if (without === rows) return emptyOf(rows);
    const [least, greatest] = others;
    const text =
      others.length === 1
        ? valuesText(Number(least))
        : endsText(of, field, Number(least), Number(greatest));
    return { rows, nulls: without, text };
  }
  if (filled.length === 0) return emptyOf(rows);
  if (!isNumeric(field)) {
    const commonest = filled
      .toSorted((a, b) => b.count - a.count)
      .map(({ value, count }) => [String(value), count] as const);
    return summaryOfTexts(field, commonest, { rows, nulls, distinct: filled.length });
  }
  const numbers = filled.map(({ value, count }) => ({ value: Number(value), count }));
  numbers.sort((a, b) => a.value - b.value);
  const isEach = distinct <= MOST_COUNTED;
  const median = isEach ? medianOf(numbers) : measured[0];
  if (typeof median !== 'number') return undefined;
  const { min = 0, max = 0 } = of.manifest?.fields[field.name] ?? {};
  const step = isEach ? (max - min) / MOST_BINS : Number(stepOf(max - min, MOST_BINS - 1));
  const first = isEach ? min : Math.floor(min / step) * step;
  const bins = new Array<number>(MOST_BINS).fill(0);
  for (const { value, count } of numbers) {
    // A start of a range is a multiple of its width; half of one is more than what rounding loses.
    const at = step === 0 ? 0 : Math.floor((value - first) / step + (isEach ? 0 : 0.5));
    const bin = Math.max(0, Math.min(MOST_BINS - 1, at));
    bins[bin] = (bins[bin] as number) + count;
  }
  return { rows, nulls, bins, text: medianText(of, field, median) };
}

/** A column summed up as the import found it, of all rows. */
export function summaryOfAll(of: OfColumn, field: Field): ColumnSummary | undefined {
  const { manifest, profile, block } = of;
  const { name } = field;
  const known = manifest?.fields[name];
  if (manifest === undefined || known === undefined || known.distinct === 0) return undefined;
  const { rows } = manifest;
  const { nulls, distinct, min, max } = known;
  const bins = ownMember(profile?.histograms, name);
  const drawn = bins === undefined ? {} : { bins };
  if (min !== undefined && max !== undefined && typeOf(field).control === 'range') {
    if (keysOfDay(field) !== undefined) {
      const [least, greatest] = [min, max].map((key) => String(valueAt(field, key)));
      return { rows, nulls, text: spanText(least as string, greatest as string), ...drawn };
    }
    if (isNamed(block as DatasetBlock, field, known)) {
      return { rows, nulls, text: endsText(of, field, min, max) };
    }
    const median = ownMember(profile?.medians, name);
    if (median === undefined) return undefined;
    return { rows, nulls, text: medianText(of, field, median), ...drawn };
  }
  const commonest = ownMember(profile?.commonest, name);
  if (commonest === undefined || commonest.length === 0) {
    return { rows, nulls, text: valuesText(distinct) };
  }
  return summaryOfTexts(field, commonest, { rows, nulls, distinct });
}

function emptyOf(rows: number): ColumnSummary {
  return { rows, nulls: rows, text: 'all blank' };
}

/** Texts by their commonest, and yes or no by the part that is yes: parts of all rows. */
function summaryOfTexts(
  { type }: Field,
  commonest: readonly (readonly [value: string, count: number])[],
  of: { readonly rows: number; readonly nulls: number; readonly distinct: number },
): ColumnSummary {
  const { rows, nulls, distinct } = of;
  const [[value = '', most = 0] = []] = commonest;
  if (type === 'boolean') {
    const yes = commonest.find(([one]) => one === 'true' || one === 'yes')?.[1] ?? 0;
    return { rows, nulls, parts: [yes], text: `${shareText(yes, rows)} yes` };
  }
  const isSpread = most * LEAST_COMMON < rows || 2 * distinct > rows - nulls;
  if (isSpread && distinct > 1) return { rows, nulls, text: valuesText(distinct) };
  const parts = commonest.slice(0, MOST_PARTS).map(([, count]) => count);
  return { rows, nulls, parts, text: `${value} ${shareText(most, rows)}` };
}

/** Whether whole numbers name things, such as years and house numbers: their middle says nothing. */
function isNamed(
  { primaryKey = [], geometry }: DatasetBlock,
  field: Field,
  ends: Pick<FieldStatistics, 'min' | 'max'>,
): boolean {
  const { name } = field;
  const isPlace = name === geometry?.latitude || name === geometry?.longitude;
  const { min, max } = ends;
  const known = min === undefined || max === undefined ? {} : { min, max };
  return isPlace || primaryKey.includes(name) || isLabel(field, known);
}

function valueAt(field: Field, key: number): Value {
  const type = typeOf(field);
  return type.comparedBy === 'number' ? type.valueOf(key, field) : null;
}

/** `100 %` is of all rows alone, and `0 %` of none. */
export function shareText(part: number, all: number): string {
  if (all === 0) return '–';
  const share = Math.round((100 * part) / all);
  if (share === 0 && part > 0) return '<1 %';
  return share === 100 && part < all ? '>99 %' : `${share} %`;
}

function valuesText(distinct: number): string {
  return distinct === 1 ? '1 value' : `${numberText(distinct)} values`;
}

/** Halfway between two values, a median has a decimal more than they have. */
function medianText(of: OfColumn, field: Field, median: number): string {
  return `median ${writtenNumber(of, field, median, decimalsOf(median))}`;
}

function endsText(of: OfColumn, field: Field, least: number, greatest: number): string {
  const [from, to] = [least, greatest].map((end) => writtenNumber(of, field, end));
  if (from === to) return `${from}`;
  return least < 0 ? `${from} to ${to}` : `${from}–${to}`;
}

function writtenNumber(
  { block, manifest, profile }: OfColumn,
  field: Field,
  value: number,
  decimals = 0,
): string {
  const { name } = field;
  const { primaryKey = [], geometry } = block as DatasetBlock;
  const { min, max } = manifest?.fields[name] ?? {};
  const known = ownMember(profile?.decimals, name) ?? 0;
  const context = {
    ...(min === undefined || max === undefined ? {} : { min, max }),
    decimals: Math.max(known, decimals),
    isKey: primaryKey.includes(name),
    isPlace: name === geometry?.latitude || name === geometry?.longitude,
  };
  return cellWriter(field, [value], context)(value).replace(/<[^>]+>/g, '');
}

/** From the first to the last: `6–20 Oct 2018`, `Mar–Oct 2020`, `2018–2024`. */
function spanText(first: string, last: string): string {
  const [from = '', to = ''] = [first, last].map(dayInWords);
  if (from === to) return from;
  const [[day, month, year], [, lastMonth, lastYear]] = [from.split(' '), to.split(' ')] as [
    string[],
    string[],
  ];
  if (year === undefined || year !== lastYear) return `${year ?? from}–${lastYear ?? to}`;
  return month === lastMonth ? `${day}–${to}` : `${month}–${lastMonth} ${year}`;
}

/** Days of a small histogram, and months. */
const MOST_DAYS = 31;
const MOST_MONTHS_AS_DAYS = 1000;

function partFor(days: number): 'day' | 'month' | 'year' {
  if (days < MOST_DAYS) return 'day';
  return days < MOST_MONTHS_AS_DAYS ? 'month' : 'year';
}

/** Periods that a small histogram has at most; of more years it is not drawn. */
const MOST_PERIODS = 60;

/** Rows of periods that follow each other, from the first that has any to the last. */
function binsOfPeriods(counts: ColumnCounts): number[] | undefined {
  const numbered = counts.map(({ value, count }) => ({ at: numberOfPeriod(String(value)), count }));
  const [least, greatest] = [Math.min, Math.max].map((end) => end(...numbered.map(({ at }) => at)));
  if (least === undefined || greatest === undefined) return undefined;
  const { length } = { length: greatest - least + 1 };
  if (!(length <= MOST_PERIODS)) return undefined;
  const bins = new Array<number>(length).fill(0);
  for (const { at, count } of numbered) bins[at - least] = count;
  return bins;
}

/** `2020-05-17`, `2020-05` and `2020`, each counted from any beginning. */
function numberOfPeriod(text: string): number {
  const [year = 0, month, day] = text.split('-').map(Number);
  if (day !== undefined) return Math.round(Date.parse(text) / DAY_MS);
  return month === undefined ? year : 12 * year + month;
}

/** The middle of numbers in order, each as often as it counts; halfway between two. */
function medianOf(numbers: readonly { readonly value: number; readonly count: number }[]) {
  const total = numbers.reduce((sum, { count }) => sum + count, 0);
  const at = (index: number) => {
    let seen = 0;
    return numbers.find(({ count }) => {
      seen += count;
      return seen > index;
    })?.value;
  };
  const [low, high] = [at(Math.floor((total - 1) / 2)), at(Math.floor(total / 2))];
  if (low === undefined || high === undefined) return undefined;
  return low === high ? low : Number(((low + high) / 2).toPrecision(15));
}
