import type { DatasetBlock } from '../block/block.ts';
import { timePartsOf } from '../block/grouping.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import type { ViewName } from '../block/views.ts';
import { MOST_BARS, MOST_MARKS } from '../figure/mark.ts';
import { decimalText } from '../text/decimal.ts';
import { listInWords, numberText } from '../text/wording.ts';
import { ownMember } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import { firstCategory, isFlat, nameOfRows } from './first-category.ts';
import { addsUp, boundsOf, type FirstNumber, firstNumber, isMeasurable } from './first-number.ts';
import {
  areFewLines,
  areQuietLines,
  type FirstTime,
  firstTime,
  isOfTheRecord,
  type Periods,
  type RowsInTime,
  rowsInTime,
} from './first-time.ts';
import { isWords, type KnownField, knownFields } from './known-fields.ts';

/** What a block's page opens with, as arguments of the block, and why, in a sentence. */
export type FirstQuestion = {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly reason: string;
};

/** What a block's page opens with, in one view or any: what its publisher chose, or its best question. */
export function firstOf(
  block: DatasetBlock,
  manifest: Manifest,
  profile?: DatasetProfile,
  view?: ViewName,
): FirstQuestion {
  const { first } = block;
  if (first === undefined || (view !== undefined && view !== first._view)) {
    return firstQuestionOf(block, manifest, profile, view);
  }
  return { arguments: first, reason: 'It opens as "first" in its block.json says.' };
}

/** What is known of a block, with what its figures may be of. */
type Known = {
  readonly block: DatasetBlock;
  readonly rows: number;
  /** Set if somebody asks for a chart: a plain one is better than none. */
  readonly isAsked: boolean;
  readonly fields: readonly KnownField[];
  /** A value of a field that is the total of the others. */
  readonly totals: Totals;
  readonly together?: DatasetProfile['together'];
  readonly time?: FirstTime & RowsInTime;
  readonly number?: FirstNumber;
  readonly category?: KnownField;
};

type Totals = NonNullable<DatasetProfile['totals']>;

/**
 * The question that shows most of a block, of the import's statistics alone. The first rule that fits
 * decides: areas, measurements over time, places, events over time, things with names, a category,
 * the spread of a number. With `view`, it is the first that is shown in that view.
 */
export function firstQuestionOf(
  block: DatasetBlock,
  manifest: Manifest,
  profile?: DatasetProfile,
  view?: ViewName,
): FirstQuestion {
  const { rows } = manifest;
  if (rows < 2) {
    const has = rows === 0 ? 'has no rows' : 'has one row';
    return { arguments: { _view: 'table' }, reason: `It opens with its table, because it ${has}.` };
  }
  const known = knownOf(block, manifest, profile, view !== undefined);
  for (const rule of RULES) {
    const asked = rule(known);
    if (asked !== undefined && (view ?? asked.arguments._view) === asked.arguments._view)
      return asked;
  }
  return {
    arguments: { _view: 'table' },
    reason: 'It opens with its table, because it has no column whose figure would show more.',
  };
}

function knownOf(
  block: DatasetBlock,
  manifest: Manifest,
  profile: DatasetProfile | undefined,
  isAsked: boolean,
): Known {
  const fields = knownFields(block, manifest, profile);
  const found = firstTime(fields);
  const time = found && { ...found, ...rowsInTime(found, fields, block) };
  const besideTime = fields.filter((one) => one !== time?.known);
  const number = firstNumber(
    besideTime.filter((one) => !time?.keys.includes(one)),
    block,
  );
  const category = firstCategory(besideTime, isAsked);
  return {
    ...{ block, rows: manifest.rows, isAsked, fields, totals: profile?.totals ?? {} },
    together: profile?.together,
    ...(time && { time }),
    ...(number && { number }),
    ...(category && { category }),
  };
}

const RULES: readonly ((known: Known) => FirstQuestion | undefined)[] = [
  areas,
  measurements,
  places,
  events,
  twoNumbers,
  namedNumbers,
  bars,
  histogram,
  counts,
];

/** Whether rows are things: their main field differs in most, and stands before the date. */
function areThings({ block: { fields }, fields: all, time }: Known): boolean {
  const main = all.find(({ field }) => field.main);
  if (main === undefined || time === undefined || main.field.type !== 'text') return false;
  const isName = main.distinct >= 0.8 * main.filled && main.share >= 0.8;
  return isName && fields.indexOf(main.field) < fields.indexOf(time.known.field);
}

/** Whether the dates tell less than places or categories do: of the record, or of things with names. */
function isBesideThePoint(known: Known): boolean {
  const { time, category } = known;
  if (time === undefined || (pointsOf(known) === undefined && category === undefined)) return false;
  return isOfTheRecord(time.known) || areThings(known);
}

/** How a reason begins: `it has dates (Opened)`. */
function hasTime({ known: { field } }: FirstTime): string {
  return `it has ${field.type === 'integer' ? 'years' : 'dates'} (${field.title})`;
}

/** With more sums than this, no total is looked for among the values of a field. */
const MOST_SUMS = 10_000;

/** What may have a total among its values: texts, by a number that adds up, in each period. */
export function summedBy(
  block: DatasetBlock,
  manifest: Manifest,
  profile: DatasetProfile,
): { readonly number: Field; readonly time?: Field; readonly by: readonly Field[] } | undefined {
  const known = knownOf(block, manifest, profile, false);
  const { time, fields, rows } = known;
  const { grain } = time ?? {};
  if (time !== undefined && (grain === undefined || time.areMeasured === 'no')) return undefined;
  const number = time === undefined ? numberOfThings(known) : known.number;
  if (number === undefined || !addsUp(number.known) || rows < 2) return undefined;
  const names = time === undefined ? [nameOfRows(fields) ?? []].flat() : fields.filter(isWords);
  const periods = time?.known.distinct ?? 1;
  const by = names.filter(({ distinct }) => distinct > 2 && distinct * periods <= MOST_SUMS);
  if (by.length === 0) return undefined;
  return {
    number: number.known.field,
    ...(time && { time: time.known.field }),
    by: by.slice(0, MOST_SUMMED).map(({ field }) => field),
  };
}

/** Fields among whose values a total is looked for. */
const MOST_SUMMED = 12;

/** A number over time, if rows are measurements. */
function measurements(known: Known): FirstQuestion | undefined {
  const { time, number } = known;
  if (time === undefined || number === undefined || time.areMeasured === 'no') return undefined;
  // Days that all differ may be chance.
  if (time.areMeasured === 'perhaps' && areThings(known) && isBesideThePoint(known)) {
    return undefined;
  }
  const { field } = number.known;
  const [series, other] = time.keys;
  const isOfOne = series !== undefined && other === undefined;
  const because = `because ${hasTime(time)} and ${field.title} is ${number.why}`;
  if (isOfOne && areFewLines(series, time)) return overTime(known, number, [series.field]);
  const { grain } = time;
  const areSeveral = time.known.distinct < 0.9 * number.known.filled;
  if (addsUp(number.known) && areSeveral && grain && grain.periods <= MOST_MARKS) {
    const { filters, without } = leavingOut(known);
    return {
      arguments: {
        ...{ _view: 'chart', _group: [grain.text] },
        ...{ _measure: [`sum:${field.name}`, 'count'], ...filters },
      },
      reason: `It opens with the sum of ${field.title} by ${grain.part}${without}, ${because}.`,
    };
  }
  // Rates of many series stay apart: as quiet lines, or as a heat table, which takes fewer.
  const isApart = isOfOne && areQuietLines(series, time) && !addsUp(number.known);
  return overTime(known, number, isApart ? [series.field] : []);
}

/** The average of a number over time, of some series or of all rows; of a pair of bounds, both. */
function overTime(
  { time: known, fields, block }: Known,
  { known: number, why }: FirstNumber,
  split: readonly Field[],
): FirstQuestion {
  const time = known as FirstTime;
  const by = split.map(({ title }) => ` and ${title}`).join('');
  const isAlone = split.length === 0 && (known as RowsInTime).keys.length === 0;
  const shown = (isAlone && boundsOf(number, fields, block)) || [number];
  const titles = listInWords(
    shown.map(({ field }) => field.title),
    'and',
  );
  return {
    arguments: {
      _view: 'chart',
      _group: [time.text, ...split.map(({ name }) => name)],
      _measure: [...shown.map(({ field }) => `avg:${field.name}`), 'count'],
    },
    reason: `It opens with the average of ${titles} by ${time.part}${by}, because ${hasTime(time)} and ${number.field.title} is ${why}.`,
  };
}

const NOTHING_LEFT_OUT = { filters: {}, without: '' } as const;

/** Filters that leave out what is the total of the others in its field, and how a reason says it. */
function leavingOut({ totals, fields }: Known) {
  const found = fields.flatMap(({ field }) => {
    const total = ownMember(totals, field.name);
    return total === undefined ? [] : [{ field, ...total }];
  });
  const filters = found.map(({ field, value, isSum }) => {
    return [isSum ? `_not.${field.name}` : field.name, [value]] as const;
  });
  const texts = found.map(({ value, isSum }) =>
    isSum ? ` without ${value}, the total of the others` : ` for ${value}, which counts the others`,
  );
  return { filters: Object.fromEntries(filters), without: texts.join(' and') };
}

/** The number of events over time; where that is even, a number by the hour or the weekday. */
function events(known: Known): FirstQuestion | undefined {
  const { block, time } = known;
  if (time === undefined || isBesideThePoint(known)) return undefined;
  const { counted } = time;
  if (isUneven(time.known)) {
    if (counted === undefined) return undefined;
    const are = time.areMeasured === 'no' ? 'its rows are events' : 'no number to average';
    return countsBy(counted, block, `${hasTime(time)} and ${are}`);
  }
  return time.areMeasured === 'no' ? byPartOfDayOrWeek(known) : undefined;
}

/** The number of rows over time, if nothing else shows more. */
function counts({ block, time }: Known): FirstQuestion | undefined {
  if (time?.counted === undefined) return undefined;
  const { crowded = 1 } = time.known;
  if (time.areMeasured !== 'no' && crowded < SOMEWHAT / STEPS_OF_TIME) return undefined;
  const are = time.areMeasured === 'no' ? 'its rows are events' : 'no number to average';
  return countsBy(time.counted, block, `${hasTime(time)} and ${are}`);
}

function countsBy({ text, part }: Periods, { noun }: DatasetBlock, why: string): FirstQuestion {
  return {
    arguments: { _view: 'chart', _group: [text], _measure: ['count'] },
    reason: `It opens with the number of ${noun} by ${part}, because ${why}.`,
  };
}

/** Dates of fewer days than this say little of weekdays. */
const LEAST_OF_WEEKDAYS = 28;

function byPartOfDayOrWeek({ time, fields, block }: Known): FirstQuestion | undefined {
  const number = firstNumber(fields, block, 'parts');
  if (time === undefined || number === undefined) return undefined;
  const { field, distinct } = time.known;
  const parts = timePartsOf(field);
  const isOfDays = time.grain === undefined || time.grain.part === 'day';
  if (!isOfDays || distinct < LEAST_OF_WEEKDAYS || !parts.includes('weekday')) return undefined;
  // Times without a grain of days are of hours and minutes.
  const part = time.grain === undefined && parts.includes('hour') ? 'hour' : 'weekday';
  const { name, title } = number.known.field;
  return {
    arguments: {
      ...{ _view: 'chart', _group: [`${field.name}.${part}`] },
      _measure: [`avg:${name}`, 'count'],
    },
    reason: `It opens with the average of ${title} by ${part}, because ${hasTime(time)}, in which its rows are even, and ${title} is ${number.why}.`,
  };
}

/**
 * Rows are uneven if the fullest of these steps has this many times its part, and more than by
 * chance. Fewer dates are kinds, as the years of models are, unless one has far more.
 */
const STEPS_OF_TIME = 24;
const UNEVEN = { ofMany: 1.2, ofFew: 2 } as const;

/** Of steps with as many rows on average, the fullest has rarely this many standard deviations more. */
const BY_CHANCE = 3;

/** With a step that has this many times its part, a line of counts shows something, if nothing else does. */
const SOMEWHAT = 1.5;

/** Whether one step of time has more rows than others: else a line of their count is flat. */
function isUneven({ crowded = 1, distinct, filled }: KnownField): boolean {
  const steps = Math.min(STEPS_OF_TIME, distinct);
  const least = distinct < STEPS_OF_TIME ? UNEVEN.ofFew : UNEVEN.ofMany;
  return crowded * steps >= least + BY_CHANCE * Math.sqrt(steps / filled);
}

/** A map of areas, if each row is one, or lies in one and has no time. */
function areas({ block, rows, fields, time, isAsked }: Known): FirstQuestion | undefined {
  const { geometry, areaField } = block;
  // Where names are of known areas, a map is one view of them: a page opens with it if asked.
  const named = isAsked && geometry === undefined ? areaField : undefined;
  const name = geometry?.kind === 'regions' ? geometry.region : named;
  const region = fields.find(({ field }) => field.name === name);
  const number = firstNumber(fields, block, 'areas');
  if (region === undefined || region.distinct < 2) return undefined;
  const isOneEach = region.distinct >= 0.9 * rows;
  if (isOneEach && number === undefined) return undefined;
  if (!isOneEach && time !== undefined && named === undefined) return undefined;
  const _group = [region.field.name];
  const are = `its rows ${isOneEach ? 'are' : 'lie in'} areas (${region.field.title})`;
  if (number === undefined || !(isOneEach || isFlat(region))) {
    return {
      arguments: { _view: 'map', _group, _measure: ['count'] },
      reason: `It opens with a map of the number of ${block.noun}, because ${are}, some in more rows than others.`,
    };
  }
  const { field } = number.known;
  return {
    arguments: { _view: 'map', _group, _measure: [`avg:${field.name}`] },
    reason: `It opens with a map of ${field.title}, because ${are} and ${field.title} is ${number.why}.`,
  };
}

/** The two fields of the places, if most rows have one and they differ. */
function pointsOf({ block: { geometry }, fields }: Known) {
  if (geometry?.kind !== 'points') return undefined;
  const [x, y] = [geometry.longitude, geometry.latitude].map((name) =>
    fields.find(({ field }) => field.name === name),
  );
  if (x === undefined || y === undefined || x.share < 0.5) return undefined;
  return x.distinct > 1 || y.distinct > 1 ? { x, y } : undefined;
}

function places(known: Known): FirstQuestion | undefined {
  const points = pointsOf(known);
  if (points === undefined) return undefined;
  const { x, y } = points;
  const has = `its rows have places (${y.field.title} and ${x.field.title})`;
  return {
    arguments: { _view: 'map' },
    reason: `It opens with a map, because ${has}${whyNoLine(known)}.`,
  };
}

/** Why dates that could make a line do not. */
function whyNoLine(known: Known, they = 'they'): string {
  const { time } = known;
  if (time === undefined) return '';
  const { title } = time.known.field;
  if (isOfTheRecord(time.known)) return ` and its dates (${title}) are of the record`;
  if (!areThings(known)) return '';
  const main = known.fields.find(({ field }) => field.main);
  return ` and ${they} are known by a name (${main?.field.title}), to which a date (${title}) only adds`;
}

/** Things with names: with more rows, a list of the longest bars tells little of them. */
const MOST_THINGS = 1000;

/** A number of each row, if each has a name. */
function namedNumbers(known: Known): FirstQuestion | undefined {
  const { rows, fields } = known;
  const name = nameOfRows(fields);
  if (name === undefined || rows > MOST_THINGS) return undefined;
  const number = numberOfThings(known);
  if (number === undefined || number.known.distinct < LEAST_DISTINCT) return undefined;
  const { title } = number.known.field;
  const why = `each row has its own ${name.field.title} and ${title} is ${number.why}`;
  const { filters, without } = addsUp(number.known) ? leavingOut(known) : NOTHING_LEFT_OUT;
  const asked = barsOf(name, number, `${title}${without}`, why);
  return { ...asked, arguments: { ...asked.arguments, ...filters } };
}

/**
 * The number that a first question of things would show, and those that it may go together with.
 * None if the rows are too many, or have no names.
 */
export function comparedWith(
  block: DatasetBlock,
  manifest: Manifest,
  profile: DatasetProfile,
): readonly Field[] {
  const known = knownOf(block, manifest, profile, false);
  const number = numberOfThings(known);
  if (number === undefined || known.rows > MOST_THINGS) return [];
  if (nameOfRows(known.fields) === undefined) return [];
  const others = known.fields.filter(
    (one) =>
      one !== number.known &&
      one !== known.time?.known &&
      isMeasurable(one, block) &&
      one.distinct >= LEAST_COMPARED,
  );
  return [number.known, ...others].slice(0, MOST_COMPARED).map(({ field }) => field);
}

/** Numbers that are tried, and how many different values each must have. */
const MOST_COMPARED = 12;
const LEAST_COMPARED = 10;

/** A number whose greatest is this many times its least crowds at one end of an even axis. */
const WIDE = 100;

/** Two numbers of things that go together. */
function twoNumbers(known: Known): FirstQuestion | undefined {
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
      ...{ _view: 'chart', _xy: [x.field.name, y.field.name] },
      _scale: [scaleOf(x), scaleOf(y)],
    },
    reason: `It opens with ${y.field.title} against ${x.field.title}, because each row has its own ${name.field.title}, and ${titles} go together.`,
  };
}

function numberOfThings({ block, fields, time }: Known): FirstNumber | undefined {
  const others = fields.filter((one) => one !== time?.known);
  return firstNumber(others, block, 'things');
}

/** With fewer different numbers, bars of names are nearly all alike, and a number has no spread. */
const LEAST_DISTINCT = 3;

/** Bars of a number by a category, the longest first. */
function barsOf(
  category: KnownField,
  { known: { field } }: FirstNumber,
  what: string,
  why: string,
): FirstQuestion {
  return {
    arguments: {
      ...{ _view: 'chart', _group: [category.field.name], _measure: [`avg:${field.name}`] },
      _sort: [`-avg_${field.name}`],
    },
    reason: `It opens with ${what} by ${category.field.title}, because ${why}.`,
  };
}

/** Bars of a category: of its rows, or of a number if each value has as many rows. */
function bars(known: Known): FirstQuestion | undefined {
  const { block, category, number } = known;
  if (category === undefined) return undefined;
  const { title } = category.field;
  const has = `${title} has ${numberText(category.distinct)} values`;
  if (isFlat(category) && (number !== undefined || !known.isAsked)) {
    if (number === undefined) return undefined;
    const of = number.known.field.title;
    const why = `${has} with as many ${block.noun} each and ${of} is ${number.why}`;
    return barsOf(category, number, `the average of ${of}`, why);
  }
  return {
    arguments: { _view: 'chart', _group: [category.field.name], _measure: ['count'] },
    reason: `It opens with the number of ${block.noun} by ${title}, because ${has}${whyNoLine(known, `its ${block.noun}`)}.`,
  };
}

/** How a number is spread, in steps. */
function histogram({ number }: Known): FirstQuestion | undefined {
  if (number === undefined || number.known.distinct < LEAST_DISTINCT) return undefined;
  const { known, why } = number;
  const { field } = known;
  const width = widthOf(known);
  if (width === undefined) return undefined;
  return {
    arguments: { _view: 'chart', _group: [`${field.name}.${width}`], _measure: ['count'] },
    reason: `It opens with how ${field.title} is spread, because ${field.title} is ${why}, and it has no dates, places or categories that show more.`,
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
