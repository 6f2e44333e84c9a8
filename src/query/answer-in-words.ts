import { hasOwnColumns, isBlank, isGrouped, type Members } from '../arguments/given.ts';
import { NEAR, operatorName } from '../block/parameter.ts';
import type { TwoNumbersFound } from '../block/two-numbers.ts';
import { ENGLISH } from '../languages/english.ts';
import type { Language } from '../languages/language.ts';
import { numberText, shorten } from '../text/wording.ts';
import { splitAtCommas } from '../values/choice.ts';
import { ownMember } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { DISTANCE } from '../values/places.ts';
import { TIME_PARTS, type TimePart } from '../values/time-part.ts';
import { type FilterText, inCurlyQuotes } from './filters-in-words.ts';
import type { Facet } from './groups.ts';
import type { FilterHelp } from './why-empty.ts';

/** The `params` in the answer of a block with rows. */
export type RowsParams = {
  readonly results: readonly AnsweredRow[];
  readonly count: number;
  readonly total: number;
  readonly next: string | null;
  /** The rows' addresses, relative to the block's. */
  readonly addresses?: readonly string[];
  readonly help?: readonly FilterHelp[] | undefined;
  readonly facets?: Readonly<Record<string, Facet>>;
  /** What an answer about two numbers is of. */
  readonly xy?: TwoNumbersFound;
};

export type AnsweredRow = Readonly<Record<string, unknown>>;

/** What a caller asked of a block with rows, and how the channel that answers writes things. */
export type RowsQuestion = {
  /** The plural noun for rows. */
  readonly noun: string;
  /** How many rows the dataset has. Older services do not send it. */
  readonly rows: number | undefined;
  readonly keyFields: readonly string[] | undefined;
  readonly parameters: readonly { readonly name: string; readonly field?: string }[];
  /** The arguments, as sent or as read. */
  readonly given: Members;
  /** Each filter in words; absent if the channel repeats the line that was typed. */
  readonly filters?: readonly FilterText[];
  /**
   * Writes the filter that these parameters make. With `instead`, writes the same values for that
   * parameter.
   */
  readonly writeFilter: (parameters: readonly string[], instead?: string) => string;
  /** English if absent. */
  readonly language?: Language;
  /** The most fields that the channel shows of a row. */
  readonly mostFields?: number;
  /** How to cite the answer. Absent if the channel shows no addresses. */
  readonly citing?:
    | {
        readonly block: string;
        readonly version?: string | undefined;
        /** Turns an address that is relative to the list of blocks into a whole one. */
        readonly addressOf: (reference: string) => string;
      }
    | undefined;
};

/** An answer with rows in words. Each channel prints it in its own form. */
export type AnswerInWords = {
  /** How many rows match: `4 of 120 businesses`. */
  readonly headline: string;
  /** Each filter in words. */
  readonly filters: readonly FilterText[];
  /** How many rows that match have no place in an answer about two numbers. */
  readonly without: readonly string[];
  /** The rows of this page, and the names of the fields to show of them. */
  readonly table: { readonly columns: readonly string[]; readonly rows: readonly AnsweredRow[] };
  /** If no row matches, what each filter contributes to that. */
  readonly reasons: readonly Reason[];
  /** A line for each field whose values are counted. */
  readonly facets: readonly string[];
  /** The cursor of the next page. */
  readonly next: string | null;
  readonly citation?: Citation | undefined;
};

/** What one filter contributes to an empty answer. */
export type Reason = {
  readonly help: FilterHelp;
  /** The filter as the channel writes it. */
  readonly filter: string;
  readonly sentence: string;
};

/**
 * What to cite. Rows have addresses of their own; groups have none, so their dataset and its
 * version are cited.
 */
export type Citation = {
  readonly dataset: string;
  readonly version?: string | undefined;
  readonly addresses?: readonly string[] | undefined;
};

/** Puts an answer into words. */
export function answerInWords(
  question: RowsQuestion,
  params: Omit<RowsParams, 'count'>,
): AnswerInWords {
  const { noun, given, filters = [], writeFilter, citing, language = ENGLISH } = question;
  const { next, help, facets, addresses } = params;
  const results = withNamesOfParts(given, params.results);
  return {
    headline: foundInWords(given, params, noun, question.rows, language),
    filters,
    without: params.xy === undefined ? [] : withoutInWords(params.xy),
    table: { columns: fieldsToShow(question, Object.keys(results[0] ?? {})), rows: results },
    reasons: (help ?? []).map((one) => {
      const filter = writeFilter(one.parameters);
      const instead = (parameter: string) => writeFilter(one.parameters, parameter);
      return { help: one, filter, sentence: helpSentence(one, filter, noun, instead) };
    }),
    facets: Object.entries(facets ?? {}).map(([name, facet]) => facetInWords(name, facet)),
    next,
    citation: citing && {
      dataset: citing.addressOf(citing.block),
      version: citing.version,
      addresses: addresses?.map(citing.addressOf),
    },
  };
}

/** Groups by parts of dates have the names of the parts instead of their numbers: `Monday`. */
function withNamesOfParts(given: Members, rows: readonly AnsweredRow[]): readonly AnsweredRow[] {
  const texts = [ownMember(given, '_group') ?? []].flat().flatMap(splitAtCommas);
  const names = texts.flatMap((text) => {
    const nameOf = nameOfPart(String(text));
    return nameOf === undefined ? [] : [[String(text).replace('.', '_'), nameOf] as const];
  });
  if (names.length === 0) return rows;
  return rows.map((row) => {
    const named: Record<string, unknown> = { ...row };
    for (const [column, nameOf] of names) {
      const value = named[column];
      if (typeof value === 'number') named[column] = nameOf(value, ENGLISH) ?? value;
    }
    return named;
  });
}

/** How the values of a dimension are named, by its text: `opened.weekday`. */
function nameOfPart(text: string): TimePart['nameOf'] {
  return ownMember<TimePart>(TIME_PARTS, text.slice(text.indexOf('.') + 1))?.nameOf;
}

/**
 * The fields to show, of those that the rows have: all if the caller chose them, otherwise those
 * that the question is about. A channel with room for `mostFields` also shows the other fields if
 * all of them fit.
 */
export function fieldsToShow(
  question: Pick<RowsQuestion, 'keyFields' | 'parameters' | 'given' | 'mostFields'>,
  fields: readonly string[],
): string[] {
  const { keyFields, given, mostFields } = question;
  if (Object.hasOwn(given, '_fields') || keyFields === undefined) return [...fields];
  const about = fieldsAskedAbout({ ...question, keyFields }, fields);
  if (mostFields === undefined) return about;
  const others = fields.filter((name) => !about.includes(name));
  const shown = fields.length <= mostFields ? [...about, ...others] : about;
  return (shown.length === 0 ? others : shown).slice(0, mostFields);
}

/** The key fields, and the fields that the arguments filter or sort by. For groups, all columns. */
function fieldsAskedAbout(
  {
    keyFields,
    parameters,
    given,
  }: Pick<RowsQuestion, 'parameters' | 'given'> & {
    readonly keyFields: readonly string[];
  },
  fields: readonly string[],
): string[] {
  if (hasOwnColumns(given)) return [...fields];
  const filtered = parameters.flatMap(({ name, field = [] }) => {
    const names = [name, operatorName(name, 'not')];
    return names.every((one) => isBlank(ownMember(given, one))) ? [] : field;
  });
  const sort = ownMember(given, '_sort');
  const sorted = [sort]
    .flat()
    .flatMap((text) => (typeof text === 'string' ? text.split(',') : []))
    .map((text) => text.trim().replace(/^-/, ''));
  const far = isBlank(ownMember(given, NEAR)) ? [] : [DISTANCE.name];
  const wanted = new Set([...keyFields, ...filtered, ...sorted, ...far]);
  return [...wanted].filter((name) => fields.includes(name));
}

/** A number of rows out of all: `All 56 neighborhoods`, `4 of 120 businesses`, of none `No rows`. */
export function outOfAll(
  total: number,
  noun: string,
  all: number | undefined,
  { say }: Language = ENGLISH,
): string {
  if (all === undefined) return say('{count} {noun}', { count: total, noun });
  if (all === 0) return say('No {noun}', { noun });
  return total === all
    ? say('All {count} {noun}', { count: total, noun })
    : say('{count} of {all} {noun}', { count: total, all, noun });
}

/** Says how much was found: rows out of all, or `3 groups of businesses`. */
function foundInWords(
  given: Members,
  { total, xy }: Pick<RowsParams, 'total' | 'xy'>,
  noun: string,
  all: number | undefined,
  language: Language,
): string {
  if (xy?.of === 'squares') {
    const squares = language.say('in {count} squares', { count: total });
    return `${outOfAll(xy.rows, noun, all, language)} ${squares}`;
  }
  if (!isGrouped(given)) return outOfAll(total, noun, all, language);
  return language.say('{groups} of {noun}', { groups: groupsInWords(total, language), noun });
}

function withoutInWords({ without, zeros = 0 }: TwoNumbersFound): string[] {
  const rows = (count: number) => (count === 1 ? '1 row' : `${numberText(count)} rows`);
  return [
    ...(without === 0 ? [] : [`Left out: ${rows(without)} without one of the two numbers.`]),
    ...(zeros === 0 ? [] : [`Left out: ${rows(zeros)} with a 0, which has no logarithm.`]),
  ];
}

export function groupsInWords(total: number, { say }: Language = ENGLISH): string {
  return total === 1 ? say('1 group') : say('{count} groups', { count: total });
}

/**
 * Writes a facet in one line: its commonest values with their counts, then how many rows have other
 * values or none.
 */
export function facetInWords(name: string, { values, others, empty }: Facet): string {
  const nameOf = nameOfPart(name);
  const listed = values
    .slice(0, MOST_IN_WORDS)
    .map(({ value, count }) => [
      shorten(nameOf?.(value, ENGLISH) ?? String(value)),
      numberText(count),
    ])
    .map(([value, count]) => `${value} ${count}`);
  const rest = values.slice(MOST_IN_WORDS).reduce((sum, { count }) => sum + count, others);
  return [
    `${name}: ${listed.join(', ')}`,
    ...(rest === 0 ? [] : [`${numberText(rest)} have other values`]),
    ...(empty === 0 ? [] : [`${numberText(empty)} have none`]),
  ].join('; ');
}

/** Values of a facet that are listed in words. */
const MOST_IN_WORDS = 10;

/**
 * Explains in plain sentences how a filter contributes to an empty answer: what it matches by
 * itself, what it may have meant, and how many rows match without it. `filter` is the filter as the
 * channel writes it, and `noun` is the plural noun for rows. `instead` writes the filter's value
 * for another parameter.
 */
export function helpSentence(
  help: FilterHelp,
  filter: string,
  noun: string,
  instead = (parameter: string) => parameter,
): string {
  const { alone, without, empties, containing, nearest, elsewhere = [] } = help;
  const sentences = [
    ...(alone === null ? [] : [`${filter} by itself: ${countInWords(alone, noun)}.`]),
    ...(alone !== 0 && empties === true ? [`No row matches ${filter} and the others too.`] : []),
    ...elsewhere.map(
      ({ parameter, rows }) =>
        `It is a value of ${parameter}: ${instead(parameter)} finds ${countInWords(rows, noun)}.`,
    ),
    ...(nearest.length === 0 ? [] : [`Did you mean ${nearest.map(inCurlyQuotes).join(' or ')}?`]),
    // Older services do not send `containing`.
    ...(!containing ? [] : [`With * on both sides of it: ${countInWords(containing, noun)}.`]),
    ...(without === null || without === 0 ? [] : [`Without it: ${countInWords(without, noun)}.`]),
  ];
  return sentences.length === 0 ? `${filter}: not counted.` : sentences.join(' ');
}

/** `no businesses`, `one`, `12 businesses`: only the noun's plural is known. */
export function countInWords(count: number, noun: string, { say }: Language = ENGLISH): string {
  if (count === 1) return say('one');
  return count === 0 ? say('no {noun}', { noun }) : say('{count} {noun}', { count, noun });
}

/**
 * Describes the order that `_sort` asks for: `Vacant units, highest first`, with a second field
 * `Category, A to Z, then Vacant units, highest first`.
 */
export function orderInWords(
  fields: readonly Field[],
  sort: readonly string[] = [],
  { say }: Language = ENGLISH,
): string | undefined {
  const texts = sort.flatMap((one) => {
    const isDown = one.startsWith('-');
    const field = fields.find(({ name }) => name === one.slice(isDown ? 1 : 0));
    return field === undefined
      ? []
      : `${field.title}, ${say(typeOf(field).orders[isDown ? 1 : 0])}`;
  });
  if (texts.length === 0) return undefined;
  return texts.reduce((first, second) => say('{first}, then {second}', { first, second }));
}
