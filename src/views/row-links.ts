import { belowRoot, COLUMNS } from '../block/addresses.ts';
import type { DatasetBlock } from '../block/block.ts';
import { alternativeName } from '../block/parameter.ts';
import type { ViewName } from '../block/views.ts';
import { hrefOf, keptOf, type PageState, valuesOf } from '../page/links.ts';
import type { DatasetPage } from '../page/page.ts';

/**
 * A row's page may be told the question that led to it, by the names that the block itself takes:
 * filters and searches, the order, and the view. It then shows the way back and the rows beside it.
 */
const TAKEN = ['_sort', '_view', '_limit'];

/**
 * Which page of results led to a row. These only say where its way back leads: the row is shown
 * even if they are of an older version of the data.
 */
const OF_PAGE = ['_cursor', COLUMNS];

/** Tells which names of an address are of a question about rows. */
export function namesOfQuestion({ parameters }: DatasetBlock): (name: string) => boolean {
  const names = new Set([...parameters.map(({ name }) => name), ...TAKEN]);
  return (name) => names.has(name) || alternativeName(name) !== undefined;
}

/** Tells whether a name of an address only says which page of results led to the row. */
export function isOfPage(name: string): boolean {
  return OF_PAGE.includes(name);
}

/** The page of results that led to a row, from what the row's address has of it. */
export function pageOfResults(
  { fields }: DatasetBlock,
  sent: PageState,
  isCursor: (cursor: string) => boolean,
): PageState {
  const names = new Set(fields.map(({ name }) => name));
  const columns = valuesOf(sent, COLUMNS)
    .flatMap((list) => list.split(','))
    .filter((name) => names.has(name));
  const [cursor] = valuesOf(sent, '_cursor');
  return [
    ...(columns.length === 0 ? [] : ([['_fields', columns.join(',')]] as const)),
    ...(cursor === undefined || !isCursor(cursor) ? [] : ([['_cursor', cursor]] as const)),
  ];
}

/**
 * Characters of a question in the address of a row. The links of a list leave out what makes it
 * longer, since each of them would repeat it: first the columns, then the page, then all.
 */
const MOST_QUESTION_LENGTH = 500;

/** Makes links to rows, which keep the question and a key, of the ends of their addresses. */
export function rowLinks(
  { block, links }: Pick<DatasetPage, 'block' | 'links'>,
  view?: ViewName,
): (row: string) => string {
  const { state, address } = links;
  const query = hrefOf([...carriedQuestion(block, state, view), ...keptOf(state)]);
  const asked = query === '?' ? '' : query;
  // A figure may have a thousand of them: they are as short as can be.
  const isShort = view !== undefined && isBesideBlocks(address.url);
  return (row) => (isShort ? row : address.toRoot + belowRoot(row)) + asked;
}

/** Whether a page's address is in the folder to which addresses of rows are relative. */
function isBesideBlocks(url: string): boolean {
  return new URL('.', url).pathname.endsWith(`/${belowRoot('')}`);
}

/** The part of a page's arguments that its links to rows carry, with the view that has the links. */
function carriedQuestion(block: DatasetBlock, state: PageState, view?: ViewName): PageState {
  const isAsked = namesOfQuestion(block);
  const isOfTable = ([name]: PageState[number]) => name === '_limit' || name === '_cursor';
  const asked = state.filter((pair) => pair[0] !== '_view' && isAsked(pair[0]) && !isOfTable(pair));
  if (view !== undefined) return [...firstThatFits([asked]), ['_view', view]];
  const page = [...asked, ...state.filter(isOfTable)];
  const columns = valuesOf(state, '_fields').join(',');
  const whole: PageState = columns === '' ? page : [...page, [COLUMNS, columns]];
  return firstThatFits([whole, page, asked]);
}

/** The first of these that a link may carry; nothing if there is none. */
function firstThatFits(states: readonly PageState[]): PageState {
  const fits = (state: PageState) =>
    new URLSearchParams(state.map(([name, value]) => [name, value])).toString().length <=
    MOST_QUESTION_LENGTH;
  return states.find(fits) ?? [];
}
