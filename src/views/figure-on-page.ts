import type { Grouping } from '../block/grouping.ts';
import { Q } from '../block/parameter.ts';
import { type TwoNumbersFound, XY } from '../block/two-numbers.ts';
import type { MarkName } from '../block/views.ts';
import { drawNumbers, drawPicture, drawWords } from '../figure/draw.ts';
import type { Figure } from '../figure/figure.ts';
import { markOf } from '../figure/marks.ts';
import type { PlainMessage } from '../languages/german.ts';
import { countedBeside } from '../page/filter-order.ts';
import { hrefOf } from '../page/links.ts';
import type { DatasetPage } from '../page/page.ts';
import { isTooMuch, type Warning } from '../problem/errors.ts';
import type { FilterHelp } from '../query/why-empty.ts';
import type { Row, Value } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import type { FigureAsked, MadeFigure } from './figure-asked.ts';
import { choicesIn, fieldPicked, presentIn } from './picks.ts';
import { readFigure } from './read-figure.ts';
import { readTwoNumbers } from './read-two-numbers.ts';
import { rowLinks } from './row-links.ts';
import { rowsOfGroup } from './rows-of-group.ts';
import { rowsOfSquare } from './rows-of-square.ts';
import { searchHints } from './search-hints.ts';
import { table } from './table.tsx';
import type { Drawing, Instead, Read, Reading, ViewQuery } from './view.ts';

/** A figure, with its parts as HTML. */
export type FigureRead = Read & {
  readonly matching: number;
  readonly warnings: readonly Warning[];
  readonly figure: Figure;
  /** The marks that can draw the question, as the page offers them. */
  readonly marks: readonly { readonly name: MarkName; readonly title: PlainMessage }[];
  /** What is drawn, which may have longer periods than were asked for. Absent of rows on a map. */
  readonly grouping?: Grouping;
  /** What is known of two numbers, if it is of these. */
  readonly xy?: TwoNumbersFound;
  /** Whether even axes of two numbers could be logarithmic, though they begin at 0. */
  readonly mayBeLog?: boolean;
  /** The values of its second field that can be picked, in order. */
  readonly choices?: readonly Value[];
  /** Those of them that its rows have. */
  readonly present?: readonly Value[];
  /** The field whose values are picked. */
  readonly picked?: Field;
  readonly picture: string;
  readonly caption: string;
  /** The first of its numbers as a table; absent if the picture is one. */
  readonly numbers?: string;
  readonly numbersShown: number;
  readonly help?: readonly FilterHelp[];
};

export type FigureProps = { readonly page: DatasetPage; readonly found: FigureRead };

/**
 * Rows of the numbers below a figure. Fewer are beside a map, which is no higher, and below a figure
 * of very many numbers: sixty of these are a beginning, as twelve are.
 */
const MOST_NUMBERS = 60;
const FEW_NUMBERS = 12;
const VERY_MANY = 500;

/** Characters of the links of a figure. Each repeats what the page's address asks for. */
const MOST_OF_LINKS = 1_000_000;

export const LINKS_LEFT_OUT: Warning = {
  title: 'Links left out',
  message:
    'This address is so long that only some marks of the figure lead to their rows. All numbers are there.',
};

/** Reads a figure, of groups, of places or of two numbers. Undefined if no mark can draw the question. */
export function readAsked(asked: FigureAsked): Promise<MadeFigure | undefined> {
  return asked.values[XY] === undefined ? readFigure(asked) : readTwoNumbers(asked);
}

/** What a view asks for its figure. */
export function figureAsked(
  query: ViewQuery,
  { of, language, budget }: Drawing,
): Omit<FigureAsked, 'linkOf' | 'linkToSquare' | 'linkToRow'> {
  const { values, grouping, view } = query;
  const mark = (values._mark as MarkName | undefined) ?? (grouping && view.usual);
  return { of, language, values, grouping, budget, mark, mayBeShorter: isOwnQuestion(query) };
}

/** Whether a figure's question is the page's own, and groups were not asked for. */
function isOwnQuestion({ added, isImplied }: ViewQuery): boolean {
  return added._group !== undefined && !isImplied;
}

/** How many rows the answer of a figure has, or groups, if these were asked for. */
export function totalOf(
  query: ViewQuery,
  { matching, output }: { readonly matching: number; readonly output: { readonly total: number } },
): number {
  return query.grouping === undefined || isOwnQuestion(query) ? matching : output.total;
}

/** A figure, its parts as HTML, and whether each of its marks leads to its rows. */
type Linked = NonNullable<Awaited<ReturnType<typeof readFigure>>> & {
  readonly picture: string;
  readonly caption: string;
  readonly isWhole: boolean;
};

/** Reads a figure whose marks lead to their rows. Undefined if no mark can draw the question. */
export async function readLinked(
  query: ViewQuery,
  { of, page, budget }: Pick<Reading, 'of' | 'page' | 'budget'>,
  beside: { readonly counted?: FigureAsked['counted']; readonly captionId?: string },
): Promise<Linked | undefined> {
  const { state } = page.links;
  const links = new WeakMap<Row, string>();
  let left = MOST_OF_LINKS;
  const counted = (href: string | undefined) => {
    left -= href?.length ?? 0;
    return href;
  };
  const read = await readAsked({
    ...figureAsked(query, { of, language: page.language, budget }),
    counted: beside.counted,
    linkOf: (drawn: Grouping) => (group, to) => {
      if (left <= 0) return undefined;
      const made = to === undefined ? links.get(group) : undefined;
      if (made !== undefined) return made;
      const rows = rowsOfGroup(state, drawn, group, to);
      const href = counted(rows && hrefOf(rows));
      if (href !== undefined && to === undefined) links.set(group, href);
      return href;
    },
    linkToSquare: (asked) => (square) => {
      const rows = left <= 0 ? undefined : rowsOfSquare(state, query.values, asked, square);
      return counted(rows && hrefOf(rows));
    },
    linkToRow: rowLinks(page, query.name),
  });
  if (read === undefined) return undefined;
  const picture = drawPicture(read.figure, beside.captionId);
  await budget.checkpoint(picture.length);
  return { ...read, picture, caption: drawWords(read.figure.caption), isWhole: left > 0 };
}

/** Reads a figure, or a table of what no mark can draw. */
export async function readDrawn(
  query: ViewQuery,
  { of, page, warnings, budget }: Reading,
): Promise<FigureRead | Instead> {
  const counted = countedBeside(of.block, of.manifest, of.profile, query.values);
  const read = await readLinked(query, { of, page, budget }, { counted }).catch(unlessAsked(query));
  if (read === undefined) return { instead: tableOf(query) };
  const { figure, marks, matching, output, grouping, picture, caption, isWhole } = read;
  const { layout } = figure.picture ?? {};
  const { length } = figure.numbers.rows;
  const most = layout === 'map' || length > VERY_MANY ? FEW_NUMBERS : MOST_NUMBERS;
  return {
    output,
    figure,
    matching,
    grouping,
    picture,
    caption,
    xy: output.xy,
    mayBeLog: read.mayBeLog,
    choices: choicesIn(of, query.values, read),
    present: presentIn(read),
    picked: fieldPicked(of.block, query.values, grouping),
    total: totalOf(query, read),
    marks: marks.map((name) => ({ name, title: markOf(name).title })),
    numbers: layout === 'list' || length === 0 ? undefined : drawNumbers(figure, 0, most),
    numbersShown: Math.min(length, most),
    facets: output.facets,
    bins: output.bins,
    help: output.help,
    warnings: [...warnings, ...output.warnings, ...(isWhole ? [] : [LINKS_LEFT_OUT])],
    hints:
      query.values[Q] === undefined ? [] : await searchHints(of, query.values, matching, budget),
    answered: asDrawn(query, grouping),
  };
}

/** A question that was not sent is what is drawn, in links and files too. */
function asDrawn(query: ViewQuery, drawn: Grouping | undefined): ViewQuery {
  if (query.added._group === undefined || drawn === undefined) return query;
  const _group = drawn.dimensions.map(({ text }) => text);
  return { ...query, added: { ...query.added, _group } };
}

/** Whether a figure was asked for, and not only the block. */
function isAsked({ values, isImplied }: ViewQuery): boolean {
  return isImplied === true || values._view !== undefined;
}

/** The table of what is asked, or of the rows alone if the question was not sent. */
function tableOf(query: ViewQuery): ViewQuery {
  const of = { view: table, name: table.name } as const;
  const { values, grouping, added, isImplied } = query;
  if (isAsked(query)) return { ...of, values, grouping, added, isImplied };
  const sent = Object.entries(values).filter(([name]) => !Object.hasOwn(added, name));
  return { ...of, values: Object.fromEntries(sent), added: {} };
}

/** If the block's first question takes more work than a run has, the page has its table. */
function unlessAsked(query: ViewQuery) {
  return (error: unknown): undefined => {
    if (isAsked(query) || !isTooMuch(error)) throw error;
  };
}
