import type { Members } from '../../arguments/given.ts';
import type { DatasetBlock } from '../../block/block.ts';
import type { Manifest } from '../../block/manifest.ts';
import { belowRoot } from '../../http/service.ts';
import {
  type AnsweredRow,
  type AnswerInWords,
  answerInWords,
  type Citation,
  describeFilters,
  type Reason,
  type RowsParams,
  textOfFilter,
} from '../../query/answer-in-words.ts';
import { fitting, numberText, shorten } from '../../text/wording.ts';

/**
 * Fields of a row that a model reads; characters of a filter and of a sentence; reasons, and their
 * characters.
 */
const MOST_FIELDS = 10;
const MOST_OF_A_FILTER = 200;
const MOST_OF_A_SENTENCE = 600;
const MOST_REASONS = 8;
const MOST_OF_A_REASON = 600;

/**
 * Rows in words for a model, which are cited by addresses below `root`. `values` are the arguments
 * as the block read them.
 */
export function rowsInWords(
  block: DatasetBlock,
  values: Members,
  params: RowsParams,
  manifest: Pick<Manifest, 'block' | 'version' | 'rows'> | undefined,
  root: string,
): AnswerInWords {
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
      mostFields: MOST_FIELDS,
      citing: manifest && { block: manifest.block, version: manifest.version, addressOf },
    },
    params,
  );
}

/**
 * Rows as text for a model: the filter and how many rows match, the first rows, and how to get the
 * others; or why no row matches.
 */
export function rowsText(answer: AnswerInWords): string[] {
  const { headline, filters, table, next, facets, reasons } = answer;
  const where = filters.map(({ text }) => text).join(' and ');
  const sentence = `${headline}${where === '' ? '' : ` where ${where}`}`;
  return [
    `${shorten(sentence, MOST_OF_A_SENTENCE)}.`,
    ...(table.rows.length === 0 ? [] : firstRows(answer)),
    ...(next === null
      ? []
      : [`More follow: call again with the same arguments and _cursor: ${next}`]),
    ...facets,
    ...reasons.slice(0, MOST_REASONS).map(reasonLine),
  ];
}

function firstRows({ table: { columns, rows }, citation }: AnswerInWords): string[] {
  const [folder, keys] = citation?.addresses === undefined ? [] : keysOf(citation);
  const { lines, shown } = tableText(columns, rows, keys);
  const fields = Object.keys(rows[0] ?? {}).length;
  const hidden = [
    ...(shown < rows.length
      ? [
          `Rows ${numberText(shown + 1)} to ${numberText(rows.length)} of this page are in structuredContent; _limit: ${shown} gives shorter pages.`,
        ]
      : []),
    ...(columns.length < fields
      ? [
          `${numberText(columns.length)} of ${numberText(fields)} fields are shown; all are in structuredContent, and _fields picks some.`,
        ]
      : []),
  ];
  return [
    ...lines,
    ...hidden,
    ...(folder === undefined ? [] : [`Cite a row by its address: ${folder}${KEYS}`]),
    ...(citation === undefined || citation.addresses !== undefined
      ? []
      : [`Cite these figures as: ${citation.dataset}, version ${citation.version}`]),
  ];
}

/** The rows' addresses as their common beginning, of a folder or a version in it, and their ends. */
function keysOf({ version, addresses = [] }: Citation): [string, string[]] | [] {
  const [first] = addresses;
  if (first === undefined) return [];
  const folder = first.slice(0, first.lastIndexOf('/') + 1);
  const ofVersion = `${folder}${version}-`;
  const common = addresses.every((address) => address.startsWith(ofVersion)) ? ofVersion : folder;
  return [common, addresses.map((address) => address.slice(common.length))];
}

/** Why no row matches, by the names of the parameters to change. */
function reasonLine({ help, sentence }: Reason): string {
  return shorten(`- ${help.parameters.join(', ')}: ${sentence}`, MOST_OF_A_REASON);
}

/** Rows that a model reads as text, their characters, and those of a cell. */
const MOST_ROWS = 20;
const MOST_CHARACTERS = 2000;
const MOST_OF_A_CELL = 80;

/** A longer end of an address is left out of the text, since cut it would be another's. */
const MOST_OF_A_KEY = 120;

/** Rows as lines of text; `shown` is their number, at most what a model should read. */
type TableText = { readonly lines: readonly string[]; readonly shown: number };

/** Rows as a table, with the ends of their addresses as the last column, if there are any. */
export function tableText(
  columns: readonly string[],
  rows: readonly AnsweredRow[],
  keys?: readonly string[],
): TableText {
  const header = [...columns, ...(keys === undefined ? [] : [KEYS])].join(' | ');
  const lines = rows.slice(0, MOST_ROWS).map((row, i) => {
    const cells = columns.map((column) => cellText(row[column]));
    if (keys !== undefined) {
      const key = keys[i] ?? '';
      cells.push(key.length <= MOST_OF_A_KEY ? key : cellText(null));
    }
    return cells.join(' | ');
  });
  const shown = fitting(lines, ({ length }) => length, MOST_CHARACTERS, 1);
  return { lines: [header, ...shown], shown: shown.length };
}

/** The head of the column of keys. */
const KEYS = '<row>';

/** A value on one line; bars and line ends become spaces, since they end cells and rows. */
function cellText(value: unknown): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '-');
  return shorten(text.replace(/[\s|]+/g, ' '), MOST_OF_A_CELL);
}

/** A value's members, one per line; a list of objects becomes a table. */
export function valueText(params: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(params).flatMap(([name, value]) => {
    if (!Array.isArray(value)) return [`${name}: ${cellText(value)}`];
    if (value.length === 0) return [`${name}: none`];
    if (typeof value[0] !== 'object') return [`${name}: ${cellText(value)}`];
    return [`${name}:`, ...tableText(Object.keys(value[0]), value).lines];
  });
}
