import type { Members } from '../core/arguments.ts';
import type { DatasetBlock } from '../core/block.ts';
import { countText } from '../core/count-text.ts';
import { describeFilters, type FilterText } from '../core/describe-filters.ts';
import { filtersOf } from '../core/filters.ts';
import { helpSentence } from '../core/help-sentence.ts';
import type { FilterHelp } from '../core/zero-result-help.ts';
import { cutText } from './cut-text.ts';
import { tableText } from './table-text.ts';

/** The `params` that a dataset's block answers with. */
export type RowsParams = {
  readonly results: readonly Readonly<Record<string, unknown>>[];
  readonly count: number;
  readonly total: number | null;
  readonly next: string | null;
  readonly help?: readonly FilterHelp[];
};

const MOST_COLUMNS = 10;
const MOST_OF_A_FILTER = 200;
const MOST_OF_A_SENTENCE = 600;
const MOST_HELP = 8;
const MOST_OF_HELP = 600;

/**
 * Rows as a model reads them: what was asked and how many match, the first rows, and how to get
 * the others; or why there is none. `values` are the arguments as the block read them, `all` the
 * rows of the dataset.
 */
export function rowsText(
  block: DatasetBlock,
  values: Members,
  params: RowsParams,
  all: number | undefined,
): string[] {
  const { noun } = block;
  const filters = describeFilters(block, values).map(({ parameters, text }) => ({
    parameters,
    text: cutText(text, MOST_OF_A_FILTER),
  }));
  const where = filters.map(({ text }) => text).join(' and ');
  const sentence = `${counted(params, noun, all)}${where === '' ? '' : ` where ${where}`}`;
  return [
    `${cutText(sentence, MOST_OF_A_SENTENCE)}.`,
    ...(params.results.length === 0 ? [] : firstRows(columnsOf(block, filters, params), params)),
    ...(params.next === null
      ? []
      : [`More follow: call again with the same arguments and _cursor: ${params.next}`]),
    ...(params.help ?? []).slice(0, MOST_HELP).map((help) => helpLine(help, filters, noun)),
  ];
}

function counted({ total, count, next }: RowsParams, noun: string, all?: number): string {
  if (total === null) return `${count} ${noun}${next === null ? '' : ', and more may follow,'}`;
  return countText(total, all, noun);
}

/** Those that the rows are known by, and those that were asked about. */
function columnsOf(
  block: DatasetBlock,
  filters: readonly FilterText[],
  { results: [first = {}] }: RowsParams,
): string[] {
  const asked = filters.flatMap(({ parameters }) =>
    parameters.flatMap((name) => filtersOf(block).get(name)?.field.name ?? []),
  );
  const wanted = [...new Set([...block.keyFields, ...asked])].filter((name) =>
    Object.hasOwn(first, name),
  );
  const others = Object.keys(first).filter((name) => !wanted.includes(name));
  // Few fields were asked for by _fields: then all of those.
  const columns = Object.keys(first).length <= MOST_COLUMNS ? [...wanted, ...others] : wanted;
  return (columns.length === 0 ? others : columns).slice(0, MOST_COLUMNS);
}

function firstRows(columns: readonly string[], { results, count }: RowsParams): string[] {
  const { lines, shown } = tableText(columns, results);
  const fields = Object.keys(results[0] ?? {}).length;
  const hidden = [
    ...(shown < count
      ? [
          `Rows ${shown + 1} to ${count} of this page are in structuredContent; _limit: ${shown} gives shorter pages.`,
        ]
      : []),
    ...(columns.length < fields
      ? [
          `${columns.length} of ${fields} fields are shown; all are in structuredContent, and _fields picks some.`,
        ]
      : []),
  ];
  return [...lines, ...hidden];
}

/** Why no row matches, under the names by which a call is mended. */
function helpLine(help: FilterHelp, filters: readonly FilterText[], noun: string): string {
  const name = help.parameters.join(', ');
  const filter = filters.find(({ parameters }) => parameters[0] === help.parameters[0])?.text;
  return cutText(`- ${name}: ${helpSentence(help, filter ?? name, noun)}`, MOST_OF_HELP);
}
