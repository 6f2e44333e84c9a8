import type { Members } from '../arguments/given.ts';
import { isBlank } from '../arguments/normalise.ts';
import { ownMember } from '../arguments/own-member.ts';
import { operatorName } from '../block/parameter.ts';
import { NEAR } from '../block/search-parameters.ts';
import { DISTANCE } from '../query/distance.ts';
import type { Facet } from '../query/facets.ts';
import { GROUP_NAMES } from '../query/grouping.ts';
import type { FilterHelp } from '../query/zero-result-help.ts';
import { numberText } from './number-text.ts';
import { shorten } from './shorten.ts';

/** The `params` in the answer of a block with rows. */
export type FoundRows = {
  readonly results: readonly Readonly<Record<string, unknown>>[];
  readonly count: number;
  readonly total: number;
  readonly next: string | null;
  /** The rows' addresses, relative to the block's. */
  readonly addresses?: readonly string[];
  readonly help?: readonly FilterHelp[];
  readonly facets?: Readonly<Record<string, Facet>>;
};

/** A number of rows out of all: `All 56 neighborhoods`, `4 of 120 businesses`. */
export function ofAll(total: number, noun: string, all: number | undefined): string {
  const matching = numberText(total);
  if (all === undefined) return `${matching} ${noun}`;
  return total === all ? `All ${matching} ${noun}` : `${matching} of ${numberText(all)} ${noun}`;
}

/** Whether the rows of an answer are groups of the dataset's rows, by the arguments as sent or as read. */
export function isGrouped(given: Members): boolean {
  return GROUP_NAMES.some((name) => !isBlank(ownMember(given, name)));
}

/** What an answer has found, in words: rows out of all, or `3 groups of businesses`. */
export function foundInWords(
  given: Members,
  total: number,
  noun: string,
  all: number | undefined,
): string {
  if (!isGrouped(given)) return ofAll(total, noun, all);
  return `${groupsInWords(total)} of ${noun}`;
}

export function groupsInWords(total: number): string {
  return `${numberText(total)} ${total === 1 ? 'group' : 'groups'}`;
}

/** A facet in a line: its commonest values with their counts, then how many rows have others. */
export function facetInWords(name: string, { values, others, empty }: Facet): string {
  const listed = values
    .slice(0, MOST_IN_WORDS)
    .map(({ value, count }) => `${shorten(String(value))} ${numberText(count)}`);
  const rest = values.slice(MOST_IN_WORDS).reduce((sum, { count }) => sum + count, others);
  return [
    `${name}: ${listed.join(', ')}`,
    ...(rest === 0 ? [] : [`${numberText(rest)} have other values`]),
    ...(empty === 0 ? [] : [`${numberText(empty)} have none`]),
  ].join('; ');
}

const MOST_IN_WORDS = 10;

/** The key fields, and the fields that the arguments filter or sort by; all columns of groups. */
export function fieldsAskedAbout(
  keyFields: readonly string[],
  parameters: readonly { readonly name: string; readonly field?: string }[],
  given: Members,
  fields: readonly string[],
): string[] {
  if (isGrouped(given)) return [...fields];
  const filtered = parameters.flatMap(({ name, field = [] }) => {
    const names = [name, operatorName(name, 'not')];
    return names.every((one) => isBlank(ownMember(given, one))) ? [] : field;
  });
  const sort = ownMember(given, '_sort');
  const sorted = typeof sort === 'string' ? [sort.trim().replace(/^-/, '')] : [];
  const far = isBlank(ownMember(given, NEAR)) ? [] : [DISTANCE.name];
  const wanted = new Set([...keyFields, ...filtered, ...sorted, ...far]);
  return [...wanted].filter((name) => fields.includes(name));
}

/**
 * Explains in plain sentences how a filter contributes to an empty answer: what it matches by
 * itself, what it may have meant, what is left without it. `filter` is the channel's way to write
 * it, `noun` the plural noun for rows; `callOf` writes its text for another parameter.
 */
export function helpSentence(
  help: FilterHelp,
  filter: string,
  noun: string,
  callOf = (parameter: string) => parameter,
): string {
  const { alone, without, empties, containing, nearest, elsewhere = [] } = help;
  const sentences = [
    ...(alone === null ? [] : [`${filter} by itself: ${counted(alone, noun)}.`]),
    ...(alone !== 0 && empties === true ? [`No row matches ${filter} and the others too.`] : []),
    ...elsewhere.map(
      ({ parameter, rows }) =>
        `It is a value of ${parameter}: ${callOf(parameter)} finds ${counted(rows, noun)}.`,
    ),
    ...(nearest.length === 0 ? [] : [`Did you mean ${nearest.map(quoted).join(' or ')}?`]),
    // Older services do not send `containing`.
    ...(!containing ? [] : [`With * on both sides of it: ${counted(containing, noun)}.`]),
    ...(without === null || without === 0 ? [] : [`Without it: ${counted(without, noun)}.`]),
  ];
  return sentences.length === 0 ? `${filter}: not counted.` : sentences.join(' ');
}

/** `no businesses`, `one`, `12 businesses`: only the noun's plural is known. */
export function counted(count: number, noun: string): string {
  return count === 1 ? 'one' : `${count === 0 ? 'no' : numberText(count)} ${noun}`;
}

function quoted(value: string): string {
  return `“${value}”`;
}
