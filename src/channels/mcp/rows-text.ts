import { hasOwnColumns, isBlank, isOfTwoNumbers, type Members } from '../../arguments/given.ts';
import { belowRoot } from '../../block/addresses.ts';
import type { DatasetBlock } from '../../block/block.ts';
import { groupColumns, groupingOf } from '../../block/grouping.ts';
import type { Manifest } from '../../block/manifest.ts';
import { NEAR } from '../../block/parameter.ts';
import type { ListedFile } from '../../formats/files.ts';
import type { Warning } from '../../problem/errors.ts';
import {
  type AnsweredRow,
  type AnswerInWords,
  answerInWords,
  type Citation,
  fieldsToShow,
  orderInWords,
  type Reason,
  type RowsParams,
} from '../../query/answer-in-words.ts';
import { describeFilters, describeHaving, textOfFilter } from '../../query/filters-in-words.ts';
import { firstFew, numberText, shorten } from '../../text/wording.ts';
import { DISTANCE } from '../../values/places.ts';
import {
  asData,
  bytesOfLines,
  fittingLines,
  MOST_TEXT_BYTES,
  markedAsData,
  shortenToBytes,
} from './data-text.ts';
import { addressLine, citeLine, filesLine, notesOf } from './receipt.ts';
import { cursorAfter } from './rows-cursor.ts';
import { KEYS, keysOf, shownName, tableText } from './rows-table.ts';

/**
 * Fields of a row that a model reads if it chooses none; characters of a filter in the sentence that
 * repeats the question, and of a reason why no row matches.
 */
const MOST_FIELDS = 10;
const MOST_OF_A_FILTER = 200;
const MOST_OF_A_REASON = 600;

/**
 * Bytes of that sentence, of all facets, and of all reasons. With the head of a table and all else
 * around it they leave a table some hundred bytes.
 */
const MOST_SENTENCE_BYTES = 700;
const MOST_FACETS_BYTES = 1500;
const MOST_REASONS_BYTES = 3000;

/** Bytes that a cut table leaves for the cursor, which is only known once the block is asked again. */
const MOST_CURSOR_BYTES = 200;

/** What was asked of a block with rows. */
export type RowsCall = {
  readonly block: DatasetBlock;
  readonly manifest: Manifest | undefined;
  /** The files with all rows. */
  readonly files?: readonly ListedFile[];
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
  if (hasOwnColumns(sent) || !isBlank(sent._fields)) return undefined;
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
  asked: RowsCall,
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
  asked: RowsCall,
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
      ...answer.without,
      ...goOn(asked, params, shown, next),
      ...table.notes,
      ...hiddenFields(asked, params, table.columns),
      ...partNames(params.results, answer.table.rows, shown),
      ...notesOf(warnings),
      ...receiptOf(asked, { shown, columns: table.columns, isCut }, citation),
    ],
  };
}

function inWords({ block, manifest, values, root }: RowsCall, params: RowsParams) {
  const filters = describeFilters(block, values).map((filter) => ({
    ...filter,
    text: shorten(filter.text, MOST_OF_A_FILTER),
  }));
  const { noun, keyFields, parameters } = block;
  const addressOf = (reference: string) => new URL(belowRoot(reference), root).href;
  return answerInWords(
    {
      noun,
      keyFields,
      parameters,
      filters,
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
function sentenceOf({ block, values }: RowsCall, { headline, filters }: AnswerInWords): string {
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
  { before = undefined, sent }: Pick<RowsCall, 'before' | 'sent'>,
  { total, count }: RowsParams,
  shown: number,
  next: string | null,
): string[] {
  if (shown === count && next === null) return [];
  if (isOfTwoNumbers(sent)) {
    return [`${numberText(shown)} of ${numberText(total)} are here. A filter leaves fewer.`];
  }
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

/** Says which fields are shown, if they are not all. */
function hiddenFields(
  { block, sent }: RowsCall,
  { results }: RowsParams,
  shown: readonly string[],
): string[] {
  const [first] = results;
  if (first === undefined) return [];
  const isChosen = !isBlank(sent._fields) || hasOwnColumns(sent);
  const all = isChosen ? Object.keys(first) : fieldsOfRows(block, sent);
  if (shown.length >= all.length) return [];
  const others = all.filter((name) => !shown.includes(name));
  return [
    `${numberText(shown.length)} of ${numberText(all.length)} fields are shown; _fields takes others, such as ${firstFew(others.map(shownName), 3)}.`,
  ];
}

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
  { block, manifest, files = [], sent, root }: RowsCall,
  { shown, columns, isCut }: { shown: number; columns: readonly string[]; isCut: boolean },
  citation: Citation | undefined,
): string[] {
  const isChosen = !isBlank(sent._fields) || columns.length === 0 || hasOwnColumns(sent);
  const fields = isChosen ? {} : { _fields: columns.filter(isField).join() };
  const limit = isCut && !isOfTwoNumbers(sent) ? { _limit: shown } : {};
  const [folder] = keysOf(citation);
  return [
    addressLine(block.name, { ...sent, ...fields, ...limit }, root),
    ...(folder === undefined ? [] : [`Address of a row: ${folder}${KEYS}`]),
    ...filesLine(block, files, root),
    citeLine(block, manifest),
  ];
}
