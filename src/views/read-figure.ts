import type { Members } from '../arguments/given.ts';
import { nameFieldOf } from '../block/block.ts';
import {
  type Dimension,
  type Grouping,
  groupingOf,
  isHaving,
  MOST_GROUPS,
  ROW_COUNT,
  ROWS_OF_GROUP,
  readDimensions,
} from '../block/grouping.ts';
import { MOST_LIMIT } from '../block/options.ts';

import { BBOX, FRAME, NEAR, WITHIN } from '../block/parameter.ts';
import type { TwoNumbers } from '../block/two-numbers.ts';
import type { AxisName, MarkName } from '../block/views.ts';
import { widthsOfCells } from '../figure/cells.ts';

import { groundOf, hasDrawing } from '../figure/drawing.ts';

import { type Figure, figureOf, markFor, marksFor } from '../figure/figure.ts';
import { boxText } from '../figure/frame.ts';
import type { Address, Ground } from '../figure/ground.ts';
import { type Fewer, MOST_BARS, USUAL_BARS } from '../figure/mark.ts';
import { markOf } from '../figure/marks.ts';
import type { Cut, Part } from '../figure/periods.ts';
import type {
  GroupsAnswer,
  GroupsQuestion,
  Known,
  LinkOf,
  Others,
  Question,
} from '../figure/question.ts';
import type { Box } from '../figure/shape.ts';
import { inLanguage, type Language } from '../languages/language.ts';
import { isTooMuch } from '../problem/errors.ts';
import { nearOf, type Predicate, predicateOf } from '../query/predicate.ts';
import { parsedRows, rowAddresses } from '../query/row-addresses.ts';
import type { Output } from '../query/run.ts';
import type { Row } from '../values/field-type.ts';

import { type Field, isYear, keysOfDay } from '../values/field-types.ts';

import { cellWidthIn, PLACE } from '../values/map-cells.ts';
import { boundsWithin, metresIn, placeOfRow } from '../values/places.ts';
import type { Budget } from '../work/budget.ts';
import { picksIn } from './picks.ts';
import { allGroups, readOthers } from './read-others.ts';
import type { OfDataset } from './view.ts';

/** What is asked of a block for a figure. */
export type FigureAsked = {
  readonly language: Language;
  readonly of: OfDataset;
  readonly values: Members;
  /** Absent if it is a map of the rows themselves. */
  readonly grouping?: Grouping;
  readonly mark?: MarkName;
  /** Set if nobody asked for these periods: where filters leave few, they may be shorter. */
  readonly mayBeShorter?: boolean;
  /** Returns the address of the rows of a group. */
  readonly linkOf: (grouping: Grouping) => LinkOf;
  /** Returns the address of the rows of a square. */
  readonly linkToSquare: (asked: TwoNumbers) => LinkOf;
  /** Returns the address of a row by the end of it. */
  readonly linkToRow: (segment: string) => string;
  readonly budget: Budget;
  /** What is counted with the first answer, as facets are. */
  readonly counted?: readonly Dimension[];
  /** An answer with both, if there is one. */
  readonly output?: RowsRead;
};

/** A figure, the marks that could draw the same answer, and the answer that it is made of. */
export type MadeFigure = {
  readonly figure: Figure;
  readonly marks: readonly MarkName[];
  readonly grouping?: Grouping;
  /** Its groups, unless it is of rows. */
  readonly answer?: GroupsAnswer;
  /** What a filter leaves out of them. */
  readonly others?: Others;
  /** How many rows match. */
  readonly matching: number;
  readonly output: RowsRead;
  /** Of two numbers on even axes: whether those with a 0 are few enough for logarithmic ones. */
  readonly mayBeLog?: boolean;
  /** The same figure in another language. */
  readonly figureIn: (language: Language) => Figure;
};

/** An answer of rows or groups. */
type RowsRead = Output & { readonly kind: 'rows' };

/** Times that a question may be asked with longer periods or wider steps. */
const MOST_TRIES = 12;

/** Reads what a figure is made of, and makes it. Undefined if no mark can draw the question. */
export async function readFigure(asked: FigureAsked): Promise<MadeFigure | undefined> {
  const { grouping } = asked;
  const common = await questionOf(asked);
  if (grouping === undefined) return readPlaces(asked, await withEarth(common));
  const isOnMap = grouping.dimensions[0]?.cells !== undefined;
  return readGroups(asked, grouping, isOnMap ? await withEarth(common) : common);
}

export type Common = Omit<Question, 'answer' | 'places' | 'xy' | 'linkOf'>;

/** What a figure knows of the block and of the filters. */
export async function questionOf({ language, of, values, budget }: FigureAsked): Promise<Common> {
  const { block, manifest, profile } = of;
  const known: Known = {
    ...{
      language,
      noun: inLanguage(block, language).noun,
      rows: manifest.rows,
      fields: block.fields,
    },
    ...{ statistics: manifest.fields, source: manifest.source, version: manifest.version },
    map: profile?.map,
    areas: profile?.areas,
  };
  const here = nearOf(block, values)?.at;
  const frame = frameOf(values);
  return {
    known,
    cuts: cutsOf(predicateOf(block, values, budget)),
    axis: values._axis as AxisName | undefined,
    ...(here === undefined ? {} : { here }),
    ...(frame === undefined ? {} : { frame }),
  };
}

/**
 * Gives a map of places what draws the earth below it, unless the block has a drawing of its own. No
 * other answer loads that.
 */
async function withEarth(common: Common): Promise<Common> {
  if (hasDrawing(common.known.map)) return common;
  const { earth } = await import('../figure/earth/earth.ts');
  return { ...common, earth };
}

/** The same question in another language. */
function inOther(question: Question, { block }: OfDataset, language: Language): Question {
  const known = { ...question.known, language, noun: inLanguage(block, language).noun };
  return { ...question, known };
}

/** The part of the map that was asked for, else the box, or the one around a distance of a place. */
function frameOf({
  [FRAME]: frame,
  [BBOX]: box = frame,
  [NEAR]: near,
  [WITHIN]: within,
}: Members): Box | undefined {
  const sides = frame ?? box;
  if (typeof sides === 'string') return sides.split(',').map(Number) as unknown as Box;
  if (typeof near !== 'string' || typeof within !== 'string') return undefined;
  const at = near.split(',').map(Number) as [number, number];
  const { latitudes, longitudes } = boundsWithin(at, metresIn(within));
  const [[south, north] = [-90, 90]] = latitudes;
  // Over the 180th meridian there are two, and the box begins in the second one.
  const [east = [-180, 180], west = east] = longitudes;
  return [west[0], south, east[1], north];
}

/** The keys that filters leave of each field: from the least to the greatest. */
function cutsOf(predicate: Predicate): Record<string, Cut> {
  const cuts: Record<string, Cut> = Object.create(null);
  for (const condition of predicate) {
    if (condition.test !== 'ranges' || condition.not) continue;
    const { field, anyOf } = condition;
    const min = anyOf.reduce((least, [from]) => Math.min(least, from), Number.POSITIVE_INFINITY);
    const max = anyOf.reduce((most, [, to]) => Math.max(most, to), Number.NEGATIVE_INFINITY);
    const cut = cuts[field];
    cuts[field] = {
      min: Math.max(min, cut?.min ?? Number.NEGATIVE_INFINITY),
      max: Math.min(max, cut?.max ?? Number.POSITIVE_INFINITY),
    };
  }
  return cuts;
}

/** Every figure says how many rows its numbers are of. */
function withCount(grouping: Grouping): Grouping {
  const { measures } = grouping;
  if (measures.some(({ text }) => text === ROW_COUNT.text)) return grouping;
  // No field has this name, and a field may be called count.
  const column = { ...ROW_COUNT.column, name: ROWS_OF_GROUP };
  return { ...grouping, measures: [...measures, { ...ROW_COUNT, column }] };
}

async function readGroups(
  asked: FigureAsked,
  first: Grouping,
  common: Common,
): Promise<MadeFigure | undefined> {
  const { of, values } = asked;
  let { mark } = asked;
  let grouping = withCount(first);
  let instead: Part | undefined;
  // The first answer has the facets and the bins.
  let output: RowsRead | undefined = asked.output;
  const isOfCells = grouping.dimensions.length === 1 && grouping.dimensions[0]?.cells !== undefined;
  const part = isOfCells ? partAsked(asked, common) : undefined;
  for (let tries = 0; ; tries++) {
    const empty = { grouping, groups: [], total: 0, matching: 0 };
    const picks = picksIn(grouping, values);
    const question = { ...common, picks, answer: empty, linkOf: asked.linkOf(grouping) };
    const [usual] = marksFor(question);
    if (usual === undefined) return undefined;
    const isBars = (mark ?? usual) === 'bars' && isUnordered(grouping, usual);
    const isCounted = output === undefined;
    const whole =
      part === undefined || isCounted
        ? await readAnswer(asked, grouping, isBars, isCounted)
        : undefined;
    output ??= whole?.output;
    const { answer, beyond } =
      part === undefined
        ? { answer: whole?.answer as GroupsAnswer, beyond: undefined }
        : await readPart(asked, grouping, part, rowsOf(output));
    const full: GroupsQuestion = {
      ...{ ...question, answer, beyond },
      ...(instead === undefined ? {} : { instead }),
      order: values._sort as readonly string[] | undefined,
      ...(isBars ? { bars: (values._limit as number | undefined) ?? USUAL_BARS } : {}),
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
    grouping = next;
  }
}

/** How many rows an answer is of, be it of rows or of groups. */
function rowsOf(output: RowsRead | undefined): number {
  return output?.matching ?? output?.total ?? 0;
}

/** The box of degrees that has what a map shows, if a part of it was asked for and no other place. */
function partAsked({ values }: FigureAsked, common: Common): string | undefined {
  const isOfPlace = [BBOX, NEAR].some((name) => values[name] !== undefined);
  return values[FRAME] === undefined || isOfPlace ? undefined : boxText(groundOf(common, []).box);
}

/** All places. */
const ANYWHERE = '-180,-90,180,90';

/** The groups of a part of a map, and how many rows are outside of it or without a place. */
async function readPart(
  asked: FigureAsked,
  grouping: Grouping,
  part: string,
  matching: number,
): Promise<{ readonly answer: GroupsAnswer; readonly beyond: NonNullable<Question['beyond']> }> {
  const inside = { ...asked, values: { ...asked.values, [BBOX]: part } };
  const { answer } = await readAnswer(inside, grouping, false, false);
  return {
    answer: { ...answer, matching },
    beyond: await beyondOf(asked, answer.matching, matching),
  };
}

async function beyondOf(
  { of, values, budget }: FigureAsked,
  inside: number,
  matching: number,
): Promise<NonNullable<Question['beyond']>> {
  const { _cursor, _fields, _sort, _group, _measure, _facets, ...others } = values;
  const filters = Object.entries(others).filter(([name]) => !isHaving(name));
  const question = { ...Object.fromEntries(filters), [BBOX]: ANYWHERE, _limit: 1 };
  const output = await of.plan(question, budget).run(budget);
  const placed = output.kind === 'value' ? inside : output.total;
  return { outside: placed - inside, nowhere: matching - placed };
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

/** All groups of a question, or the first of its order. */
async function readAnswer(
  { of, values, budget, counted }: FigureAsked,
  grouping: Grouping,
  isFirst: boolean,
  isCounted: boolean,
): Promise<{ readonly output: RowsRead; readonly answer: GroupsAnswer }> {
  const { _cursor, _fields, _facets, _sort, ...filters } = values;
  const question = {
    ...{ ...filters, _limit: isFirst ? MOST_BARS : MOST_LIMIT },
    ...(isFirst && _sort !== undefined ? { _sort } : {}),
    ...(isCounted && _facets !== undefined ? { _facets } : {}),
  };
  const beside = isCounted ? counted : [];
  const output = await of.plan(question, budget, grouping, beside).run(budget);
  if (output.kind === 'value') throw new TypeError('A figure is of rows.');
  const { total, matching = 0 } = output;
  const isWhole = !isFirst && total <= MOST_GROUPS;
  const groups = await (isWhole ? allGroups(output, budget) : parsedRows(output, budget));
  const isFiltered = Object.keys(values).some(isHaving);
  return {
    output,
    answer: { grouping, groups, total, matching, ...(isFiltered ? { isFiltered } : {}) },
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
    ...(typeof value === 'number' ? { median: value } : {}),
    ...(all === undefined ? {} : { all }),
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

/** With fewer points, a line shows little. */
const LEAST_POINTS = 3;

const SHORTER: Readonly<Partial<Record<string, Part>>> = {
  year: 'month',
  quarter: 'month',
  month: 'day',
  week: 'day',
};

function shorterPeriods(
  { mark, numbers }: Figure,
  { dimensions }: Grouping,
): { readonly part: Part } | undefined {
  if (mark !== 'line' || numbers.rows.length >= LEAST_POINTS) return undefined;
  const { partName = '' } = dimensions.find(({ part }) => part !== undefined) ?? {};
  const part = SHORTER[partName];
  return part === undefined ? undefined : { part };
}

/** The question with other periods, or with wider steps or cells. */
function changed(
  { block: { fields, geometry }, manifest }: OfDataset,
  { dimensions, measures }: Grouping,
  fewer: Fewer,
): Grouping | undefined {
  const isWanted = ({ width, cells, part, field }: Dimension) => {
    if ('years' in fewer) return part === undefined && isYear(field, manifest.fields[field.name]);
    if ('width' in fewer) return width !== undefined || cells !== undefined;
    return part?.recurs !== true && cells === undefined && keysOfDay(field) !== undefined;
  };
  const index = dimensions.findIndex(isWanted);
  const dimension = dimensions[index];
  if (dimension === undefined) return undefined;
  const by = 'part' in fewer ? fewer.part : 'width' in fewer ? fewer.width : fewer.years;
  const name = dimension.cells === undefined ? dimension.field.name : PLACE;
  if (dimension.cells !== undefined && cellWidthIn(`${PLACE}.${by}`) === undefined)
    return undefined;
  const changed = readDimensions(fields, [`${name}.${by}`], geometry);
  return { dimensions: dimensions.toSpliced(index, 1, ...changed), measures };
}

/** A map of the rows: a circle each, or squares that count them, if they are too many. */
async function readPlaces(asked: FigureAsked, common: Common): Promise<MadeFigure | undefined> {
  const { of, values, budget, mark, counted } = asked;
  const { block } = of;
  const { geometry, primaryKey = [] } = block;
  if (geometry === undefined) return undefined;
  if (mark !== undefined && mark !== 'dots') return readCells(asked, common);
  const { _cursor, _sort, ...filters } = values;
  const nameField = nameFieldOf(block);
  const { longitude, latitude } = geometry;
  const _fields = [...new Set([longitude, latitude, nameField ?? [], primaryKey].flat())];
  const question = { ...filters, _fields, _limit: MOST_LIMIT };
  const output = await of.plan(question, budget, undefined, counted).run(budget);
  if (output.kind === 'value') return undefined;
  const part = output.next === null ? undefined : partAsked(asked, common);
  const inside =
    part === undefined ? output : await of.plan({ ...question, [BBOX]: part }, budget).run(budget);
  if (inside.kind === 'value' || inside.next !== null) {
    return readCells({ ...asked, output }, common);
  }
  const rows = await parsedRows(inside, budget);
  const addresses = rowAddresses(of, rows, inside);
  const links = new Map(rows.map((row, i) => [row, addresses[i]]));
  const places = rows
    .map((row) => placeOfRow(row, geometry))
    .filter((place) => place !== undefined);
  const drawn: Question = {
    ...common,
    addresses: await addressesOn(asked, groundOf(common, places)),
    beyond: part === undefined ? undefined : await beyondOf(asked, inside.total, output.total),
    places: {
      ...{ rows, total: output.total, geometry },
      ...(nameField === undefined ? {} : { nameField }),
    },
    linkOf: (row) => {
      const address = links.get(row);
      return address === undefined ? undefined : asked.linkToRow(address);
    },
  };
  const figure = figureOf(drawn);
  if (figure === undefined) return undefined;
  const figureIn = (language: Language) => figureOf(inOther(drawn, of, language)) ?? figure;
  return { figure, marks: marksFor(drawn), matching: output.total, output, figureIn };
}

async function readCells(asked: FigureAsked, common: Common): Promise<MadeFigure | undefined> {
  const { block } = asked.of;
  const ground = groundOf(common, []);
  const [width, ...wider] = widthsOfCells(ground);
  const grouping = groupingOf(block, { _group: [`${PLACE}.${width}`] });
  const addresses = await addressesOn(asked, ground);
  return (
    grouping && readGroups({ ...asked, mark: 'cells' }, grouping, { ...common, wider, addresses })
  );
}

/** Addresses on a map of a city, from which streets are made: of any rows of the block. */
async function addressesOn(
  { of, budget }: FigureAsked,
  { kind, box }: Ground,
): Promise<readonly Address[]> {
  const { geometry } = of.block;
  const field = kind === 'city' ? addressField(of) : undefined;
  if (field === undefined || geometry === undefined) return [];
  const { longitude, latitude } = geometry;
  const question = { _fields: [longitude, latitude, field.name], _limit: MOST_LIMIT };
  // A map that would take too much work by its streets has none.
  const own = budget.part(STEPS_OF_STREETS);
  const output = await of
    .plan({ ...question, [BBOX]: boxText(box) }, own)
    .run(own)
    .catch((error) => {
      if (isTooMuch(error)) return undefined;
      throw error;
    });
  if (output === undefined || output.kind === 'value') return [];
  const rows = await parsedRows(output, budget);
  return rows.flatMap((row) => {
    const [text, place] = [row[field.name], placeOfRow(row, geometry)];
    return typeof text !== 'string' || place === undefined ? [] : [{ text, place }];
  });
}

/** Work for the addresses of a city's streets, in steps. */
const STEPS_OF_STREETS = 5_000_000;

/** Of the texts that a field is known for, the part that must look like addresses. */
const LEAST_ADDRESSES = 0.5;

/** The field with the street and number of a row. */
function addressField({ block, profile }: OfDataset): Field | undefined {
  return block.fields.find((field) => {
    const known = profile?.suggestions[field.name] ?? [];
    const found = known.filter((text) => ADDRESS.test(text));
    return field.type === 'text' && found.length > LEAST_ADDRESSES * known.length;
  });
}

/** A number and a name of letters, or the other way round. */
const ADDRESS =
  /^(?:\d[\d-]{0,8}[a-z]?\s+[\p{L}\d].{2,60}|\p{L}[^\d,]{2,60}\s\d{1,5}\s?[a-z]?)(?:,.*)?$/iu;
