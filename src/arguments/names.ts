import { type Block, type DatasetBlock, datasetOf } from '../block/block.ts';
import { HAVING, isHaving } from '../block/grouping.ts';
import {
  alternativeName,
  BBOX,
  isFilterable,
  MOST_ALTERNATIVES,
  NEAR,
  NOT,
  OR,
  operatorName,
  prefixOf,
  Q,
  WITHIN,
} from '../block/parameter.ts';
import { isAppended, isPerhapsAppended, isReservedInQuery } from '../block/wire-names.ts';
import { MEASURE_NAMES, PERCENTILE } from '../measures/measures.ts';
import { type Fault, type FaultCode, MOST_FAULTS, type Warning } from '../problem/errors.ts';
import { type Named, nearest, nearestOne, nearName } from '../text/near-name.ts';
import { escapeObeyed, numberText, shorten } from '../text/wording.ts';
import { isBlank, type Members, type QueryNames } from './given.ts';

/** The names that a block knows, and the words that misspelt names are compared with. */
export type KnownNames = {
  readonly names: ReadonlySet<string>;
  /** Current names by former names. */
  readonly formerly: ReadonlyMap<string, string>;
  readonly isParameter: (name: string) => boolean;
  /** The names to list for callers. `_not` represents every name that begins with it. */
  readonly inOrder: readonly string[];
  /** The words to compare with: each field with the names of its parameters, and the options. */
  readonly named: readonly (Named & { readonly isCarried?: true })[];
  /** The fields whose filters can be negated. */
  readonly negatable: KnownNames['named'];
  /** The names that an alternative may have. Absent if the block has no filters. */
  readonly inAlternative?: KnownNames;
  /** At the address of one row: the names that the block's own address takes. */
  readonly atBlock?: KnownNames;
};

export function namesInQuery(query: Members, known: KnownNames, isPost: boolean): QueryNames {
  const sent = Object.keys(query);
  if (sent.length === 0) return { of: query, ...NO_NAMES };
  const names = {
    of: query,
    known: [] as string[],
    notForOneRow: [] as string[],
    near: [] as string[],
    strangers: [] as string[],
  };
  for (const name of sent) {
    if (isKnown(name, known)) names.known.push(name);
    else if (known.atBlock !== undefined && isKnown(name, known.atBlock)) {
      names.notForOneRow.push(name);
    } else if (isAppended(name)) continue;
    // Old clients send their own names in the query of a POST, whatever the block's fields are
    // called.
    else if (isPost && isReservedInQuery(name)) continue;
    else if (isNear(name, known)) names.near.push(name);
    else if (!isReservedInQuery(name) && !isPerhapsAppended(name)) names.strangers.push(name);
  }
  return names;
}

const NO_NAMES = { known: [], notForOneRow: [], near: [], strangers: [] };

/**
 * The names that a block knows. For the address of one row, `block` has only what one row takes, and
 * `atBlock` are the names that the block's own address takes.
 */
export function knownNamesOf(block: Block, atBlock?: KnownNames): KnownNames {
  const known = { ...withHaving(namesOf(block), block), atBlock };
  if (known.negatable.length === 0) return known;
  const parameters = block.parameters.filter(({ field }) => field !== undefined);
  const inAlternative = namesOf({
    parameters,
    options: [],
    unusedOptions: [],
    fields: datasetOf(block)?.fields,
  });
  const isFilter = new Set(parameters.map(({ name }) => name));
  return {
    ...known,
    inAlternative: { ...inAlternative, names: isFilter },
    names: new Set([...known.names, OR]),
    isParameter: (name) =>
      name === OR || known.isParameter(name) || isFilter.has(alternativeName(name)?.name ?? ''),
    inOrder: known.inOrder.flatMap((name) => (name === NOT ? [NOT, OR] : [name])),
    named: [...known.named, { words: [OR] }],
  };
}

/** A block with groups also knows the filters on them, whose names follow from the groups. */
function withHaving(known: KnownNames, { options }: Block): KnownNames {
  if (options.every(({ name }) => name !== '_group')) return known;
  return {
    ...known,
    names: new Set([...known.names, HAVING]),
    inOrder: known.inOrder.flatMap((name) => (name === '_measure' ? [name, HAVING] : [name])),
    named: [...known.named, { words: [HAVING] }],
  };
}

function namesOf(
  block: Pick<Block, 'parameters' | 'options' | 'unusedOptions'> &
    Partial<Pick<DatasetBlock, 'fields'>>,
): KnownNames {
  const { parameters, options, unusedOptions } = block;
  const byField = new Map<string, { words: Set<string>; isMain: boolean }>();
  for (const { name, field = name, main = false } of parameters) {
    const own = byField.get(field) ?? { words: new Set([field]), isMain: false };
    own.words.add(name);
    byField.set(field, { ...own, isMain: own.isMain || main });
  }
  const filtered = [...byField.values()].map(({ words, isMain }) => ({
    words: [...words],
    isMain,
  }));
  const negatable = parameters.flatMap(({ op, field = '' }) => (op === 'not' ? [field] : []));
  const hasNot = negatable.length > 0;
  const optionNames = [...options.map(({ name }) => name), ...unusedOptions];
  const { fields: all = [] } = block;
  const carried = all.filter((field) => !isFilterable(field)).map(({ name }) => name);
  const rowsCarry = carried.map((name) => ({ words: [name], isCarried: true as const }));
  const shown = parameters.filter(({ op }) => op !== 'not').map(({ name }) => name);
  const names = parameters.map(({ name }) => name);
  const isParameter = new Set(hasNot ? [...names, NOT] : names);
  const formerly = new Map(
    options.flatMap(({ formerly, name }) => (formerly === undefined ? [] : [[formerly, name]])),
  );
  return {
    names: new Set([...names, ...optionNames, ...formerly.keys(), ...(hasNot ? [NOT] : [])]),
    formerly,
    isParameter: (name) => isParameter.has(name),
    inOrder: [
      ...shown,
      ...(hasNot ? [NOT] : []),
      ...options.map(({ name }) => name),
      ...unusedOptions,
    ],
    named: [...filtered, ...rowsCarry, ...optionNames.map((name) => ({ words: [name] }))],
    negatable: [...negatable.map((field) => ({ words: [field] })), ...(hasNot ? rowsCarry : [])],
  };
}

export function isKnown(name: string, { names, inAlternative }: KnownNames): boolean {
  if (isHaving(name) && names.has(HAVING)) return true;
  return names.has(name) || inAlternative?.names.has(alternativeName(name)?.name ?? '') === true;
}

/**
 * Every unknown name that begins with `_not.` or `_or.` counts as near, because it is never safe to
 * ignore a filter.
 */
function isNear(name: string, known: KnownNames): boolean {
  return (
    havingMeant(name, known) !== undefined ||
    (known.negatable.length > 0 && (name.startsWith(NOT_PREFIX) || name.startsWith(`${OR}.`))) ||
    (known.inAlternative !== undefined &&
      (SEARCHES.includes(name) || meantAlternative(name, known) !== undefined)) ||
    nearest(name, known.named).length > 0
  );
}

/**
 * These look into several fields. They are never ignored: on a block without such fields, leaving
 * them out would find all rows.
 */
const SEARCHES: readonly string[] = [Q, NEAR, WITHIN, BBOX];

/** Recognises other spellings of a filter in an alternative: `_or1.f`, `or.1.f`. */
function meantAlternative(name: string, { inAlternative }: KnownNames): string | undefined {
  const [, number, own = ''] = /^_*or[._[]?([1-4])(?:[\].]{1,2}|_)(.+)$/is.exec(name) ?? [];
  return inAlternative?.names.has(own) ? prefixOf(Number(number)) + own : undefined;
}

/** Recognises a filter on groups without its `_having.`: `count_min`, `avg_price_max`. */
function havingMeant(name: string, { names }: KnownNames): string | undefined {
  return names.has(HAVING) && FILTER_OF_GROUPS.test(name) ? `${HAVING}.${name}` : undefined;
}

const FILTER_OF_GROUPS = new RegExp(
  `^(?:count|(?:${MEASURE_NAMES.join('|')}|share|${PERCENTILE})_\\w{1,200})_(?:min|max)$`,
);

const NOT_PREFIX = `${NOT}.`;

/** How other services write a negated filter: `-f`, `!f`, `f!`, `not_f`, `f__ne`. */
const NEGATED =
  /^(?:[-!]|_?not(?:[._]+|(?=[a-z])))(?<behind>.+)$|^(?<before>.+?)(?:!|_+(?:not|neq?))$/i;

/** A longer name is near to none, and `NEGATED` takes time by the square of the length. */
const LONGEST_NAME = 256;

/** Finds the known name that is nearest. For a negated filter it never suggests a plain one. */
function nearestKnown(name: string, { named, negatable }: KnownNames) {
  if (name.length > LONGEST_NAME) return undefined;
  const { behind, before } = NEGATED.exec(name)?.groups ?? {};
  const field = behind ?? before;
  if (field === undefined || negatable.length === 0) {
    return fieldBefore(name, named) ?? nearestOne(name, named);
  }
  const near = fieldBefore(field, negatable) ?? nearestOne(field, negatable);
  return near === undefined ? undefined : { ...near, word: NOT_PREFIX + near.word };
}

/** Finds the field `f` in `f_lte`, unless the suffix is a misspelling of `min` or `max`. */
function fieldBefore(name: string, named: KnownNames['named']) {
  const cut = name.lastIndexOf('_');
  const [before, behind] = [name.slice(0, Math.max(cut, 0)), name.slice(cut + 1)];
  const found = named.find(({ words }) => words[0] === before);
  if (found === undefined) return undefined;
  const hasEnds = found.words.includes(operatorName(before, 'min'));
  return hasEnds && nearName(behind, ['min', 'max']) !== undefined
    ? undefined
    : { named: found, word: before };
}

/**
 * Makes the fault of an unknown name. `remedy` is a sentence that is added if no known name is
 * near.
 */
export function unknownName(name: string, known: KnownNames, remedy = ''): Fault {
  const { inAlternative } = known;
  if (inAlternative === undefined || !name.startsWith(`${OR}.`)) {
    return unknown(name, known, '', remedy);
  }
  const own = alternativeName(name);
  const code: FaultCode = 'unknown-parameter';
  const parameter = shorten(name);
  if (own === undefined) {
    const detail = `${parameter} is not a parameter of this block. Alternatives are numbered from 1 to ${MOST_ALTERNATIVES}, such as ${prefixOf(1)}field=value.`;
    return { code, detail, parameter };
  }
  if (known.names.has(own.name) && own.name !== NOT) {
    const detail = `${parameter} is not a filter of one field, and an alternative has only such. Give ${own.name} beside ${OR}.`;
    return { code, detail, parameter };
  }
  return unknown(own.name, inAlternative, own.prefix);
}

function unknown(name: string, known: KnownNames, prefix: string, remedy = ''): Fault {
  const code: FaultCode = 'unknown-parameter';
  const parameter = shorten(prefix + name);
  if (prefix === '' && SEARCHES.includes(name)) {
    const what = name === Q ? 'texts to search' : 'a place';
    const detail = `${name} is not a parameter of this block, whose rows do not have ${what}.`;
    return { code, detail, parameter };
  }
  const meant =
    prefix === '' ? (meantAlternative(name, known) ?? havingMeant(name, known)) : undefined;
  const misspelt = (suggestion: string): Fault => {
    const detail = `${parameter} is not a parameter of this block. Did you mean ${suggestion}?`;
    return { code, detail, parameter, suggestion };
  };
  if (meant !== undefined) return misspelt(meant);
  const near = nearestKnown(name, known);
  if (near === undefined) {
    const detail = `${parameter} is not a parameter of this block.${remedy} Its parameters are listed in allowed.`;
    return { code, detail, parameter, allowed: known.inOrder };
  }
  if ('isCarried' in near.named) {
    const detail = `${parameter} is not a parameter of this block: rows have a field ${near.word.replace(NOT_PREFIX, '')}, but it is not a filter.`;
    return { code, detail, parameter };
  }
  return misspelt(prefix + near.word);
}

export function ignoredNames(names: readonly string[]): Warning[] {
  if (names.length === 0) return [];
  const warnings = names.slice(0, MOST_FAULTS).map((name) => ({
    title: 'Unknown name ignored',
    message: escapeObeyed(`${shorten(name)} is not a parameter of this block and was not used.`),
    parameter: shorten(name),
  }));
  const more = names.length - MOST_FAULTS;
  if (more <= 0) return warnings;
  const message = `${numberText(more)} more unknown names were not used.`;
  return [...warnings, { title: 'Unknown names ignored', message }];
}

/**
 * Reports names that the block takes but the address of one row does not. A filter is refused,
 * since the row may not match it. An option that would change nothing about one row only gets a
 * warning.
 */
export function notForOneRow(
  query: Members,
  { notForOneRow: names }: QueryNames,
  { atBlock: all }: KnownNames,
): { readonly faults: readonly Fault[]; readonly warnings: readonly Warning[] } {
  const given = names.filter((name) => !isBlank(query[name]));
  const filters = given.filter((name) => all?.isParameter(name));
  const options = given.filter((name) => !all?.isParameter(name));
  return {
    faults: filters.map(filterOfOneRow),
    warnings: options.map(optionOfOneRow),
  };
}

function filterOfOneRow(name: string): Fault {
  const parameter = shorten(name);
  const detail = `${parameter} selects among rows, and this is the address of one row. Leave it out, or send it to the block's own address.`;
  return { code: 'unknown-parameter', detail, parameter };
}

/** Warns of an option that makes no difference to one row. */
export function optionOfOneRow(name: string): Warning {
  const message = `${name} is for answers with several rows, and this is the address of one; it was not used.`;
  return { title: 'Option not used', message, parameter: name };
}
