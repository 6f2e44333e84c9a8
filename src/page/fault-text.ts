import type { Block, DatasetBlock } from '../block/block.ts';
import { HAVING, isHaving } from '../block/grouping.ts';
import { alternativeName, BBOX, EMPTY, FILLED, NEAR, Q, WITHIN } from '../block/parameter.ts';
import type { PlainMessage } from '../languages/german.ts';
import type { Language } from '../languages/language.ts';
import { type Fault, withoutReference } from '../problem/errors.ts';

/** A fault, or a problem that has none. */
export type SaidFault = Pick<Fault, 'detail'> & Partial<Fault>;

/** The boxes for places and for words, as the page calls them. */
export const TITLES_OF_BOXES = {
  [Q]: 'Search all texts',
  [NEAR]: 'Near (longitude, latitude)',
  [WITHIN]: 'Within this distance',
  [BBOX]: 'In a box (west, south, east, north)',
} as const satisfies Readonly<Record<string, PlainMessage>>;

/** Options without a box: links and menus set them. */
const TITLES_OF_OPTIONS = {
  _sort: 'The order',
  _fields: 'The choice of columns',
  _limit: 'The number of rows on a page',
  _cursor: 'The place in the list',
  _group: 'What to group by',
  _measure: 'What to measure',
  _view: 'The view',
  _mark: 'The kind of figure',
  _axis: 'The axis',
  _xy: 'Two numbers to compare',
  _scale: 'Scales of the axes',
  _medians: 'Medians along x',
  _frame: 'Part of the map',
  _as_one: 'Filtered values as one',
  _shade: 'What the map shows',
  _facets: 'What to count the values of',
  [EMPTY]: 'Columns without a value',
  [FILLED]: 'Columns with a value',
  [HAVING]: 'The filter of the groups',
} as const satisfies Readonly<Record<string, PlainMessage>>;

const TITLES: Readonly<Record<string, PlainMessage>> = { ...TITLES_OF_BOXES, ...TITLES_OF_OPTIONS };

/** The ends of a range, as sliders call them, and what a field may not be. */
const OPERATORS = { min: 'at least', max: 'at most', not: 'not' } as const;

/**
 * What is wrong, for people: a parameter is called by the title of its box, `“Age, at least” is "x"`.
 * `alike` are faults of the same text, such as those of both ends of a range.
 */
export function faultText(
  fault: SaidFault,
  block: Block,
  language: Language,
  alike: readonly SaidFault[] = [],
): string {
  const { code, parameter } = fault;
  const detail = withoutNames(fault);
  // A name that is not known has no title, and is what has to be changed.
  if (code === 'unknown-parameter') return withoutReference(detail);
  const names = [parameter, ...alike.map((one) => one.parameter)];
  const named = names.reduce<string>((text, name) => {
    const title = name === undefined ? undefined : titleOfBox(name, block, language);
    if (name === undefined || title === undefined) return text;
    const at = placeOfName(text, name);
    return at < 0 ? text : `${text.slice(0, at)}“${title}”${text.slice(at + name.length)}`;
  }, detail);
  // The text may name other options, but what was sent stays as it was.
  return named.replace(SENT_OR_OPTION, (word) =>
    Object.hasOwn(TITLES, word) ? `“${language.say(TITLES[word] as PlainMessage)}”` : word,
  );
}

const SENT_OR_OPTION = /"(?:[^"\\]|\\.)*"|(?<![\w.])_[a-z_]+(?![\w.])/g;

/** Options whose choices are names of columns. */
const OF_NAMES = [
  '_sort',
  '_fields',
  '_group',
  '_measure',
  '_facets',
  '_empty',
  '_filled',
  '_shade',
];

/** Names of columns are for programs: a person has menus of their titles. */
function withoutNames({ detail, code, parameter = '', suggestion }: SaidFault): string {
  const isOfNames = code === 'not-a-choice' && OF_NAMES.includes(parameter);
  if (!isOfNames || suggestion !== undefined) return detail;
  // Of several faults, the first alone has the list.
  const end = detail.lastIndexOf('; expected one of ');
  return `${end < 0 ? detail.slice(0, -1) : detail.slice(0, end)}, which is not a choice.`;
}

function titleOfBox(given: string, block: Block, { say }: Language): string | undefined {
  const { parameters, options, fields = [] } = block as Partial<DatasetBlock> & Block;
  const { name } = alternativeName(given) ?? { name: given };
  const known = isHaving(name) ? HAVING : name;
  if (Object.hasOwn(TITLES, known)) return say(TITLES[known] as PlainMessage);
  const found = [...parameters, ...options].find((one) => one.name === name);
  if (found === undefined) return undefined;
  const { title, field, op = 'is' } = found;
  if (op === 'is') return title;
  return `${fields.find((one) => one.name === field)?.title ?? title}, ${say(OPERATORS[op])}`;
}

/** Where a name first stands as a word of its own, and not within what was sent; -1 if nowhere. */
function placeOfName(text: string, name: string): number {
  const sent = text.indexOf('"');
  const before = sent < 0 ? text : text.slice(0, sent);
  const at = before.indexOf(name);
  const isWord = at >= 0 && !/[\w.]/.test(before.charAt(at - 1) + before.charAt(at + name.length));
  return isWord ? at : -1;
}
