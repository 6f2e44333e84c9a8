import type { Members } from '../../arguments/given.ts';
import type { DatasetBlock } from '../../block/block.ts';
import {
  describeFilters,
  type FilterText,
  type FoundRows,
  facetInWords,
  fieldsAskedAbout,
  foundInWords,
  helpSentence,
  textOfFilter,
} from '../../query/answer-in-words.ts';
import type { FilterHelp } from '../../query/zero-result-help.ts';
import { numberText, shorten } from '../../text/wording.ts';

const MOST_COLUMNS = 10;
const MOST_OF_A_FILTER = 200;
const MOST_OF_A_SENTENCE = 600;
const MOST_HELP = 8;
const MOST_OF_HELP = 600;

/**
 * How an answer is cited: by its rows' addresses, all of the same folder, or if it has groups, by the
 * block's address and the version of its data.
 */
export type Cited = {
  readonly version: string;
  readonly data: string;
  readonly addresses?: readonly string[] | undefined;
};

/**
 * Rows as text for a model: the filter and how many rows match, the first rows, and how to get the
 * others; or why no row matches. `values` are the arguments as the block read them, `all` is the
 * number of rows in the dataset.
 */
export function rowsText(
  block: DatasetBlock,
  values: Members,
  params: FoundRows,
  all: number | undefined,
  cited?: Cited,
): string[] {
  const { noun } = block;
  const filters = describeFilters(block, values).map((filter) => ({
    ...filter,
    text: shorten(filter.text, MOST_OF_A_FILTER),
  }));
  const where = filters.map(({ text }) => text).join(' and ');
  const sentence = `${foundInWords(values, params.total, noun, all)}${where === '' ? '' : ` where ${where}`}`;
  return [
    `${shorten(sentence, MOST_OF_A_SENTENCE)}.`,
    ...(params.results.length === 0
      ? []
      : firstRows(columnsOf(block, values, params), params, cited)),
    ...(params.next === null
      ? []
      : [`More follow: call again with the same arguments and _cursor: ${params.next}`]),
    ...Object.entries(params.facets ?? {}).map(([name, facet]) => facetInWords(name, facet)),
    ...(params.help ?? []).slice(0, MOST_HELP).map((help) => helpLine(help, filters, noun)),
  ];
}

/** The columns to show: the key fields, and those that the arguments are about. */
function columnsOf(
  { keyFields, parameters }: DatasetBlock,
  values: Members,
  { results: [first = {}] }: FoundRows,
): string[] {
  const fields = Object.keys(first);
  const wanted = fieldsAskedAbout(keyFields, parameters, values, fields);
  const others = fields.filter((name) => !wanted.includes(name));
  // If the rows have few fields, such as by _fields, show all of them.
  const columns = fields.length <= MOST_COLUMNS ? [...wanted, ...others] : wanted;
  return (columns.length === 0 ? others : columns).slice(0, MOST_COLUMNS);
}

function firstRows(
  columns: readonly string[],
  { results, count }: FoundRows,
  cited: Cited | undefined,
): string[] {
  const [folder, keys] = cited?.addresses === undefined ? [] : keysOf(cited, cited.addresses);
  const { lines, shown } = tableText(columns, results, keys);
  const fields = Object.keys(results[0] ?? {}).length;
  const hidden = [
    ...(shown < count
      ? [
          `Rows ${numberText(shown + 1)} to ${numberText(count)} of this page are in structuredContent; _limit: ${shown} gives shorter pages.`,
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
    ...(cited === undefined || cited.addresses !== undefined
      ? []
      : [`Cite these figures as: ${cited.data}, version ${cited.version}`]),
  ];
}

/** The rows' addresses as their common beginning, of a folder or a version in it, and their ends. */
function keysOf({ version }: Cited, addresses: readonly string[]): [string, string[]] | [] {
  const [first] = addresses;
  if (first === undefined) return [];
  const folder = first.slice(0, first.lastIndexOf('/') + 1);
  const ofVersion = `${folder}${version}-`;
  const common = addresses.every((address) => address.startsWith(ofVersion)) ? ofVersion : folder;
  return [common, addresses.map((address) => address.slice(common.length))];
}

/** Why no row matches, by the names of the parameters to change. */
function helpLine(help: FilterHelp, filters: readonly FilterText[], noun: string): string {
  const filter = shorten(textOfFilter(filters, help.parameters), MOST_OF_A_FILTER);
  const name = help.parameters.join(', ');
  return shorten(`- ${name}: ${helpSentence(help, filter, noun)}`, MOST_OF_HELP);
}

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
  rows: readonly Readonly<Record<string, unknown>>[],
  keys?: readonly string[],
): TableText {
  const lines = [[...columns, ...(keys === undefined ? [] : [KEYS])].join(' | ')];
  let characters = 0;
  for (const [i, row] of rows.slice(0, MOST_ROWS).entries()) {
    const cells = columns.map((column) => cellText(row[column]));
    if (keys !== undefined) {
      const key = keys[i] ?? '';
      cells.push(key.length <= MOST_OF_A_KEY ? key : cellText(null));
    }
    const line = cells.join(' | ');
    characters += line.length;
    if (characters > MOST_CHARACTERS && lines.length > 1) break;
    lines.push(line);
  }
  return { lines, shown: lines.length - 1 };
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
