import type { DatasetBlock } from '../block/block.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import { listInWords } from '../text/wording.ts';
import { ownMember } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import { firstCategory } from './first-category.ts';
import { type FirstNumber, firstNumber } from './first-number.ts';
import {
  type FirstTime,
  firstTime,
  isOfTheRecord,
  type RowsInTime,
  rowsInTime,
} from './first-time.ts';
import { isWords, type KnownField, knownFields } from './known-fields.ts';

/** What the rules of a first question know of a block, and what several of them say of it. */

/** What a block's page opens with, as arguments of the block, and why, in a sentence. */
export type FirstQuestion = {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly reason: string;
};

/** What a rule asks first: `It opens with` what, `because` why. */
export type Opening = {
  readonly arguments: FirstQuestion['arguments'];
  readonly what: string;
  readonly why: string;
  /** Whether it adds up a number of all rows, so that none may count what others count. */
  readonly isSum?: boolean;
};

/** What is known of a block, with what its figures may be of. */
export type KnownData = {
  readonly block: DatasetBlock;
  readonly rows: number;
  /** Set if somebody asks for a chart: a plain one is better than none. */
  readonly isAsked: boolean;
  readonly fields: readonly KnownField[];
  /** A value of a field that is the total of the others. */
  readonly totals: Totals;
  /** The frequency of most rows, if they have several. */
  readonly frequency?: { readonly field: Field; readonly value: string };
  readonly together?: DatasetProfile['together'];
  readonly time?: FirstTime & RowsInTime;
  readonly number?: FirstNumber;
  readonly category?: KnownField;
};

type Totals = NonNullable<DatasetProfile['totals']>;

export function knownOf(
  block: DatasetBlock,
  manifest: Manifest,
  profile: DatasetProfile | undefined,
  isAsked: boolean,
): KnownData {
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
    block,
    rows: manifest.rows,
    isAsked,
    fields,
    totals: profile?.totals ?? {},
    frequency: frequencyOf(fields, profile),
    together: profile?.together,
    time,
    number,
    category,
  };
}

/** Whether rows are things: their main field differs in most, and stands before the date. */
export function areThings({ block: { fields }, fields: all, time }: KnownData): boolean {
  const main = all.find(({ field }) => field.main);
  if (main === undefined || time === undefined || main.field.type !== 'text') return false;
  const isName = main.distinct >= 0.8 * main.filled && main.share >= 0.8;
  return isName && fields.indexOf(main.field) < fields.indexOf(time.known.field);
}

/** Whether the dates tell less than places or categories do: of the record, or of things with names. */
export function isBesideThePoint(known: KnownData): boolean {
  const { time, category } = known;
  if (time === undefined || (pointsOf(known) === undefined && category === undefined)) return false;
  return isOfTheRecord(time.known) || areThings(known);
}

/** How a reason begins: `it has dates (Opened)`. */
export function hasTime({ known: { field } }: FirstTime): string {
  return `it has ${field.type === 'integer' ? 'years' : 'dates'} (${field.title})`;
}

export const NOTHING_LEFT_OUT = { filters: {}, without: '' } as const;

/**
 * Filters that leave out what is the total of the others in its field, or what is of another
 * frequency, and how a reason says it. A value that counts others which overlap is taken
 * alone in a sum.
 */
export function leavingOut(
  { totals, fields, frequency }: Pick<KnownData, 'totals' | 'fields' | 'frequency'>,
  isSum: boolean,
) {
  const found = fields.flatMap(({ field }) => {
    const total = ownMember(totals, field.name);
    return total === undefined || !(total.isSum || isSum) ? [] : [{ field, ...total }];
  });
  const [left, alone] = [found.filter((one) => one.isSum), found.filter((one) => !one.isSum)];
  const names = left.map(({ field, value }) =>
    left.length === 1 ? value : `${value} in ${field.title}`,
  );
  const are = names.length === 1 ? 'the total' : 'the totals';
  const texts = [
    ...(names.length === 0 ? [] : [` without ${listInWords(names, 'and')}, ${are} of the others`]),
    ...alone.map(({ value }) => ` for ${value}, which counts the others`),
    ...(frequency ? [` for ${frequency.value} alone in ${frequency.field.title}`] : []),
  ];
  return {
    filters: Object.fromEntries([
      ...left.map(({ field, value }) => [`_not.${field.name}`, [value]] as const),
      ...alone.map(({ field, value }) => [field.name, [value]] as const),
      ...(frequency ? [[frequency.field.name, [frequency.value]] as const] : []),
    ]),
    without: texts.join(' and'),
  };
}

/** Names of columns that say how often rows are measured, as in SDMX: by the month, by the year. */
const FREQUENCY_WORD = /^(?:freq|frequency|periodicity|frequenz|frequence|frecuencia|frequenza)$/;
const FREQUENCY =
  /^(?:[ASQMWDHB]|annual(?:ly)?|yearly|half-?yearly|semi-?annual|quarterly|monthly|weekly|daily|hourly)\b/i;

/** The commonest of several frequencies: what is told by the month is told by the year again. */
function frequencyOf(
  fields: readonly KnownField[],
  profile: DatasetProfile | undefined,
): KnownData['frequency'] {
  const known = fields.find(
    (one) =>
      isWords(one) &&
      one.words.some(([word = '', more]) => more === undefined && FREQUENCY_WORD.test(word)),
  );
  if (known === undefined || known.distinct < 2) return undefined;
  const [most] = ownMember(profile?.commonest, known.field.name) ?? [];
  const areFrequencies = known.values.every((value) => FREQUENCY.test(value));
  return most === undefined || !areFrequencies ? undefined : { field: known.field, value: most[0] };
}

/** The two fields of the places, if most rows have one and they differ. */
export function pointsOf({ block: { geometry }, fields }: KnownData) {
  if (geometry?.kind !== 'points') return undefined;
  const [x, y] = [geometry.longitude, geometry.latitude].map((name) =>
    fields.find(({ field }) => field.name === name),
  );
  if (x === undefined || y === undefined || x.share < 0.5) return undefined;
  return x.distinct > 1 || y.distinct > 1 ? { x, y } : undefined;
}

/** Why dates that could make a line do not. */
export function whyNoLine(known: KnownData, they = 'they'): string {
  const { time } = known;
  if (time === undefined) return '';
  const { title } = time.known.field;
  if (isOfTheRecord(time.known)) return ` and its dates (${title}) are of the record`;
  if (!areThings(known)) return '';
  const main = known.fields.find(({ field }) => field.main);
  return ` and ${they} are known by a name (${main?.field.title}), to which a date (${title}) only adds`;
}

export function numberOfThings({ block, fields, time }: KnownData): FirstNumber | undefined {
  const others = fields.filter((one) => one !== time?.known);
  return firstNumber(others, block, 'things');
}

/** Things with names: with more rows, a list of the longest bars tells little of them. */
export const MOST_THINGS = 1000;

/** With fewer different numbers, bars of names are nearly all alike, and a number has no spread. */
export const LEAST_DISTINCT = 3;

/** Bars of a number by a category, the longest first. */
export function barsOf(
  category: KnownField,
  { known: { field } }: FirstNumber,
  what: string,
  why: string,
  measure: 'avg' | 'sum' = 'avg',
): Opening {
  return {
    arguments: {
      _view: 'chart',
      _group: [category.field.name],
      _measure: [`${measure}:${field.name}`],
      _sort: [`-${measure}_${field.name}`],
    },
    what: `${what} by ${category.field.title}`,
    why,
  };
}
