import type { DatasetBlock } from '../block/block.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import type { ViewName } from '../block/views.ts';
import { decimalText } from '../text/decimal.ts';
import { numberText } from '../text/wording.ts';
import { firstCategory, isFlat, nameOfRows } from './first-category.ts';
import { type FirstNumber, firstNumber } from './first-number.ts';
import {
  areFewLines,
  type FirstTime,
  firstTime,
  isOfTheRecord,
  type RowsInTime,
  rowsInTime,
} from './first-time.ts';
import { type KnownField, knownFields } from './known-fields.ts';
import { MOST_BARS } from './mark.ts';

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
  readonly fields: readonly KnownField[];
  readonly time?: FirstTime & RowsInTime;
  readonly number?: FirstNumber;
  readonly category?: KnownField;
};

/**
 * The question that shows most of a block: a map if each row is an area, else a line if it has time,
 * else a map if it has places, else bars of a category, else how a number is spread, else the table.
 * It is made of the import's statistics alone. With `view`, it is the first of those that are shown in it.
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
  const fields = knownFields(block, manifest, profile);
  const found = firstTime(fields);
  const time = found && { ...found, ...rowsInTime(found, fields, block) };
  const keys = time?.keys ?? [];
  const number = firstNumber(
    fields.filter((known) => !keys.includes(known)),
    block,
  );
  const category = firstCategory(fields);
  const known: Known = {
    ...{ block, rows, fields },
    ...(time && { time }),
    ...(number && { number }),
    ...(category && { category }),
  };
  const questions = [
    areas,
    ...(isBesideThePoint(known) ? [] : [line]),
    ...[places, namedNumbers, bars, histogram, line],
    // Who asks for a chart gets one of a flag too.
    ...(view === undefined ? [] : [spread]),
  ];
  for (const question of questions) {
    const asked = question(known);
    if (asked !== undefined && (view ?? asked.arguments._view) === asked.arguments._view)
      return asked;
  }
  return {
    arguments: { _view: 'table' },
    reason: 'It opens with its table, because it has no column whose figure would show more.',
  };
}

/** Places of fewer days than this, about a quarter, are a snapshot. */
const SNAPSHOT_DAYS = 92;

/**
 * Whether the dates tell less than the places or categories do: dates of the record; rows that are
 * events of a few weeks with places; or rows that are things known by a name, such as businesses with
 * the date of their licence.
 */
function isBesideThePoint(known: Known): boolean {
  const { time, number, category } = known;
  if (time === undefined || (pointsOf(known) === undefined && category === undefined)) return false;
  const areMeasured = number !== undefined && time.areMeasured !== 'no';
  if (areMeasured) return time.areMeasured === 'perhaps' && areThings(known);
  return isOfTheRecord(time.known) || isSnapshot(known) || areThings(known);
}

function isSnapshot(known: Known): boolean {
  const { time } = known;
  return time !== undefined && time.days < SNAPSHOT_DAYS && pointsOf(known) !== undefined;
}

/** Whether rows are things: their main field differs in most, and stands before the date. */
function areThings({ block: { fields }, fields: all, time }: Known): boolean {
  const main = all.find(({ field }) => field.main);
  if (main === undefined || time === undefined || main.field.type !== 'text') return false;
  const isName = main.distinct >= 0.8 * main.filled && main.share >= 0.8;
  return isName && fields.indexOf(main.field) < fields.indexOf(time.known.field);
}

/** A line over time: of an average if rows are measurements, else of their count. */
function line(known: Known): FirstQuestion | undefined {
  const { block, time, number } = known;
  if (time === undefined) return undefined;
  const { title } = time.known.field;
  const has = `it has ${time.known.field.type === 'integer' ? 'years' : 'dates'} (${title})`;
  if (number === undefined || time.areMeasured === 'no') {
    const { counted } = time;
    const areEvents = time.areMeasured === 'no';
    if (counted === undefined || !(areEvents || isUneven(time.known))) return undefined;
    const are = areEvents ? 'its rows are events' : 'no number to average';
    return {
      arguments: { _view: 'chart', _group: [counted.text], _measure: ['count'] },
      reason: `It opens with the number of ${block.noun} by ${counted.part}, because ${has} and ${are}.`,
    };
  }
  const { field } = number.known;
  const [series, other] = time.keys;
  const isSplit = series !== undefined && other === undefined && areFewLines(series, time);
  const split = isSplit ? series : undefined;
  const by = split === undefined ? '' : ` and ${split.field.title}`;
  return {
    arguments: {
      _view: 'chart',
      _group: [time.text, ...(split === undefined ? [] : [split.field.name])],
      _measure: [`avg:${field.name}`, 'count'],
    },
    reason: `It opens with the average of ${field.title} by ${time.part}${by}, because ${has} and ${field.title} is ${number.why}.`,
  };
}

/** Whether one of 24 steps of time has more rows than others: else a line of their count is flat. */
function isUneven({ crowded = 1 }: KnownField): boolean {
  return crowded >= 1.5 / 24;
}

/** A map of areas, if each row is one, or lies in one and has no time. */
function areas({ block, rows, fields, time }: Known): FirstQuestion | undefined {
  const { geometry } = block;
  if (geometry?.kind !== 'regions') return undefined;
  const region = fields.find(({ field }) => field.name === geometry.region);
  const number = firstNumber(fields, block, 'areas');
  if (region === undefined || region.distinct < 2) return undefined;
  const isOneEach = region.distinct >= 0.9 * rows;
  if (isOneEach && number === undefined) return undefined;
  if (!isOneEach && time !== undefined) return undefined;
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
  if (areThings(known)) {
    const main = known.fields.find(({ field }) => field.main);
    return ` and ${they} are known by a name (${main?.field.title}), to which a date (${title}) only adds`;
  }
  const their = `its dates (${title})`;
  if (isSnapshot(known)) return ` and ${their} are of ${numberText(time.days)} days only`;
  return ` and ${their} make no line that shows more`;
}

/** A number of each row, if these are few and have names. */
function namedNumbers({ rows, fields, number }: Known): FirstQuestion | undefined {
  const name = nameOfRows(fields);
  if (name === undefined || number === undefined || rows > MOST_BARS) return undefined;
  const { field, distinct } = number.known;
  if (distinct < LEAST_DISTINCT) return undefined;
  const why = `each row has its own ${name.field.title} and ${field.title} is ${number.why}`;
  return barsOf(name, number, field.title, why);
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
  if (isFlat(category)) {
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

/** How a number is spread, in steps, if it has more values than a flag. */
function histogram(known: Known): FirstQuestion | undefined {
  const { distinct = 0 } = known.number?.known ?? {};
  return distinct < LEAST_DISTINCT ? undefined : spread(known);
}

function spread({ number }: Known): FirstQuestion | undefined {
  if (number === undefined) return undefined;
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
