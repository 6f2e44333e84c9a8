import type { DatasetBlock } from '../block/block.ts';
import { timePartsOf } from '../block/grouping.ts';
import { MOST_MARKS } from '../figure/mark.ts';
import { listInWords } from '../text/wording.ts';
import type { Field } from '../values/field-types.ts';
import { addsUp, boundsOf, type FirstNumber, firstNumber } from './first-number.ts';
import {
  areFewLines,
  areQuietLines,
  type FirstTime,
  type Periods,
  type RowsInTime,
} from './first-time.ts';
import {
  areThings,
  hasTime,
  isBesideThePoint,
  type KnownData,
  type Opening,
} from './known-data.ts';
import type { KnownField } from './known-fields.ts';

/** Rules for a first question of time: measurements, and events. */

/** A number over time, if rows are measurements. */
export function measurements(known: KnownData): Opening | undefined {
  const { time, number } = known;
  if (time === undefined || number === undefined || time.areMeasured === 'no') return undefined;
  // Days that all differ may be chance.
  if (time.areMeasured === 'perhaps' && areThings(known) && isBesideThePoint(known)) {
    return undefined;
  }
  const { field } = number.known;
  const [series, other] = time.keys;
  const isOfOne = series !== undefined && other === undefined;
  if (isOfOne && areFewLines(series, time)) return overTime(known, number, [series.field]);
  const { grain } = time;
  const areSeveral = time.known.distinct < 0.9 * number.known.filled;
  if (addsUp(number.known) && areSeveral && grain && grain.periods <= MOST_MARKS) {
    return {
      arguments: {
        _view: 'chart',
        _group: [grain.text],
        _measure: [`sum:${field.name}`, 'count'],
      },
      what: `the sum of ${field.title} by ${grain.part}`,
      why: `${hasTime(time)} and ${field.title} is ${number.why}`,
      isSum: true,
    };
  }
  // Rates of many series stay apart: as quiet lines, or as a heat table, which takes fewer.
  const isApart = isOfOne && areQuietLines(series, time) && !addsUp(number.known);
  return overTime(known, number, isApart ? [series.field] : []);
}

/** The average of a number over time, of some series or of all rows; of a pair of bounds, both. */
function overTime(
  { time: known, fields, block }: KnownData,
  { known: number, why }: FirstNumber,
  split: readonly Field[],
): Opening {
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
    what: `the average of ${titles} by ${time.part}${by}`,
    why: `${hasTime(time)} and ${number.field.title} is ${why}`,
  };
}

/** The number of events over time; where that is even, a number by the hour or the weekday. */
export function events(known: KnownData): Opening | undefined {
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
export function counts({ block, time }: KnownData): Opening | undefined {
  if (time?.counted === undefined) return undefined;
  const { crowded = 1 } = time.known;
  if (time.areMeasured !== 'no' && crowded < SOMEWHAT / STEPS_OF_TIME) return undefined;
  const are = time.areMeasured === 'no' ? 'its rows are events' : 'no number to average';
  return countsBy(time.counted, block, `${hasTime(time)} and ${are}`);
}

function countsBy({ text, part }: Periods, { noun }: DatasetBlock, why: string): Opening {
  return {
    arguments: { _view: 'chart', _group: [text], _measure: ['count'] },
    what: `the number of ${noun} by ${part}`,
    why: `${why}`,
  };
}

/** Dates of fewer days than this say little of weekdays. */
const LEAST_OF_WEEKDAYS = 28;

function byPartOfDayOrWeek({ time, fields, block }: KnownData): Opening | undefined {
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
      _view: 'chart',
      _group: [`${field.name}.${part}`],
      _measure: [`avg:${name}`, 'count'],
    },
    what: `the average of ${title} by ${part}`,
    why: `${hasTime(time)}, in which its rows are even, and ${title} is ${number.why}`,
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
