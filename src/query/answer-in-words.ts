import { isBlank, type Members } from '../arguments/given.ts';
import type { DatasetBlock } from '../block/block.ts';
import { GROUP_NAMES } from '../block/grouping.ts';
import {
  alternativesIn,
  BBOX,
  EMPTY,
  FILLED,
  givenFilters,
  NEAR,
  type Operator,
  operatorName,
  Q,
  WITHIN,
} from '../block/parameter.ts';
import { inSentence, numberText, shorten } from '../text/wording.ts';
import { ownMember } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { DISTANCE } from '../values/places.ts';
import type { Facet } from './groups.ts';
import type { FilterHelp } from './zero-result-help.ts';

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

/** A filter in words, and the parameters that it comes from. */
export type FilterText = {
  readonly parameters: readonly string[];
  readonly text: string;
  /** If it consists of alternatives: each filter in them. */
  readonly within?: readonly FilterText[];
};

/** The filter of these parameters in words; their names if there is none. */
export function textOfFilter(
  filters: readonly FilterText[],
  parameters: readonly string[],
): string {
  const names = parameters.join(', ');
  const all = filters.flatMap((filter) => [filter, ...(filter.within ?? [])]);
  return all.find((filter) => filter.parameters.join(', ') === names)?.text ?? names;
}

/** Describes valid arguments in words: `street address contains “court st”`. */
export function describeFilters(
  block: Pick<DatasetBlock, 'fields' | 'filters'>,
  values: Readonly<Record<string, unknown>>,
): FilterText[] {
  const texts: FilterText[] = [];
  for (const { field, parameter } of givenFilters(block, values)) {
    const { name, op = 'is' } = parameter;
    const last = texts.at(-1);
    const said = saying(field, op, values[name]);
    const title = inSentence(field.title);
    if (op === 'max' && last?.parameters[0] === operatorName(field.name, 'min')) {
      const parameters = [...last.parameters, name];
      const [low, high] = parameters.map((one) => shown(field, values[one]));
      // The unit stands once, behind both.
      const { unit: _, ...bare } = field;
      const from = shown(bare, values[parameters[0] as string]);
      const text = low === high ? `is ${low}` : `is from ${from} to ${high}`;
      texts.splice(-1, 1, { parameters, text: `${title} ${text}` });
    } else texts.push({ parameters: [name], text: `${title} ${said}` });
  }
  const have = (option: string, what: string): FilterText[] => {
    const names = (values[option] ?? []) as readonly string[];
    const titles = [...new Set(names)].map((name) =>
      inSentence(block.fields.find((field) => field.name === name)?.title ?? name),
    );
    if (titles.length === 0) return [];
    const verb = titles.length === 1 ? 'has' : 'have';
    return [{ parameters: [option], text: `${titles.join(' and ')} ${verb} ${what}` }];
  };
  return [
    ...texts,
    ...anyOf(block, values),
    ...have(EMPTY, 'no value'),
    ...have(FILLED, 'a value'),
    ...sought(values[Q] as string | undefined),
    ...inBox(values[BBOX] as string | undefined),
    ...nearby(values),
  ];
}

function anyOf(
  block: Pick<DatasetBlock, 'fields' | 'filters'>,
  values: Readonly<Record<string, unknown>>,
): FilterText[] {
  const all = alternativesIn(values).map(({ prefix, values }) =>
    describeFilters(block, values).map(({ parameters, text }) => ({
      parameters: parameters.map((name) => prefix + name),
      text,
    })),
  );
  if (all.length === 0) return [];
  const text = all.map((texts) => texts.map((one) => one.text).join(' and ')).join(', or ');
  const within = all.flat();
  return [{ parameters: within.flatMap(({ parameters }) => parameters), text, within }];
}

function nearby({
  [NEAR]: place,
  [WITHIN]: within,
}: Readonly<Record<string, unknown>>): FilterText[] {
  if (place === undefined) return [];
  return within === undefined
    ? [{ parameters: [NEAR], text: `there is a place, nearest to ${place} first` }]
    : [{ parameters: [NEAR, WITHIN], text: `place is within ${within} of ${place}` }];
}

function sought(words: string | undefined): FilterText[] {
  return words === undefined ? [] : [{ parameters: [Q], text: `some text has “${words}”` }];
}

function inBox(box: string | undefined): FilterText[] {
  if (box === undefined) return [];
  const [west, south, east, north] = box.split(',');
  const text = `place is from ${west} to ${east} by longitude and from ${south} to ${north} by latitude`;
  return [{ parameters: [BBOX], text }];
}

function saying(field: Field, op: Operator, value: unknown): string {
  if (op === 'min') return `is at least ${shown(field, value)}`;
  if (op === 'max') return `is at most ${shown(field, value)}`;
  const members = [value].flat();
  const type = typeOf(field);
  if (type.saying !== undefined) return type.saying(members, op === 'not');
  const values = members.map((member) => shown(field, member)).join(' or ');
  return op === 'not' ? `is not ${values}` : `is ${values}`;
}

function shown(field: Field, value: unknown): string {
  return typeOf(field).shown(value, field);
}

/** An order as `_sort` asks for it: `vacant units, highest first`. */
export function orderInWords(
  fields: readonly Field[],
  sort: string | undefined,
): string | undefined {
  const isDown = sort?.startsWith('-') === true;
  const field = fields.find(({ name }) => name === (isDown ? sort?.slice(1) : sort));
  return field && `${inSentence(field.title)}, ${typeOf(field).orders[isDown ? 1 : 0]}`;
}
