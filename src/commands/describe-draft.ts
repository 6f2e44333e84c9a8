import stringWidth from 'string-width';
import { drawTable, wrapped } from '../channels/terminal/draw-table.ts';
import { listed } from '../files/source-table.ts';
import { isOfMoments } from '../recipe/column-names.ts';
import { areMany, placesOf } from '../recipe/column-questions.ts';
import type {
  ColumnDecision,
  CountedCell,
  OddCells,
  Range,
} from '../recipe/evidence/column-decision.ts';
import { counterOf } from '../recipe/evidence/number-kind.ts';
import { zoneInWords } from '../recipe/evidence/zone.ts';
import type { Given } from '../recipe/given.ts';
import { hasNoValue } from '../recipe/inferred-column.ts';
import type { Draft } from '../recipe/propose.ts';
import { few } from '../recipe/questions.ts';
import { quoted } from '../text/shell-word.ts';
import { numberText as count, numberText, showCell } from '../text/wording.ts';
import { dateText } from '../values/calendar.ts';
import type { Value } from '../values/field-type.ts';
import { isLabel, keysOfDay, typeOf } from '../values/field-types.ts';
import { calendarsOf, yearsOf } from '../values/other-calendars.ts';
import { wordsOf } from './add-options.ts';

/**
 * Describes a draft's decisions in lines for a terminal: a table, notes, and names that were made.
 */
export function describeDraft(
  { columns, rows, counts, notes, taken = [], block }: Draft,
  width: number | undefined,
  today = dateText(Date.now()),
): string[] {
  const fields = new Map(block.fields.map((field) => [field.name, field]));
  const empty = columns.filter(hasNoValue);
  const cells = columns
    .filter((column) => !hasNoValue(column))
    .map(({ name, decision }) => {
      const { unit, indexed, main, label = false } = fields.get(name) ?? {};
      const marks = [
        ...(unit === undefined ? [] : [`in ${unit}`]),
        ...(main ? ['main'] : []),
        ...(indexed ? ['indexed'] : []),
        ...([block.primaryKey].flat().includes(name) ? ['key'] : []),
      ];
      return [
        name,
        marks.length === 0 ? decision.type : `${decision.type}, ${marks.join(', ')}`,
        decision.why,
        placesOf(decision, counts),
        count(
          decision.blanks +
            (decision.odd?.count ?? 0) +
            sum(decision.missing.map((word) => word.count)),
        ),
        `${decision.distinct.isExact ? '' : 'over '}${count(decision.distinct.count)}`,
        rangeText(name, decision, label),
      ];
    });
  const words = columns.filter(({ decision }) => decision.missing.length > 0);
  const table = drawTable(
    ['column', 'type', 'because it', 'decided by', 'blank', 'distinct', 'range'].map((name) => ({
      name,
      isNumber: name === 'blank' || name === 'distinct',
    })),
    cells,
  );
  const isWide = table.some((line) => stringWidth(line) > (width ?? Number.POSITIVE_INFINITY));
  const told = [
    ...(empty.length === 0
      ? []
      : [
          `${empty.length === 1 ? '1 column has' : `${count(empty.length)} columns have`} no value, and ${empty.length === 1 ? 'comes' : 'come'} last: ${listed(empty.map(({ name }) => name))}`,
        ]),
    ...inOne(renamedTexts(columns)),
    ...inOne(
      words.map(
        ({ name, decision }) => `${name}: nothing is meant by ${missingWords(decision, counts)}`,
      ),
    ),
    ...inOne(wordsElsewhere(columns)),
    ...inOne(columns.flatMap((column) => farFromToday(column, today) ?? [])),
    ...NOTES.flatMap((note) =>
      inOne(alikeJoined(columns.flatMap((column) => note(column, counts) ?? []))),
    ),
    // The digits of a Parquet file are those of its numbers, which no spreadsheet has saved.
    ...inOne(
      block.format === 'parquet'
        ? []
        : columns.flatMap((column) => lostDigits(column, counts) ?? []),
    ),
  ];
  return [
    ...(isWide ? describeColumns(cells, width as number) : table),
    '',
    `${count(rows)} ${rows === 1 ? 'row' : 'rows'}`,
    ...inFewLines([...taken, ...told, ...notes]),
  ];
}

/** Lines that are told of a file below its table. What is more is told in the last of them. */
const MOST_LINES = 6;

/** Puts what names an option first, and joins what is too much for a line of its own. */
function inFewLines(notes: readonly string[]): string[] {
  const namesOption = (note: string) => /(?:^|[\s(])--[a-z]/.test(note);
  const sorted = [...notes.filter(namesOption), ...notes.filter((note) => !namesOption(note))];
  if (sorted.length <= MOST_LINES) return sorted;
  const last = sorted.splice(MOST_LINES - 1);
  return [...sorted, last.join('; ')];
}

/** Joins what is told of several columns for one reason. */
function inOne(said: readonly string[]): string[] {
  return said.length === 0 ? [] : [few(said, '; ', 'such notes')];
}

/** What is told of a column in the words that may be told of others too, and its own option. */
type Alike = { readonly name: string; readonly said: string; readonly option: string };

/** Names all columns of which the same is told, with their options. */
function alikeJoined(notes: readonly (string | Alike)[]): string[] {
  const bySaid = new Map<string, Alike[]>();
  for (const note of notes) {
    if (typeof note !== 'string') bySaid.set(note.said, [...(bySaid.get(note.said) ?? []), note]);
  }
  const joined = [...bySaid].map(([said, all]) => {
    const names = few(
      all.map(({ name }) => name),
      ', ',
      'columns',
    );
    const options = few(
      all.map(({ option }) => option),
      ' ',
      'columns',
    );
    const have = all.length === 1 ? said : said.replace(/^has /, 'have ');
    return `${names} ${have} ${options}`;
  });
  return [...joined, ...notes.filter((note) => typeof note === 'string')];
}

/** Says, once a reason, which columns have names that are not those of their headers. */
function renamedTexts(columns: readonly Column[]): string[] {
  const renamed = columns.filter(({ why }) => why !== undefined);
  const blank = renamed.filter(({ header }) => header.trim() === '').map(({ name }) => name);
  const [first, ...others] = blank;
  const areAll = others.length > 0 && blank.length === columns.length;
  const names = areAll ? `${first} to ${others.at(-1)}` : few(blank, ', ', 'columns');
  const some =
    blank.length === 1
      ? '1 column has no header, and is'
      : `${count(blank.length)} columns have no header, and are`;
  const said = areAll ? 'no column has a header; they are' : some;
  const byReason = new Map<string, string[]>();
  for (const { name, header, why = '' } of renamed) {
    if (header.trim() === '') continue;
    const called = `${showCell(header)} is called ${name}`;
    byReason.set(why, [...(byReason.get(why) ?? []), called]);
  }
  return [
    ...(first === undefined ? [] : [`${said} called ${names}`]),
    ...[...byReason].map(([why, called]) => `${few(called, ', ', 'columns')}: ${why}`),
  ];
}

type Column = Draft['columns'][number];

/** What may be said of a column. Each note is given on all columns before the next one. */
const NOTES: readonly ((column: Column, counts: Draft['counts']) => string | Alike | undefined)[] =
  [
    ({ name, decision: { why, perhaps } }) =>
      perhaps && { name, said: `${why}; as numbers:`, option: `--type ${name}=${perhaps}` },
    manyDigits,
    ({ name, decision: { standIn, distinct } }, counts) =>
      standIn &&
      `${name}: ${counted(standIn, counts)} ${distinct.count === 1 ? 'stands in every cell' : 'is far from the others'}; if it means nothing: --nothing ${quoted(`${name}=${standIn.cell}`)}`,
    ({ name, decision: { periodFormat } }) =>
      periodFormat && {
        name,
        said: `has ${periodsOf(periodFormat)}:`,
        option: `--format ${quoted(`${name}=${periodFormat}`)}`,
      },
    ({ name, decision: { spelling, deciding } }, counts) =>
      spelling.calendar &&
      `${name}: years of ${yearsOf(spelling.calendar)}, such as ${placesOf({ deciding: deciding.slice(0, 1) }, counts)}, are read as ours; if they are not of it: --calendar gregorian, or --type ${name}=text`,
    ({ name, decision: { signed, type } }, counts) =>
      signed && type === 'text'
        ? `${name}: the apostrophe before its codes, such as ${showCell(signed.cell)} in ${counts} ${signed.line}, is left out, as spreadsheets do; to keep it: --type ${name}=text`
        : undefined,
    ({ name, decision: { signed, type } }, counts) =>
      signed && type !== 'text'
        ? `${name}: numbers have their sign as bookkeepers or spreadsheets write it, such as ${showCell(signed.cell)} in ${counts} ${signed.line}; if these are no numbers: --type ${name}=text`
        : undefined,
    ({ name, decision: { cut } }, counts) =>
      cut &&
      `${name}: times are cut to a millisecond, such as ${showCell(cut.cell)} in ${counts} ${cut.line}`,
    ({ name, decision: { timeZone, whyZone } }) =>
      timeZone &&
      `${name}: its days are those of ${zoneInWords(timeZone)}, ${whyZone}; --zone names another zone`,
    ({ name, decision: { isZoneOpen } }) =>
      isZoneOpen
        ? `${name}: its days are those of UTC, since no time zone has the offset of each cell; --zone names another`
        : undefined,
    ({ name, decision: { rounded } }, counts) =>
      rounded &&
      `${name}: a number with more digits than binary64 holds is the nearest one, at most ${rounded.rounding.toPrecision(1)} from what is written: ${showCell(rounded.cell)} in ${counts} ${rounded.line}`,
    oddCells,
  ];

/** Whole numbers with fewer digits are seldom names. */
const LEAST_NAME_DIGITS = 6;

/** Numbers of equal digits may name things, or count from a moment. */
function manyDigits({ name, header, decision }: Column): string | Alike | undefined {
  const { mayBeNames = 0, range } = decision;
  if (mayBeNames < LEAST_NAME_DIGITS || range === undefined) return undefined;
  const counter = counterOf(range as Range<number>);
  const said = `has ${mayBeNames} digits in every cell; if these are`;
  const asText = `--type ${name}=text`;
  if (counter === undefined) return { name, said: `${said} names of things:`, option: asText };
  const times = `${said} ${counter.of}:`;
  const option = `--format ${name}=${counter.format}`;
  if (isOfMoments(header)) return { name, said: times, option };
  return `${name} ${times} ${option}; if names of things: ${asText}`;
}

/** What a pattern of periods reads, and as what. */
function periodsOf(format: string): string {
  if (format.includes('%j')) return 'days of the year; as dates';
  const periods = format.includes('%V') ? 'weeks' : 'months or quarters';
  return `${periods}; for the first day of each`;
}

/** Writes the table's cells as sentences, for a terminal that is too narrow for it. */
function describeColumns(cells: readonly (readonly string[])[], width: number): string[] {
  const most = Math.max(0, ...cells.map(([name = '']) => stringWidth(name)));
  return cells.flatMap(([name = '', type, because, places, blank, distinct, range]) => {
    const counts = [
      `${distinct} distinct`,
      ...(blank === '0' ? [] : [`${blank} blank`]),
      ...(range === '' ? [] : [range]),
    ].join(', ');
    const space = ' '.repeat(
      Math.min(most, MOST_INDENT) - Math.min(stringWidth(name), MOST_INDENT),
    );
    const lines = wrapped(`${because}: ${places}; ${counts}`, width - MARGIN.length);
    return [`${name}${space}  ${type}`, ...lines.map((line) => MARGIN + line)];
  });
}

/** Columns of the terminal that names take. */
const MOST_INDENT = 30;
const MARGIN = '    ';

/** The options that decide the same without a question. */
export function optionsOf(choices: Given): string {
  return wordsOf(choices)
    .filter(([option, value]) => option !== '--encoding' || value !== 'utf-8')
    .map(([option, value]) => ` ${option} ${quoted(value)}`)
    .join('');
}

function missingWords({ missing }: ColumnDecision, counts: Draft['counts']): string {
  return missing.map((word) => counted(word, counts)).join(', ');
}

/** Words that mean nothing in some columns and are values in texts, a line each. */
function wordsElsewhere(columns: readonly Column[]): string[] {
  const meant = new Map<string, string>();
  for (const { name, decision } of columns) {
    if (decision.type === 'text') continue;
    for (const { cell } of decision.missing) if (!meant.has(cell)) meant.set(cell, name);
  }
  return [...meant].flatMap(([word, where]) => {
    const kept = columns.flatMap(({ name, decision }) =>
      decision.wordsKept.filter(({ cell }) => cell === word).map((found) => ({ name, ...found })),
    );
    if (kept.length === 0) return [];
    const are = few(
      kept.map(({ name, count: times }) => `${name} (${count(times)})`),
      ', ',
      'columns',
    );
    const options = few(
      kept.map(({ name }) => `--nothing ${quoted(`${name}=${word}`)}`),
      ' ',
      'columns',
    );
    return `${showCell(word, 24)} means nothing in ${where} and is a value in ${are}; if it means nothing there too: ${options}`;
  });
}

function counted({ cell, count: times, line }: CountedCell, counts: Draft['counts']): string {
  return `${showCell(cell, 24)} (${count(times)}, first in ${counts} ${line})`;
}

/**
 * Dates that are yet to come may be plans, or years of two digits that were read a century late.
 * Years far from ours may be of another calendar, or no years.
 */
function farFromToday(
  { name, decision: { range, type } }: Column,
  today: string,
): string | undefined {
  if (keysOfDay({ type }) === undefined || range === undefined) return undefined;
  const [first, last] = [String(range.min), String(range.max)];
  const [year, end] = [first, last].map((day) => Number(day.slice(0, 4))) as [number, number];
  const isFar = end > Number(today.slice(0, 4)) + MOST_AHEAD;
  const isEarly = year < FIRST_YEAR;
  if (isEarly || isFar) {
    const which = isEarly ? `before ${FIRST_YEAR}, from ${first}` : `after today, up to ${last}`;
    const calendars = calendarsOf(isEarly ? year : end).join(' or ');
    const other = calendars === '' ? '' : `; of another calendar: --calendar ${calendars}`;
    return `${name} has dates ${which}; if these are no dates: --type ${name}=text${other}`;
  }
  if (last.slice(0, today.length) <= today) return undefined;
  return `${name} has dates after today, up to ${last}; the page says so`;
}

/** Dates of earlier years are told. */
const FIRST_YEAR = 1500;

/** Dates so many years after today are told with the way to a text. */
const MOST_AHEAD = 100;

/** Lists a column's odd cells that are read as blank, or says which type nearly all cells have. */
function oddCells(
  { name, decision: { type, odd, near } }: Column,
  counts: Draft['counts'],
): string | undefined {
  if (odd !== undefined) {
    const cells = odd.count === 1 ? '1 cell is' : `${count(odd.count)} cells are`;
    return `${name}: ${cells} blank, not ${typeOf({ type }).noun}: ${shownOdd(odd, counts)}`;
  }
  if (near === undefined) return undefined;
  const { reading, fit, of } = near;
  const odds = areMany(of - fit, of) ? ' --odd-cells blank' : '';
  return `${name}: --type ${name}=${reading.type}${odds} reads ${count(fit)} of ${count(of)} cells; blank would be ${shownOdd(near.odd, counts)}`;
}

/**
 * Excel keeps 15 digits of a number and writes zeros for the others, in sheets and when it saves
 * CSV. Long ids with such an end have lost their last digits.
 */
function lostDigits(
  { name, decision: { samples, lostDigits: lost } }: Column,
  counts: Draft['counts'],
): string | undefined {
  if (lost !== undefined) {
    return `${name}: the exponents stand for digits that are lost, such as ${showCell(lost.cell)} in ${counts} ${lost.line}: a spreadsheet shows long numbers so; the file that it opened has them`;
  }
  const long = samples.filter(({ cell }) => /^-?[1-9]\d{15,}$/.test(cell));
  const cut = long.filter(({ cell }) => /^-?\d{15}0+$/.test(cell));
  // One in ten whole numbers ends with a zero anyway.
  if (cut.length === 0 || 2 * cut.length < long.length) return undefined;
  const [{ cell }] = cut as [{ cell: string }];
  return `${name}: the numbers of more than 15 digits end in zeros, such as ${showCell(cell)}: Excel may have lost their last digits; the file that it opened has them`;
}

function shownOdd({ count: all, first }: OddCells, counts: Draft['counts']): string {
  const rest = all - sum(first.map((one) => one.count));
  const shown = first.map((one) => counted(one, counts)).join(', ');
  return rest === 0 ? shown : `${shown} and ${count(rest)} more`;
}

function rangeText(name: string, { range, type }: ColumnDecision, label: boolean): string {
  if (range === undefined) return '';
  const { min, max } = range;
  if (typeof min === 'string' || typeof max === 'string') return `${min} to ${max}`;
  const isName = label || isLabel({ name, type }, { min, max });
  const shown = isName ? String : numberText;
  return `${shown(min)} to ${shown(max)}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

/** The most cells of a key to show. Without a key, all cells identify a row. */
const SHOWN_OF_KEY = 4;

/** Writes a value as lines for a terminal show it. */
export function showValue(value: Value): string {
  if (value === null) return 'blank';
  return typeof value === 'string' ? showCell(value, 24) : String(value);
}

export function showKey(key: readonly Value[]): string {
  return key.slice(0, SHOWN_OF_KEY).map(showValue).join(', ');
}
