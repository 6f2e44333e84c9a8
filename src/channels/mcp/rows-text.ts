import { isBlank, isGrouped, type Members } from '../../arguments/given.ts';
import { belowRoot } from '../../block/addresses.ts';
import type { DatasetBlock } from '../../block/block.ts';
import { groupColumns, groupingOf } from '../../block/grouping.ts';
import type { Manifest } from '../../block/manifest.ts';
import { NEAR } from '../../block/parameter.ts';
import type { Warning } from '../../problem/errors.ts';
import {
  type AnsweredRow,
  type AnswerInWords,
  answerInWords,
  type Citation,
  describeFilters,
  describeHaving,
  fieldsToShow,
  orderInWords,
  type Reason,
  type RowsParams,
  textOfFilter,
} from '../../query/answer-in-words.ts';
import { firstFew, fitting, numberText, shorten } from '../../text/wording.ts';
import { DISTANCE } from '../../values/places.ts';
import {
  asData,
  BAR,
  bytesOf,
  bytesOfLines,
  cellText,
  fittingLines,
  MOST_TEXT_BYTES,
  markedAsData,
  shortenToBytes,
} from './data-text.ts';
import { addressLine, citeLine, notesOf } from './receipt.ts';

/**
 * Fields of a row that a model reads if it chooses none; characters of a filter in the sentence that
 * repeats the question, and of a reason why no row matches.
 */
const MOST_FIELDS = 10;
const MOST_OF_A_FILTER = 200;
const MOST_OF_A_REASON = 600;

/**
 * Bytes of that sentence, of a table's head, of all facets, and of all reasons.
 *
 * Together with all else that stands around a table they leave it some hundred bytes.
 */
const MOST_SENTENCE_BYTES = 700;
const MOST_HEADER_BYTES = 1500;
const MOST_FACETS_BYTES = 1500;
const MOST_REASONS_BYTES = 3000;

/** Bytes that a cut table leaves for the cursor, which is only known once the block is asked again. */
const MOST_CURSOR_BYTES = 200;

/** What was asked of a block with rows. */
export type RowsAsked = {
  readonly block: DatasetBlock;
  readonly manifest: Manifest | undefined;
  /** The arguments as sent, each by its own name. */
  readonly sent: Members;
  /** The arguments as the block reads them. */
  readonly values: Members;
  /** The number of rows before this page, if the cursor says it. */
  readonly before: number | undefined;
  /** The service's address. */
  readonly root: string;
};

/**
 * The fields to ask for if the caller does not choose: those that the question is about. Undefined
 * if all are asked for, or groups.
 */
export function fieldsAskedFor(block: DatasetBlock, sent: Members): string[] | undefined {
  if (isGrouped(sent) || !isBlank(sent._fields)) return undefined;
  const { keyFields, parameters } = block;
  const names = fieldsOfRows(block, sent);
  // A blank `_fields` would count as a choice.
  const given = Object.assign(Object.create(null), sent);
  delete given._fields;
  const fields = fieldsToShow({ keyFields, parameters, given, mostFields: MOST_FIELDS }, names);
  // Every row has its distance, whatever fields are asked for.
  return fields.length === names.length ? undefined : fields.filter(isField);
}

function fieldsOfRows({ fields }: DatasetBlock, sent: Members): string[] {
  const names = fields.map(({ name }) => name);
  return isBlank(sent[NEAR]) ? names : [...names, DISTANCE.name];
}

function isField(name: string): boolean {
  return name !== DISTANCE.name;
}

/** An answer as text, and how many of its rows the text has. */
export type RowsText = { readonly lines: readonly string[]; readonly shown: number };

/**
 * Rows as text for a model: what was asked, as many rows as fit, how many more there are and how to
 * go on, and what to cite; or why no row matches.
 */
export function rowsText(
  asked: RowsAsked,
  params: RowsParams,
  warnings: readonly Warning[],
): RowsText {
  const answer = inWords(asked, params);
  let room = MOST_TEXT_BYTES;
  for (;;) {
    const text = textInRoom(asked, params, { answer, warnings, room });
    const cursor = text.shown < params.count ? MOST_CURSOR_BYTES : 0;
    const over = bytesOfLines(text.lines) + cursor - MOST_TEXT_BYTES;
    if (over <= 0 || room === 0) return text;
    // The table gives way to what stands around it, in two or three turns: its room gets smaller in each.
    room = Math.max(0, Math.min(room - over, text.bytesOfTable - 1));
  }
}

type InRoom = {
  readonly answer: AnswerInWords;
  readonly warnings: readonly Warning[];
  /** The bytes that the table may have. */
  readonly room: number;
};

function textInRoom(
  asked: RowsAsked,
  params: RowsParams,
  { answer, warnings, room }: InRoom,
): RowsText & { readonly bytesOfTable: number } {
  const { citation, next, facets } = answer;
  const table = tableText(params.results, citation, room);
  const { shown } = table;
  const isCut = shown < params.count || next !== null;
  const about = [
    ...fittingLines(
      facets,
      MOST_FACETS_BYTES,
      (more) => `${numberText(more)} more facets are left out; ask for fewer.`,
    ),
    ...fittingLines(
      answer.reasons.map(reasonLine),
      MOST_REASONS_BYTES,
      (more) => `${numberText(more)} more filters are not explained.`,
    ),
  ];
  return {
    shown,
    bytesOfTable: bytesOfLines(table.lines),
    lines: [
      shortenToBytes(asData(`${sentenceOf(asked, answer)}.`), MOST_SENTENCE_BYTES),
      // A blank line ends the table, so that nothing else is read as a row.
      ...markedAsData([...table.lines, ...(about.length > 0 ? ['', ...about] : [])]),
      ...goOn(asked, params, shown, next),
      ...table.notes,
      ...hiddenFields(asked, params, table.columns),
      ...partNames(params.results, answer.table.rows, shown),
      ...notesOf(warnings),
      ...receiptOf(asked, { shown, columns: table.columns, isCut }, citation),
    ],
  };
}

function inWords({ block, manifest, values, root }: RowsAsked, params: RowsParams) {
  const filters = describeFilters(block, values).map((filter) => ({
    ...filter,
    text: shorten(filter.text, MOST_OF_A_FILTER),
  }));
  const { noun, keyFields, parameters } = block;
  const addressOf = (reference: string) => new URL(belowRoot(reference), root).href;
  return answerInWords(
    {
      ...{ noun, keyFields, parameters, filters },
      rows: manifest?.rows,
      given: values,
      writeFilter: (names, instead) =>
        instead ?? shorten(textOfFilter(filters, names), MOST_OF_A_FILTER),
      citing: manifest && { block: manifest.block, version: manifest.version, addressOf },
    },
    params,
  );
}

/** What was asked, as a sentence: how many, of which rows, in which groups and order. */
function sentenceOf({ block, values }: RowsAsked, { headline, filters }: AnswerInWords): string {
  const grouping = groupingOf(block, values);
  const fields = grouping === undefined ? block.fields : groupColumns(grouping);
  const having = grouping === undefined ? [] : describeHaving(grouping, values);
  const conditions = [...filters, ...having].map(({ text }) => text);
  const dimensions = grouping?.dimensions.map(({ text }) => text) ?? [];
  const measures = grouping?.measures.map(({ text }) => text) ?? [];
  const order = orderInWords(fields, values._sort as readonly string[] | undefined);
  return [
    headline,
    dimensions.length === 0 ? '' : ` by ${dimensions.join(', ')}`,
    measures.length === 0 ? '' : `, with ${measures.join(', ')}`,
    conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`,
    order === undefined ? '' : `, by ${order}`,
  ].join('');
}

/** How many rows follow, and how to get them. */
function goOn(
  { before = undefined }: Pick<RowsAsked, 'before'>,
  { total, count }: RowsParams,
  shown: number,
  next: string | null,
): string[] {
  if (shown === count && next === null) return [];
  const how =
    shown === count
      ? `call again with the same arguments and _cursor: ${cursorAfter(next as string, before, shown)}`
      : `call again with _limit: ${shown}.`;
  if (before === undefined || before + shown > total)
    return [`${numberText(shown)} of ${numberText(total)} are here. For more ${how}`];
  const last = before + shown;
  return [
    `Here are ${numberText(before + 1)} to ${numberText(last)}. ${numberText(total - last)} more ${total - last === 1 ? 'follows' : 'follow'}: ${how}`,
  ];
}

/** A cursor that also says how many rows are before it, so that the next page can count. */
function cursorAfter(next: string, before: number | undefined, shown: number): string {
  return before === undefined ? next : `${next}.${before + shown}`;
}

/** A cursor as its block takes it, and the number of rows before it. A POST's does not say that. */
export function readCursor(sent: unknown): { readonly cursor: unknown; readonly before?: number } {
  if (isBlank(sent)) return { cursor: sent, before: 0 };
  const [, cursor, before] = (typeof sent === 'string' && COUNTED.exec(sent)) || [];
  return cursor === undefined ? { cursor: sent } : { cursor, before: Number(before) };
}

const COUNTED = /^([\w-]+)\.(\d{1,12})$/;

/** Says which fields are shown, if they are not all. */
function hiddenFields(
  { block, sent }: RowsAsked,
  { results }: RowsParams,
  shown: readonly string[],
): string[] {
  const [first] = results;
  if (first === undefined) return [];
  const isChosen = !isBlank(sent._fields) || isGrouped(sent);
  const all = isChosen ? Object.keys(first) : fieldsOfRows(block, sent);
  if (shown.length >= all.length) return [];
  const others = all.filter((name) => !shown.includes(name));
  return [
    `${numberText(shown.length)} of ${numberText(all.length)} fields are shown; _fields takes others, such as ${firstFew(others.map(shownName), 3)}.`,
  ];
}

function shownName(name: string): string {
  return shorten(name, MOST_OF_A_NAME);
}

/** Characters of a field's name where some are listed. */
const MOST_OF_A_NAME = 60;

/** The names of the numbers of parts of dates: in which column, and which number is which. */
function partNames(
  rows: readonly AnsweredRow[],
  named: readonly AnsweredRow[],
  shown: number,
): string[] {
  const names = new Map<string, Map<unknown, unknown>>();
  for (const [i, row] of rows.slice(0, shown).entries()) {
    for (const [column, value] of Object.entries(row)) {
      const name = named[i]?.[column];
      if (name === value) continue;
      names.set(column, (names.get(column) ?? new Map()).set(value, name));
    }
  }
  return [...names].map(([column, parts]) => {
    const texts = [...parts].map(([value, name]) => `${value} is ${name}`);
    return `In ${column}, ${texts.join(', ')}.`;
  });
}

/** Why no row matches, by the names of the parameters to change. */
function reasonLine({ help, sentence }: Reason): string {
  return shorten(`- ${help.parameters.join(', ')}: ${sentence}`, MOST_OF_A_REASON);
}

function receiptOf(
  { block, manifest, sent, root }: RowsAsked,
  { shown, columns, isCut }: { shown: number; columns: readonly string[]; isCut: boolean },
  citation: Citation | undefined,
): string[] {
  const isChosen = !isBlank(sent._fields) || columns.length === 0 || isGrouped(sent);
  const fields = isChosen ? {} : { _fields: columns.filter(isField).join() };
  const limit = isCut ? { _limit: shown } : {};
  const [folder] = keysOf(citation);
  return [
    addressLine(block.name, { ...sent, ...fields, ...limit }, root),
    ...(folder === undefined ? [] : [`Address of a row: ${folder}${KEYS}`]),
    citeLine(block, manifest),
  ];
}

/** The rows' addresses as their common beginning, of a folder or a version in it, and their ends. */
function keysOf(citation: Citation | undefined): [folder?: string, keys?: string[]] {
  const { version, addresses = [] } = citation ?? {};
  const [first] = addresses;
  if (first === undefined) return [];
  const folder = first.slice(0, first.lastIndexOf('/') + 1);
  if (folder.length > MOST_OF_A_FOLDER) return [];
  const ofVersion = `${folder}${version}-`;
  const common = addresses.every((address) => address.startsWith(ofVersion)) ? ofVersion : folder;
  return [common, addresses.map((address) => address.slice(common.length))];
}

/** Characters of what the addresses of rows begin with. A longer one is left out, with all keys. */
const MOST_OF_A_FOLDER = 400;

/** Characters of a row's key. A longer one is left out of the table: cut, it would be another's. */
const MOST_OF_A_KEY = 120;

/** The head of the column of keys. */
const KEYS = '<row>';

/** Rows as lines of text, and what is to be said of them. */
type TableText = {
  readonly lines: readonly string[];
  readonly columns: readonly string[];
  readonly shown: number;
  readonly notes: readonly string[];
};

/** The first rows as a table of at most so many bytes; the first one is shortened if it is longer. */
function tableText(
  rows: readonly AnsweredRow[],
  citation: Citation | undefined,
  room: number,
): TableText {
  const [first] = rows;
  if (first === undefined) return { lines: [], columns: [], shown: 0, notes: [] };
  const most = Math.min(MOST_HEADER_BYTES, room / 2);
  const columns = fitting(Object.keys(first), (name) => bytesOf(name), most, 1);
  const [, keys] = keysOf(citation);
  const header = [...columns, ...(keys === undefined ? [] : [KEYS])].join(BAR);
  let left = room - bytesOf(header);
  const shown: string[] = [];
  for (const [i, row] of rows.entries()) {
    const cells = columns.map((column) => cellText(row[column]));
    const line = lineOf(cells, keys?.[i]);
    left -= bytesOf(line);
    if (left < 0) break;
    shown.push(line);
  }
  if (shown.length > 0) {
    return { lines: [header, ...shown], columns, shown: shown.length, notes: [] };
  }
  const { line, cut } = shortenedRow(first, columns, keys?.[0], room - bytesOf(header));
  const address = citation?.addresses?.[0];
  const whole = address === undefined || address.length > MOST_OF_AN_ADDRESS ? '' : `: ${address}`;
  return {
    lines: [header, line],
    columns,
    shown: 1,
    notes: [
      `The row is shortened: ${firstFew(cut.map(shownName), 5)} end${cut.length === 1 ? 's' : ''} at …. Its address has all of it${whole}`,
    ],
  };
}

/** Characters of the address of a row that is shortened. A longer one would leave it no room. */
const MOST_OF_AN_ADDRESS = 700;

function lineOf(cells: readonly string[], key?: string): string {
  const ends = key === undefined ? [] : [key.length <= MOST_OF_A_KEY ? key : ''];
  // A blank line would end the table.
  return [...cells, ...ends].join(BAR) || 'null';
}

/** A row whose longest cells are cut, and the names of their columns. */
function shortenedRow(
  row: AnsweredRow,
  columns: readonly string[],
  key: string | undefined,
  room: number,
): { line: string; cut: string[] } {
  const cells = columns.map((column) => ({ column, text: cellText(row[column]) }));
  const written = (most: number) =>
    cells.map(({ column, text }) => {
      const value = row[column];
      if (bytesOf(text) <= most) return text;
      return cellText(shortenToBytes(typeof value === 'string' ? value : text, most));
    });
  const isFitting = (most: number) => bytesOf(lineOf(written(most), key)) <= room;
  let [fits, over] = [LEAST_OF_A_CELL, room];
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    if (isFitting(middle)) fits = middle;
    else over = middle;
  }
  return {
    line: lineOf(written(fits), key),
    cut: cells.filter(({ text }) => bytesOf(text) > fits).map(({ column }) => column),
  };
}

/** Room for a few characters and the mark of the cut. */
const LEAST_OF_A_CELL = 12;
