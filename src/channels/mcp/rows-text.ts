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
  type Fitted,
  fitEntries,
  fittingLines,
  markedAsData,
  shortenToBytes,
} from './data-text.ts';
import { addressLine, citeLine, filesLine, notesOf } from './receipt.ts';
import { cursorAfter } from './rows-cursor.ts';
import { KEYS, keysOf, tableOf } from './rows-table.ts';

/**
 * Fields of a row that a model reads if it chooses none; characters of a filter in the sentence that
 * repeats the question, and of a reason why no row matches.
 */
const MOST_FIELDS = 10;
const MOST_OF_A_FILTER = 200;
const MOST_OF_A_REASON = 600;

/** Characters of a field's name where some are listed. */
const MOST_OF_A_NAME = 60;

/**
 * Bytes of that sentence, of all facets, and of all reasons. With the head of a table and all else
 * around it they leave a table some hundred bytes.
 */
const MOST_SENTENCE_BYTES = 700;
const MOST_FACETS_BYTES = 1500;
const MOST_REASONS_BYTES = 3000;

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

/**
 * Rows as text for a model: what was asked, as many rows as fit, how many more there are and how to
 * go on, and what to cite; or why no row matches. A row that is too long for an answer is passed.
 */
export function rowsText(
  asked: RowsCall,
  params: RowsParams,
  warnings: readonly Warning[],
): Fitted {
  const answer = inWords(asked, params);
  const { citation, next, facets, reasons, without } = answer;
  const table = tableOf(params.results, citation);
  const { columns } = table;
  const sentence = shortenToBytes(asData(`${sentenceOf(asked, answer)}.`), MOST_SENTENCE_BYTES);
  const about = [
    ...fittingLines(
      facets,
      MOST_FACETS_BYTES,
      (more) => `${numberText(more)} more facets are left out; ask for fewer.`,
    ),
    ...fittingLines(
      reasons.map(reasonLine),
      MOST_REASONS_BYTES,
      (more) => `${numberText(more)} more filters are not explained.`,
    ),
  ];
  const notes = notesOf(warnings);
  const { lines, shown } = fitEntries(params.count, (fitting) => {
    const passed = Math.min(params.count, Math.max(1, fitting));
    const isCut = passed < params.count || next !== null;
    return [
      sentence,
      // A blank line ends the table, so that nothing else is read as a row.
      ...markedAsData([
        ...(fitting === 0 ? [] : [table.header, ...table.lines.slice(0, fitting)]),
        ...(about.length > 0 ? ['', ...about] : []),
      ]),
      ...without,
      ...(fitting < passed ? [tooLong(citation)] : []),
      ...goOn(asked, params, passed, next),
      ...hiddenFields(asked, params, columns),
      ...partNames(params.results, answer.table.rows, fitting),
      ...notes,
      ...receiptOf(asked, { shown: passed, columns, isCut }, citation),
    ];
  });
  return { lines, shown: Math.min(params.count, Math.max(1, shown)) };
}

/** Says that the first row does not fit, and where it is. */
function tooLong(citation: Citation | undefined): string {
  const address = citation?.addresses?.[0];
  const where =
    address === undefined || address.length > MOST_OF_AN_ADDRESS
      ? ''
      : `; all of it is at ${address}`;
  return `The first row is too long for an answer: take fewer _fields${where}`;
}

/** Characters of the address of a row that is too long for an answer. */
const MOST_OF_AN_ADDRESS = 700;

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
    `${numberText(shown.length)} of ${numberText(all.length)} fields are shown; _fields takes others, such as ${firstFew(
      others.map((name) => shorten(name, MOST_OF_A_NAME)),
      3,
    )}.`,
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
