import type { Members } from '../arguments/given.ts';
import {
  type Grouping,
  groupingOf,
  isHaving,
  MOST_GROUPS,
  ROW_COUNT,
  ROWS_OF_GROUP,
} from '../block/grouping.ts';
import { MOST_LIMIT } from '../block/options.ts';
import { BBOX } from '../block/parameter.ts';
import type { MarkName } from '../block/views.ts';
import { type Figure, figureOf, markFor, marksFor } from '../figure/figure.ts';
import { MOST_BARS, USUAL_BARS } from '../figure/mark.ts';
import { markOf } from '../figure/marks.ts';
import type { Part } from '../figure/periods.ts';
import type { GroupsAnswer, GroupsQuestion, Question } from '../figure/question.ts';
import type { Language } from '../languages/language.ts';
import { parsedRows } from '../query/row-addresses.ts';
import type { Row } from '../values/field-type.ts';
import { cellWidthIn } from '../values/map-cells.ts';
import type { Budget } from '../work/budget.ts';
import {
  type Common,
  type FigureAsked,
  inOther,
  type MadeFigure,
  type RowsRead,
} from './figure-asked.ts';
import { beyondOf, partAsked } from './map-part.ts';
import { changed, shorterPeriods } from './other-question.ts';
import { picksIn } from './picks.ts';
import { allGroups, readOthers } from './read-others.ts';
import type { OfDataset } from './view.ts';

/** Times that a question may be asked with longer periods or wider steps. */
const MOST_TRIES = 12;

/** Every figure says how many rows its numbers are of. */
function withCount(grouping: Grouping): Grouping {
  const { measures } = grouping;
  if (measures.some(({ text }) => text === ROW_COUNT.text)) return grouping;
  // No field has this name, and a field may be called count.
  const column = { ...ROW_COUNT.column, name: ROWS_OF_GROUP };
  return { ...grouping, measures: [...measures, { ...ROW_COUNT, column }] };
}

/** Reads the figure of groups. Undefined if no mark can draw them. */
export async function readGroups(
  asked: FigureAsked,
  first: Grouping,
  common: Common,
  part = isOfCells(first) ? partAsked(asked, common) : undefined,
): Promise<MadeFigure | undefined> {
  const { of, values } = asked;
  let { mark } = asked;
  let grouping = withCount(first);
  let instead: Part | undefined;
  let narrower: string | undefined;
  // The first answer has the facets and the bins.
  let output: RowsRead | undefined = asked.output;
  let beyond: Question['beyond'];
  for (let tries = 0; ; tries++) {
    const empty = { grouping, groups: [], total: 0, matching: 0 };
    const picks = picksIn(grouping, values);
    const question = { ...common, picks, answer: empty, linkOf: asked.linkOf(grouping) };
    const [usual] = marksFor(question);
    if (usual === undefined) return undefined;
    const isBars = (mark ?? usual) === 'bars' && isUnordered(grouping, usual);
    const isCounted = output === undefined;
    const most = isBars ? MOST_BARS : markOf(mark ?? usual).most?.(question);
    const ask = { grouping, most, isFirst: isBars, isCounted };
    const whole = part === undefined || isCounted ? await readAnswer(asked, ask) : undefined;
    output ??= whole?.output;
    let answer = whole?.answer as GroupsAnswer;
    if (part !== undefined) {
      const matching = rowsOf(output);
      const inside = { ...asked, values: { ...values, [BBOX]: part } };
      const read = await readAnswer(inside, { ...ask, isCounted: false });
      beyond ??= await beyondOf(asked, read.answer.matching, matching);
      answer = { ...read.answer, matching };
    }
    const full: GroupsQuestion = {
      ...question,
      answer,
      beyond,
      instead,
      narrower,
      order: values._sort as readonly string[] | undefined,
      bars: isBars ? ((values._limit as number | undefined) ?? USUAL_BARS) : undefined,
      ...(await outlineOf(asked, grouping, answer)),
    };
    const fitting = markFor(full, mark);
    if (fitting === undefined) return undefined;
    // What was asked for does not fit: bars are of the first groups in their order.
    if (fitting === 'bars' && !isBars && isUnordered(grouping, usual) && tries < MOST_TRIES) {
      mark = 'bars';
      continue;
    }
    const fewer = markOf(fitting).fewer?.(full);
    const others =
      fewer === undefined && picks !== undefined && markOf(fitting).showsOthers
        ? await readOthers(of, picks, { values, grouping, budget: asked.budget })
        : undefined;
    const drawn = { ...full, others };
    const figure = fewer === undefined ? figureOf(drawn, fitting) : undefined;
    const shorter = figure && asked.mayBeShorter ? shorterPeriods(figure, grouping) : undefined;
    const other = fewer ?? shorter;
    const next = other && tries < MOST_TRIES ? changed(of, grouping, other) : undefined;
    if (next === undefined) return figureRead(asked, drawn, fitting, figure, output as RowsRead);
    if (fewer !== undefined && !('width' in fewer)) {
      instead ??= 'years' in fewer ? 'year' : partOf(grouping);
    }
    if (values._group !== undefined) narrower ??= cellWidthIn(grouping.dimensions[0]?.text ?? '');
    grouping = next;
  }
}

function isOfCells({ dimensions: [only, second] }: Grouping): boolean {
  return only?.cells !== undefined && second === undefined;
}

/** How many rows an answer is of, be it of rows or of groups. */
function rowsOf(output: RowsRead | undefined): number {
  return output?.matching ?? output?.total ?? 0;
}

/** What is made of an answer. Undefined if it has more groups than a figure can have. */
function figureRead(
  { of }: FigureAsked,
  full: GroupsQuestion,
  mark: MarkName,
  drawn: Figure | undefined,
  output: RowsRead,
): MadeFigure | undefined {
  const figure = drawn ?? figureOf(full, mark);
  const { answer, others } = full;
  // A table pages through them.
  const isTooMuch = answer.total > answer.groups.length;
  if (figure === undefined || (isTooMuch && figure.picture === undefined)) return undefined;
  const { grouping, matching } = answer;
  const figureIn = (language: Language) => figureOf(inOther(full, of, language), mark) ?? figure;
  const marks = marksFor(full);
  return { figure, marks, grouping, answer, others, matching, output, figureIn };
}

/** Whether the groups have no order of their own, so that the first of the order asked for count. */
function isUnordered({ dimensions }: Grouping, usual: MarkName): boolean {
  const [dimension] = dimensions;
  return usual === 'bars' && dimension?.part === undefined && dimension?.width === undefined;
}

function partOf({ dimensions }: Grouping): Part | undefined {
  const named = dimensions.find(({ partName }) => partName !== undefined)?.partName;
  return (named ?? 'day') as Part;
}

/** What is read of an answer: the first groups of its order, or all, unless they are too many. */
type Ask = {
  readonly grouping: Grouping;
  readonly most: number | undefined;
  readonly isFirst: boolean;
  /** Set if its facets are wanted too. */
  readonly isCounted: boolean;
};

async function readAnswer(
  { of, values, budget, counted }: FigureAsked,
  { grouping, most, isFirst, isCounted }: Ask,
): Promise<{ readonly output: RowsRead; readonly answer: GroupsAnswer }> {
  const { _cursor, _fields, _facets, _sort, ...filters } = values;
  const { dimensions, measures } = grouping;
  const question = {
    ...filters,
    _limit: most ?? MOST_LIMIT,
    // Without the boxes of cells, which a figure makes of those that it draws.
    _fields: [...dimensions, ...measures].map(({ column }) => column.name),
    _sort: isFirst ? _sort : undefined,
    _facets: isCounted ? _facets : undefined,
  };
  const beside = isCounted ? counted : [];
  const output = await of.plan(question, budget, grouping, beside).run(budget);
  if (output.kind === 'value') throw new TypeError('A figure is of rows.');
  const { total, matching = 0 } = output;
  const isWhole = !isFirst && total <= (most ?? MOST_GROUPS);
  const groups = await (isWhole ? allGroups(output, budget) : parsedRows(output, budget));
  const isFiltered = Object.keys(values).some(isHaving);
  return {
    output,
    answer: { grouping, groups, total, matching, isFiltered: isFiltered || undefined },
  };
}

/** For a histogram of counts: all rows, if filters leave some out, and the median of those that match. */
async function outlineOf(
  { of, values, budget }: FigureAsked,
  grouping: Grouping,
  { matching, isFiltered }: GroupsAnswer,
): Promise<Pick<Question, 'all' | 'median'>> {
  const [dimension, second] = grouping.dimensions;
  const [measure] = grouping.measures;
  if (dimension?.width === undefined || second !== undefined) return {};
  if (measure?.of !== 'count' || isFiltered || matching === 0) return {};
  const { block, manifest } = of;
  const { _cursor, _fields, _facets, _sort, _limit, _group, _measure, ...filters } = values;
  const text = `median:${dimension.field.name}`;
  const [median] = await groupsOf(of, filters, groupingOf(block, { _measure: [text] }), budget);
  const value = median === undefined ? undefined : Object.values(median)[0];
  const all = matching === manifest.rows ? undefined : await groupsOf(of, {}, grouping, budget);
  return {
    median: typeof value === 'number' ? value : undefined,
    all,
  };
}

async function groupsOf(
  of: OfDataset,
  values: Members,
  grouping: Grouping | undefined,
  budget: Budget,
): Promise<Row[]> {
  const output = await of.plan({ ...values, _limit: MOST_LIMIT }, budget, grouping).run(budget);
  return output.kind === 'value' ? [] : parsedRows(output, budget);
}
