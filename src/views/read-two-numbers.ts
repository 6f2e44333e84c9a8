import type { Members } from '../arguments/given.ts';
import { nameFieldOf } from '../block/block.ts';
import { FILLED, isFilterable, operatorName } from '../block/parameter.ts';
import {
  MEDIANS,
  MOST_ZEROS,
  SCALE,
  type TwoNumbers,
  type TwoNumbersFound,
  twoNumbersOf,
  XY,
} from '../block/two-numbers.ts';
import { figureOf, markFor, marksFor } from '../figure/figure.ts';
import type { LinkOf, Question } from '../figure/question.ts';
import { inLanguage, type Language } from '../languages/language.ts';
import { parsedRows, rowAddresses } from '../query/row-addresses.ts';
import type { Row } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import { type FigureAsked, type MadeFigure, questionOf } from './figure-asked.ts';

/** Reads the figure of two numbers of each row. Undefined if no mark can draw it. */
export async function readTwoNumbers(asked: FigureAsked): Promise<MadeFigure | undefined> {
  const { of, values, budget, mark, counted } = asked;
  const { block } = of;
  const xy = twoNumbersOf(block, values);
  const output = await of.plan(values, budget, undefined, counted).run(budget);
  if (xy === undefined || output.kind === 'value' || output.xy === undefined) return undefined;
  const { xy: found, matching = 0 } = output;
  const rows = await parsedRows(output, budget);
  const question: Question = {
    ...(await questionOf(asked)),
    xy: {
      asked: xy,
      found,
      rows,
      matching,
      nameField: nameFieldOf(block),
      named: found.of === 'squares' ? await rowsAtEnds(asked, xy, found) : undefined,
    },
    linkOf: found.of === 'squares' ? asked.linkToSquare(xy) : linkToRows(asked, rows, output),
  };
  const fitting = markFor(question, mark);
  const figure = fitting && figureOf(question, fitting);
  if (figure === undefined) return undefined;
  const figureIn = (language: Language) => {
    const known = { ...question.known, language, noun: inLanguage(block, language).noun };
    return figureOf({ ...question, known }, fitting) ?? figure;
  };
  const mayBeLog = await mayLeaveZeros(asked, xy, found);
  return { figure, marks: marksFor(question), matching, output, figureIn, mayBeLog };
}

/** Whether few of the rows have a 0, which a logarithmic axis would leave out. */
async function mayLeaveZeros(
  { of, values, budget }: FigureAsked,
  { x, y, scales }: TwoNumbers,
  found: TwoNumbersFound,
): Promise<boolean> {
  // Axes that were not asked for are logarithmic if they may be.
  if (scales?.x !== 'linear' || scales.y !== 'linear') return false;
  const zeros = [x, y].filter((_, i) => (i === 0 ? found.x : found.y).min === 0);
  if (zeros.length === 0 || !zeros.every(isFilterable)) return false;
  const filled = (values[FILLED] ?? []) as readonly string[];
  const { [XY]: _xy, [SCALE]: _scale, [MEDIANS]: _medians, _facets, ...filters } = values;
  const both = { [FILLED]: [...filled, x.name, y.name], _limit: 1 };
  const question = Object.assign({}, filters, both, ...zeros.map(aboveZero));
  const output = await of.plan(question, budget).run(budget);
  return output.kind === 'rows' && found.rows - output.total <= MOST_ZEROS * found.rows;
}

function aboveZero({ name, type }: Field): Members {
  return { [operatorName(name, 'min')]: type === 'integer' ? 1 : Number.MIN_VALUE };
}

function linkToRows(
  { of, linkToRow }: FigureAsked,
  rows: readonly Row[],
  output: Parameters<typeof rowAddresses>[2],
): LinkOf {
  const addresses = rowAddresses(of, rows, output);
  const links = new Map(rows.map((row, i) => [row, addresses[i]]));
  return (row) => {
    const address = links.get(row);
    return address === undefined ? undefined : linkToRow(address);
  };
}

/** Squares have no names: the rows that have most of either number, and least of y. */
async function rowsAtEnds(
  { of, values, budget }: FigureAsked,
  { x, y }: TwoNumbers,
  found: TwoNumbersFound,
): Promise<Row[]> {
  const nameField = nameFieldOf(of.block);
  if (nameField === undefined || !isFilterable(x) || !isFilterable(y)) return [];
  const { [XY]: _xy, [SCALE]: _scale, [MEDIANS]: _medians, _facets, _near, ...filters } = values;
  const filled = [...((values[FILLED] ?? []) as readonly string[]), x.name, y.name];
  const rows: Row[] = [];
  for (const [field, end] of [
    [y, found.y.max],
    [x, found.x.max],
    [y, found.y.min],
  ] as const) {
    // Of two that tie, neither has a name. Chunks whose least and greatest number rule it out are not read.
    const [min, max] = [operatorName(field.name, 'min'), operatorName(field.name, 'max')];
    const one = { ...filters, [min]: end, [max]: end, [FILLED]: filled, _limit: 2 };
    const fields = { _fields: [nameField, x.name, y.name] };
    const output = await of.plan({ ...one, ...fields }, budget).run(budget);
    if (output.kind === 'rows') rows.push(...(await parsedRows(output, budget)));
  }
  return rows;
}
