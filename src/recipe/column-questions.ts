import { quoted } from '../text/shell-word.ts';
import { inOneLine, numberText, showCell } from '../text/wording.ts';
import { defined, type Value } from '../values/field-type.ts';
import type { FieldTypeName } from '../values/field-types.ts';
import type { ColumnDecision, NearType, OpenReading } from './evidence/column-decision.ts';
import type { ReadColumns } from './gather-evidence.ts';
import { type Given, givenFor, givenOf } from './given.ts';
import type { InferredColumn } from './inferred-column.ts';
import { answer, type Choice, few, joined, type Question } from './questions.ts';

/** Asks what the cells leave open. Columns with the same possible answers share a question. */
export function questionsOf(
  columns: readonly InferredColumn[],
  counts: ReadColumns['counts'],
  file: string,
  given: Given,
): Question[] {
  return [
    ...grouped(
      file,
      columns.flatMap((column) => askedOfOdd(column, counts, hasNames(columns))),
    ),
    ...grouped(
      file,
      columns.flatMap((column) => askedOfReadings(column, counts, given)),
    ),
    ...zoneQuestions(columns, file),
    ...blankQuestions(columns, counts, file, given),
  ];
}

/** What is asked about a column. Columns with the same key share a question. */
type ColumnQuestion = {
  readonly key: string;
  readonly said: string;
  readonly answers: readonly Choice[];
} & Pick<Question, 'needsAnswer'>;

function grouped(file: string, asked: readonly ColumnQuestion[]): Question[] {
  const groups = new Map<string, ColumnQuestion[]>();
  for (const one of asked) {
    const group = groups.get(one.key);
    if (group === undefined) groups.set(one.key, [one]);
    else group.push(one);
  }
  return [...groups.values()].map((group) => ({
    text: `${inOneLine(file)}, ${few(
      group.map(({ said }) => said),
      '; ',
      'columns',
    )}`,
    readings: (group[0] as ColumnQuestion).answers.map((_, i) =>
      joined(group.map(({ answers }) => answers[i] as Choice)),
    ),
    needsAnswer: group[0]?.needsAnswer,
  }));
}

/** Asks which of several readings a column has, or whether it has the only one of a given type. */
function askedOfReadings(
  { name, header, decision }: InferredColumn,
  counts: ReadColumns['counts'],
  given: Given,
): ColumnQuestion[] {
  const { readings = [] } = decision;
  if (readings.length === 0) return [];
  const { type, dates, decimal } = givenFor(given, { name, header });
  // The safest comes first: the text, unless another type is given.
  const answers = readings.toReversed().map((reading) => optionOf(name, reading));
  const key = (type === undefined ? answers.slice(1) : answers).map(({ option }) => option);
  const said = `${name}, ${placesOf(decision, counts)}: ${decision.why}`;
  const isNamed = readings.some(
    ({ given: one }) =>
      (dates !== undefined && one.dates === dates) ||
      (decimal !== undefined && one.decimal === decimal),
  );
  // `--yes` does not choose between readings of a person's word, nor a text instead of it.
  const isOpen = readings.length > 1 && (type !== undefined || isNamed);
  return [
    { key: `${isOpen} ${key.join(' ')}`, said, answers, needsAnswer: isOpen ? true : undefined },
  ];
}

/** Asks for the zone that counts the days of times, for all columns whose offsets fit no zone. */
function zoneQuestions(columns: readonly InferredColumn[], file: string): Question[] {
  const open = columns.filter(({ decision }) => decision.isZoneOpen);
  if (open.length === 0) return [];
  const names = few(
    open.map(({ name }) => name),
    ', ',
    'columns',
  );
  return [
    {
      text: `${inOneLine(file)}, ${names}: no time zone has the offset of each cell, so it is not known where days begin`,
      readings: [answer('days are those of UTC', 'zone', 'zone', 'UTC')],
    },
  ];
}

/** Whether each row has a name of its own. */
function hasNames(columns: readonly InferredColumn[]): boolean {
  return columns.some(({ decision }) => decision.type === 'text' && decision.isUnique);
}

/** A word in one of this many rows of a list of names may say of what kind these are: Ancient. */
const OFTEN = 10;

/** Whether a cell is one word, no abbreviation, and not about what is unknown or withheld. */
function isPlainWord(cell: string): boolean {
  return /^\p{L}{4,}$/u.test(cell) && !OF_NOTHING.test(cell);
}

const OF_NOTHING =
  /^(?:suppress|with?held|confidential|redact|censor|refus|pending|un|not|non|miss|geheim|offen|keine|sans|inconn|desconoc)/i;

/** Asks about the odd cells of a column that otherwise has a type. */
function askedOfOdd(
  { name, decision: { near } }: InferredColumn,
  counts: ReadColumns['counts'],
  isOfNames: boolean,
): ColumnQuestion[] {
  if (near?.asks === undefined) return [];
  const { word } = near.asks;
  const isOften = word !== undefined && word.count > 1 && word.count * OFTEN >= near.of;
  const isKind = isOfNames && isOften && isPlainWord(word.cell);
  const isSafe = near.asks.isSafe && !isKind;
  const answers = oddAnswers(name, { ...near, asks: { ...near.asks, isSafe } });
  const { reading, fit, of } = near;
  const fitText = `${reading.why} in ${numberText(fit)} of ${numberText(of)} cells`;
  if (word === undefined) {
    const first = placesOf({ deciding: near.odd.first.slice(0, 3) }, counts);
    return [{ key: name, said: `${name} ${fitText}, the others such as ${first}`, answers }];
  }
  const said = `${showCell(word.cell, 24)} stands ${times(word.count)} in ${name}, which ${fitText}, first in ${counts} ${word.line}`;
  return [{ key: `${word.cell} ${isSafe}`, said, answers }];
}

function times(count: number): string {
  if (count < 3) return count === 1 ? 'once' : 'twice';
  return `${numberText(count)} times`;
}

/** The meanings that odd cells may have, the safest first. */
function oddAnswers(name: string, { reading, odd, asks }: NearType): Choice[] {
  const { type } = reading;
  const asText = typed(name, 'text: each is a value', 'text');
  const { word, isSafe, areRead } = asks as NonNullable<NearType['asks']>;
  if (areRead)
    return [asText, typed(name, `${type}: each is a number, with its minus as it stands`, type)];
  if (word === undefined)
    return [asText, withBlanks(typed(name, `${type}: the others are blank`, type))];
  const isAll = word.count === odd.count;
  const asType = withBlanks(typed(name, '', type));
  const nothing: Choice = {
    label: `${type}: it means nothing${isAll ? '' : ', and what else is odd is blank'}`,
    option: `--nothing ${quoted(`${name}=${word.cell}`)}${isAll ? '' : ` ${asType.option}`}`,
    given: {
      ...(isAll ? {} : asType.given),
      nothing: new Map([[name, [word.cell]]]),
    },
  };
  return isSafe ? [nothing, asText] : [asText, nothing];
}

/** The answer that gives a column a type. */
function typed(name: string, label: string, as: FieldTypeName): Choice {
  return { label, option: `--type ${name}=${as}`, given: { types: new Map([[name, as]]) } };
}

/** Adds to an answer that all cells not of the type are blank. */
function withBlanks({ label, option, given }: Choice): Choice {
  return {
    label,
    option: `${option} --odd-cells blank`,
    given: { ...given, oddCells: 'blank' },
  };
}

/** If more of a column's cells are odd, they are blank only if a person says so. */
const MOST_ODD = 0.01;

/** Whether too many of a column's cells are odd for them to be blank without a person's word. */
export function areMany(odd: number, all: number): boolean {
  return odd > MOST_ODD * all;
}

/** Asks about columns whose chosen type many cells do not fit. `--yes` does not answer it. */
function blankQuestions(
  columns: readonly InferredColumn[],
  counts: ReadColumns['counts'],
  file: string,
  { types, formats, oddCells }: Given,
): Question[] {
  if (oddCells === 'blank') return [];
  return columns.flatMap(({ name, header, decision }) => {
    const { type, odd, filled } = decision;
    const all = filled + (odd?.count ?? 0);
    const isChosen = [types, formats].some(
      (of) => givenOf<string>(of, { name, header }) !== undefined,
    );
    if (!isChosen || odd === undefined || !areMany(odd.count, all)) return [];
    const first = placesOf({ deciding: odd.first.slice(0, 3) }, counts);
    const asType = answer(`${type}: they are blank`, 'odd-cells', 'oddCells', 'blank');
    return [
      {
        text: `${inOneLine(file)}, ${name}: ${numberText(odd.count)} of ${numberText(all)} cells are no ${type}, such as ${first}`,
        readings: [typed(name, 'text: each is a value', 'text'), asType],
        needsAnswer: true as const,
      },
    ];
  });
}

function optionOf(name: string, { type, given, value, deciding }: OpenReading): Choice {
  const { format, dates, decimal, calendar } = given;
  const options = [
    ...(format === undefined ? [] : [`--format ${quoted(`${name}=${format}`)}`]),
    ...(given.type === undefined ? [] : [`--type ${name}=${given.type}`]),
    ...(dates === undefined ? [] : [`--dates ${dates}`]),
    ...(decimal === undefined ? [] : [`--decimal ${decimal}`]),
    ...(calendar === undefined ? [] : [`--calendar ${calendar}`]),
  ];
  const how =
    dates === undefined
      ? decimal === undefined
        ? ''
        : `, ${decimal === ',' ? 'a comma' : 'a point'} before decimals`
      : `, ${dates === 'dmy' ? 'the day before the month' : 'the month before the day'}`;
  return {
    label: `${type}${how}${shownValue(value, deciding[0]?.cell)}`,
    option: options.join(' '),
    given: defined({
      formats: format === undefined ? undefined : new Map([[name, format]]),
      dates,
      decimal,
      calendar,
      types: given.type === undefined ? undefined : new Map([[name, given.type]]),
    }),
  };
}

/** Shows a cell's value in a reading, if the two look different. */
function shownValue(value: Value | undefined, cell: string | undefined): string {
  if (value === undefined || cell === undefined || String(value) === cell) return '';
  return `: ${showCell(cell, 24)} is ${value}`;
}

/** Shows the deciding cells, with their lines. */
export function placesOf(
  { deciding }: Pick<ColumnDecision, 'deciding'>,
  counts: ReadColumns['counts'],
): string {
  return deciding.map(({ cell, line }) => `${showCell(cell, 24)} in ${counts} ${line}`).join(', ');
}
