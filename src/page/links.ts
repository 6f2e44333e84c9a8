import { isBlank, type RawArguments, withoutNesting } from '../arguments/given.ts';
import type { Block } from '../block/block.ts';
import { GROUP_NAMES, isHaving } from '../block/grouping.ts';
import { alternativeName, BBOX, NEAR, Q, WITHIN } from '../block/parameter.ts';
import { XY, XY_NAMES } from '../block/two-numbers.ts';
import { DRAWING_NAMES, type ViewName } from '../block/views.ts';
import { Problem } from '../problem/errors.ts';
import { numberText, shorten } from '../text/wording.ts';

/** Where a page is, so that its links work under any stage or base path. */
export type PageAddress = {
  /** The page's absolute address without its query, for snippets. */
  readonly url: string;
  /** The relative link from the page to the service's root: `../../`. */
  readonly toRoot: string;
};

/** A page's arguments as the pairs of a query; names may repeat. */
export type PageState = readonly (readonly [string, string])[];

/** What the links of a page are made of. */
export type Links = {
  readonly address: PageAddress;
  /** The arguments as sent. */
  readonly sent: PageState;
  /** Those that the block knows, as links and forms repeat them. */
  readonly state: PageState;
  /** The arguments of a question that was not sent: of the block's first one. */
  readonly added: PageState;
  /** The view that is shown; absent if the block has one value, or its arguments are refused. */
  readonly view?: ViewName;
  /** The page's own address, without the question that was not sent, and without a key. */
  readonly canonical: string;
  /** The key, which other addresses of the service need too. */
  readonly key?: string;
  /** Whether other sites may show the page in a frame. */
  readonly mayBeFramed: boolean;
};

/**
 * What was sent, as name-value pairs for the page's links and form. A query value that is not blank
 * wins over the body's. A key in a body has no effect, and must not get into addresses.
 */
export function sentPairs({ query, body }: Pick<RawArguments, 'query' | 'body'>): PageState {
  const inQuery = Object.entries(query).filter(([, value]) => !isBlank(value));
  const inBody = Object.entries(withoutNesting(body)).filter(([name]) => name !== 'api_key');
  const sent = new Map([...inBody, ...inQuery]);
  return [...sent].flatMap(([name, value]) =>
    [value].flat().flatMap((member): [string, string][] => {
      if (member === null || member === undefined || typeof member === 'object') return [];
      return [[name, String(member)]];
    }),
  );
}

/** Characters of what a page asks for, as an address. Every link of the page repeats it. */
const MOST_STATE_LENGTH = 8192;

export function refusalOfLength(pairs: PageState): Problem | undefined {
  const lengths = new Map<string, number>();
  let all = 0;
  for (const [name, value] of pairs) {
    const length = new URLSearchParams([[name, value]]).toString().length + 1;
    lengths.set(name, (lengths.get(name) ?? 0) + length);
    all += length;
  }
  if (all <= MOST_STATE_LENGTH) return undefined;
  const [longest = ''] = [...lengths].sort(([, a], [, b]) => b - a)[0] ?? [];
  const parameter = shorten(longest);
  const detail = `The arguments are too long for a page, whose address they are: ${numberText(all)} characters, and at most ${numberText(MOST_STATE_LENGTH)} are taken. ${parameter} has the most. Send fewer, or ask for another format.`;
  return new Problem('too-much-work', detail, { fault: { parameter } });
}

/** Arguments as the pairs of a query; a list repeats its name. */
export function pairsOf(values: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(values).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
}

/** The pairs of a request that a page's links keep: those that the block knows, and the key. */
export function pageState(
  block: Pick<Block, 'parameters' | 'options'>,
  sent: PageState,
): PageState {
  const all = [...block.parameters, ...block.options];
  const known = new Set(all.map(({ name }) => name).concat('api_key'));
  // Links of a view in a frame lead to the whole page.
  for (const name of ['_format', '_embed']) known.delete(name);
  const formerly = new Map(all.map(({ formerly, name }) => [formerly, name]));
  return sent
    .map(([name, value]) => [formerly.get(name) ?? name, value] as const)
    .filter(
      ([name, value]) =>
        (known.has(name) || alternativeName(name) !== undefined || isHaving(name)) &&
        value.trim() !== '',
    );
}

/** Replaces the pairs of the names in `changes`; null removes a name. */
export function changed(
  state: PageState,
  changes: Readonly<Record<string, string | readonly string[] | null | undefined>>,
): PageState {
  const added = Object.entries(changes).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return [...state.filter(([name]) => !Object.hasOwn(changes, name)), ...added];
}

/** Drops names, and the page that was turned to, which another answer does not have. */
export function without(state: PageState, names: readonly string[]): PageState {
  return state.filter(([name]) => name !== '_cursor' && !names.includes(name));
}

/** A link of only a query, which works under any path. */
export function hrefOf(state: PageState, place = ''): string {
  return `?${state.map(pairText).join('&')}${place}`;
}

/** A pair as a query has it. A page has hundreds of links, and most of their pairs are plain. */
function pairText([name, value]: PageState[number]): string {
  if (PLAIN.test(name) && PLAIN.test(value)) return `${name}=${value}`;
  return new URLSearchParams([[name, value]]).toString();
}

/** What a query has as it is. */
const PLAIN = /^[\w.*-]*$/;

/** The answer's anchor: links that sort or turn pages keep scroll position and focus there. */
export const FOUND = '#found';

/** The values of a name, in order. */
export function valuesOf(state: PageState, name: string): string[] {
  return state.filter(([other]) => other === name).map(([, value]) => value);
}

/** Arguments of a table: no figure's question has them. */
export const TABLE_NAMES: readonly string[] = ['_sort', '_fields', '_limit', '_cursor'];

/** The parameters that ask for rows by their place. */
export const PLACE_NAMES = [NEAR, WITHIN, BBOX] as const;

/** The parameters with a box in a block's form; others are kept until a link drops them. */
export function namesWithBox({ answers, parameters }: Block): string[] {
  const named = parameters
    .filter(({ field, op }) => answers === 'value' || (field !== undefined && op !== 'not'))
    .map(({ name }) => name);
  return answers === 'value' ? named : [...named, Q, ...PLACE_NAMES];
}

/** A page's state with the question that it shows, even if that was not sent. */
export function withQuestion({ added, state }: Pick<Links, 'added' | 'state'>): PageState {
  const names = new Set(added.map(([name]) => name));
  const ofRows = names.has('_group') || names.has(XY) ? TABLE_NAMES : [];
  return [...state.filter(([name]) => !names.has(name) && !ofRows.includes(name)), ...added];
}

/** What a figure asks and how it is drawn: rows in a table have none of these. */
export const QUESTION_NAMES: readonly string[] = [...GROUP_NAMES, ...XY_NAMES, ...DRAWING_NAMES];

/** What drops the options of how a figure is drawn, as changes of a state. */
export const UNDRAWN: Readonly<Record<string, null>> = Object.fromEntries(
  DRAWING_NAMES.map((name) => [name, null]),
);

/** Drops what is about a figure alone. */
export function withoutQuestion(state: PageState): PageState {
  const isGrouped = state.some(([name]) => name === '_group' || name === '_measure');
  const dropped = Object.fromEntries(QUESTION_NAMES.map((name) => [name, null]));
  const rows = changed(state, isGrouped ? { ...dropped, _sort: null, _fields: null } : dropped);
  return rows.filter(([name]) => !isHaving(name));
}

/** The address of something else of the service, with the key that the page has. */
export function linkTo({ address, key }: Links, path: string): string {
  return `${address.toRoot}${path}${key === undefined ? '' : hrefOf([['api_key', key]])}`;
}

/** What links to other pages of the service keep: the key and the language. */
export function keptOf(state: PageState): PageState {
  return state.filter(([name]) => name === 'api_key' || name === '_lang');
}
