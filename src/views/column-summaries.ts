import { type Dimension, dimensionOfForm, groupingOf } from '../block/grouping.ts';
import { numberWords } from '../figure/numbers.ts';
import type { Language } from '../languages/language.ts';
import { dateInWords, dayOfWritten } from '../page/block-head.tsx';
import { cellWriter, contextOf } from '../page/cells.ts';
import { shareText } from '../page/key-text.ts';
import type { DatasetPage } from '../page/page.ts';
import { isTooMuch } from '../problem/errors.ts';
import { countColumns } from '../query/column-counts.ts';
import { binCountsOf, type CountedValue } from '../query/groups.ts';
import type { PlannedRun } from '../query/run.ts';
import { decimalsOf, setApart } from '../text/wording.ts';
import { ownMember, type Value } from '../values/field-type.ts';
import { type Field, isLabel, isNumeric, keysOfDay, typeOf } from '../values/field-types.ts';
import type { Budget } from '../work/budget.ts';

/** A column in a word and a small figure: parts of its rows, or a histogram. */
export type ColumnSummary = {
  readonly rows: number;
  readonly nulls: number;
  readonly text: string;
  /** The same with a shorter number, where there is little room. */
  readonly short?: string;
  readonly parts?: readonly number[];
  readonly bins?: readonly number[];
  readonly isLog?: true;
};

/**
 * Work for summing up the columns of a table where filters leave some of the rows, in steps. Then
 * the head has names alone: what the import told is of all rows.
 */
const STEPS_OF_SUMMARIES = 4_000_000;

export type ColumnSummaries = Readonly<Record<string, ColumnSummary>>;

/** What the head of a table says of its columns: of the rows that match, and of no others. */
export async function columnSummaries(
  page: DatasetPage,
  planned: PlannedRun,
  fields: readonly Field[],
  total: number,
  budget: Budget,
): Promise<ColumnSummaries> {
  const { block, manifest } = page;
  const found = new Map<string, ColumnSummary | undefined>();
  if (total === manifest.rows) {
    for (const field of fields) found.set(field.name, summaryOfAll(page, field));
    return told(found);
  }
  if (total === 0 || planned.asked === undefined) return {};
  const asked = fields.flatMap((field) => {
    const question = summaryQuestion(page, field);
    return question === undefined ? [] : [{ field, question }];
  });
  const dimensions = asked.flatMap(({ question }) => question.dimension ?? []);
  const measures = asked.flatMap(({ question }) => question.measures);
  try {
    const { counts, measured } = await countColumns(
      planned.asked,
      dimensions,
      measures.length === 0 ? [] : (groupingOf(block, { _measure: measures })?.measures ?? []),
      budget.part(STEPS_OF_SUMMARIES),
    );
    for (const { field, question } of asked) {
      const ofValues = question.dimension && counts[dimensions.indexOf(question.dimension)];
      const values = question.measures.map((one) => measured[measures.indexOf(one)] ?? null);
      found.set(field.name, summaryOfCounts(page, field, total, ofValues, values));
    }
  } catch (error) {
    if (!isTooMuch(error)) throw error;
    return {};
  }
  return told(found);
}

function told(found: ReadonlyMap<string, ColumnSummary | undefined>): ColumnSummaries {
  return Object.fromEntries(
    [...found].filter((one): one is [string, ColumnSummary] => one[1] !== undefined),
  );
}

/** What one field's values are summed up by. */
type OfColumn = Pick<DatasetPage, 'block' | 'manifest' | 'profile' | 'language'>;

/** Texts of a column that are counted one by one. */
const MOST_COUNTED = 500;

/**
 * Values that are parts of a bar. Where fewer than one row in so many has the commonest, or values
 * differ in most rows, a bar shows nothing.
 */
const MOST_PARTS = 8;
const LEAST_COMMON = 50;

/** How a column's values among some rows are asked for: by a dimension, and by measures. */
type SummaryQuestion = {
  readonly dimension?: Dimension;
  readonly measures: readonly string[];
};

/** What to ask of the rows that match, to sum up a column. Undefined if nothing is told of it. */
function summaryQuestion(of: OfColumn, field: Field): SummaryQuestion | undefined {
  const { name } = field;
  const { distinct = 0 } = of.manifest.fields[name] ?? {};
  if (distinct === 0) return undefined;
  if (typeOf(field).control !== 'range') {
    return distinct <= MOST_COUNTED
      ? { dimension: { text: name, field, column: field }, measures: [] }
      : { measures: [`count:${name}`, `distinct:${name}`] };
  }
  const ends = [`count:${name}`, `min:${name}`, `max:${name}`];
  if (isNumeric(field) && isNamed(of, field)) return { measures: ends };
  const edges = ownMember(of.profile?.bins, name)?.edges;
  return {
    dimension: edges && dimensionOfForm(field, edges),
    measures: isNumeric(field) ? [`count:${name}`, `median:${name}`] : ends,
  };
}

/** A column summed up by the answers to its question, of so many rows. */
function summaryOfCounts(
  of: OfColumn,
  field: Field,
  rows: number,
  counts: readonly CountedValue[] | undefined,
  measured: readonly Value[],
): ColumnSummary | undefined {
  if (typeOf(field).control !== 'range' && counts !== undefined) {
    const filled = counts.filter(({ value }) => value !== null);
    const present = filled.reduce((sum, { count }) => sum + count, 0);
    if (present === 0) return emptyOf(rows, of.language);
    const commonest = filled
      .toSorted((a, b) => b.count - a.count)
      .map(({ value, count }) => [String(value), count] as const);
    const nulls = rows - present;
    const counted = { rows, nulls, distinct: filled.length };
    return summaryOfTexts(field, commonest, counted, of.language);
  }
  const [present, first, second] = measured;
  const nulls = rows - Number(present);
  if (nulls === rows) return emptyOf(rows, of.language);
  const { counts: { length } = [], isLog } = ownMember(of.profile?.bins, field.name) ?? {};
  const bins = counts === undefined || !length ? undefined : binCountsOf(counts, length).counts;
  const text =
    second !== undefined
      ? endsOf(of, field, first, second)
      : isNumeric(field)
        ? medianText(of, field, Number(first))
        : valuesText(Number(first), of.language);
  const short =
    second === undefined && isNumeric(field) ? shortMedian(of, field, Number(first)) : undefined;
  return {
    ...{ rows, nulls, text, ...(short && { short }) },
    ...(bins && { bins, ...(isLog && { isLog }) }),
  };
}

function endsOf(of: OfColumn, field: Field, least: Value | undefined, greatest: Value): string {
  return typeof least === 'string'
    ? spanText(least, String(greatest), of.language)
    : endsText(of, field, Number(least), Number(greatest));
}

/** A column summed up as the import found it, of all rows. */
function summaryOfAll(of: OfColumn, field: Field): ColumnSummary | undefined {
  const { manifest, profile } = of;
  const { name } = field;
  const known = manifest.fields[name];
  if (known === undefined || known.distinct === 0) return undefined;
  const { rows } = manifest;
  const { nulls, distinct, min, max } = known;
  const { counts: bins, isLog } = ownMember(profile?.bins, name) ?? {};
  const drawn = bins === undefined ? {} : { bins, ...(isLog && { isLog }) };
  if (min !== undefined && max !== undefined && typeOf(field).control === 'range') {
    if (keysOfDay(field) !== undefined) {
      const [least, greatest] = [min, max].map((key) => String(valueAt(field, key)));
      return { rows, nulls, text: spanText(`${least}`, `${greatest}`, of.language), ...drawn };
    }
    if (isNamed(of, field)) {
      return { rows, nulls, text: endsText(of, field, min, max) };
    }
    const median = ownMember(profile?.medians, name);
    if (median === undefined) return undefined;
    const text = medianText(of, field, median);
    return { rows, nulls, text, short: shortMedian(of, field, median), ...drawn };
  }
  const commonest = ownMember(profile?.commonest, name);
  if (commonest === undefined || commonest.length === 0) {
    return { rows, nulls, text: valuesText(distinct, of.language) };
  }
  return summaryOfTexts(field, commonest, { rows, nulls, distinct }, of.language);
}

function emptyOf(rows: number, { say }: Language): ColumnSummary {
  return { rows, nulls: rows, text: say('all blank') };
}

/** Texts by their commonest, and yes or no by the part that is yes: parts of all rows. */
function summaryOfTexts(
  { type }: Field,
  commonest: readonly (readonly [value: string, count: number])[],
  of: { readonly rows: number; readonly nulls: number; readonly distinct: number },
  language: Language,
): ColumnSummary {
  const { rows, nulls, distinct } = of;
  const [[value = '', most = 0] = []] = commonest;
  if (type === 'boolean') {
    const yes = commonest.find(([one]) => one === 'true' || one === 'yes')?.[1] ?? 0;
    return {
      rows,
      nulls,
      parts: [yes],
      text: language.say('{share} yes', { share: shareText(yes, rows) }),
    };
  }
  const isSpread = most * LEAST_COMMON < rows || 2 * distinct > rows - nulls;
  if (isSpread && distinct > 1) return { rows, nulls, text: valuesText(distinct, language) };
  const parts = commonest.slice(0, MOST_PARTS).map(([, count]) => count);
  return { rows, nulls, parts, text: `${setApart(value)} ${shareText(most, rows)}` };
}

/** Whether the middle of numbers says nothing: they name things, such as years, or are two alone. */
function isNamed({ block, manifest }: OfColumn, field: Field): boolean {
  const { name } = field;
  const { primaryKey = [], geometry } = block;
  const isPlace = name === geometry?.latitude || name === geometry?.longitude;
  const { min, max, distinct } = ownMember(manifest.fields, name) ?? {};
  const isChoice = distinct !== undefined && distinct <= 2;
  return isPlace || primaryKey.includes(name) || isLabel(field, { min, max }) || isChoice;
}

function valueAt(field: Field, key: number): Value {
  const type = typeOf(field);
  return type.comparedBy === 'number' ? type.valueOf(key, field) : null;
}

function valuesText(distinct: number, { say }: Language): string {
  return distinct === 1 ? say('1 value') : say('{count} values', { count: distinct });
}

/** Halfway between two values, a median has a decimal more than they have. */
function medianText(of: OfColumn, field: Field, median: number): string {
  const value = writtenNumber(of, field, median, decimalsOf(median));
  return of.language.say('median {value}', { value });
}

/** With three digits, as figures have it: `median 14.7k`. */
function shortMedian(of: OfColumn, field: Field, median: number): string {
  const { language } = of;
  const { min = median, max = median } = contextOf(field, of);
  const { short } = numberWords({ language, field, values: [min, median, max] });
  return language.say('median {value}', { value: short(median) });
}

function endsText(of: OfColumn, field: Field, least: number, greatest: number): string {
  const [from = '', to = ''] = [least, greatest].map((end) => writtenNumber(of, field, end));
  if (from === to) return from;
  return least < 0 ? of.language.say('{from} to {to}', { from, to }) : `${from}–${to}`;
}

function writtenNumber(of: OfColumn, field: Field, value: number, decimals = 0): string {
  const context = contextOf(field, of);
  const most = Math.max(context.decimals ?? 0, decimals);
  const write = cellWriter(field, [value], of.language, { ...context, decimals: most });
  return write(value).replace(/<[^>]+>/g, '');
}

/** From the first to the last: `6–20 Oct 2018`, `Mar–Oct 2020`, `2018–2024`. */
function spanText(first: string, last: string, language: Language): string {
  const [from, to] = [first, last].map((written) => dayOfWritten(written));
  if (from === undefined || to === undefined) return `${first}–${last}`;
  const [begins, ends] = [from, to].map((day) => dateInWords(day, language)) as [string, string];
  if (begins === ends) return begins;
  if (from.year !== to.year) return `${from.year}–${to.year}`;
  const { say } = language;
  const [month, lastMonth] = [from, to].map((one) => language.month(one.month, 'short'));
  return from.month === to.month
    ? say('{day}–{last}', { day: `${from.day}`, last: ends })
    : say('{month}–{lastMonth} {year}', {
        ...{ month: `${month}`, lastMonth: `${lastMonth}`, year: `${from.year}` },
      });
}
