import type { Members } from '../arguments/given.ts';
import type { DatasetBlock } from '../block/block.ts';
import {
  describeFilters,
  type FilterText,
  type FoundRows,
  facetInWords,
  fieldsAskedAbout,
  foundInWords,
  helpSentence,
  textOfFilter,
} from '../query/answer-in-words.ts';
import type { FilterHelp } from '../query/zero-result-help.ts';
import { numberText, shorten } from '../values/wording.ts';
import { KEYS, tableText } from './table-text.ts';

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
