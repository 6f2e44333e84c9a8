import { termsOf } from '../chat/terms.ts';
import { writeFilter } from '../chat/write-command.ts';
import type { Members } from '../core/arguments.ts';
import { countText } from '../core/count-text.ts';
import { helpSentence } from '../core/help-sentence.ts';
import type { FilterHelp } from '../core/zero-result-help.ts';
import { drawTable } from './draw-table.ts';
import { printable } from './printable.ts';
import type { Description } from './service.ts';

type Row = Readonly<Record<string, unknown>>;

/** An answer's `params` as text for a terminal of a width, if it has one. */
export function answerText(
  block: Description,
  given: Members,
  params: Members,
  width?: number,
): string {
  const lines = Array.isArray(params.results)
    ? rowsText(block, given, params as Rows, width)
    : valueText(params, width);
  return lines.map((line) => `${line}\n`).join('');
}

type Rows = {
  readonly results: readonly Row[];
  readonly total: number | null;
  readonly next: string | null;
  readonly help?: readonly FilterHelp[];
};

function rowsText(block: Description, given: Members, rows: Rows, width?: number): string[] {
  const { results, help = [] } = rows;
  const noun = printable(block.noun ?? 'rows');
  const names = columnsOf(block, given, results);
  const table = results.length === 0 ? [] : [...tableOf(block, names, results, width), ''];
  const helped = help.map((one) =>
    helpSentence(one, writeFilter(block, given, one.parameters), noun),
  );
  const quoted = results.length === 0 ? quotedValues(given) : [];
  return [...table, counted(block, rows, noun), ...[...helped, ...quoted].map(printable)];
}

/** Quotes that a chat takes off, and a shell has left: most likely none was meant. */
function quotedValues(given: Members): string[] {
  return Object.values(given)
    .flat()
    .filter((value) => typeof value === 'string' && /^".*"$/s.test(value))
    .map((value) => `In ${value} the double quotes are letters: the shell's own are enough.`);
}

/** All that match, of all that there are. */
function counted({ dataset }: Description, { results, total, next }: Rows, noun: string): string {
  if (total === null) return `${results.length} ${noun}${next === null ? '' : ' here'}`;
  return countText(total, dataset?.rows, noun);
}

/** The fields that were asked for; else the block's first ones, and those that the line names. */
function columnsOf(block: Description, given: Members, [first = {}]: readonly Row[]): string[] {
  if (Object.hasOwn(given, '_fields') || block.key_fields === undefined) return Object.keys(first);
  const sort = typeof given._sort === 'string' ? [given._sort.replace(/^-/, '')] : [];
  const named = block.parameters.flatMap(({ name, field = name }) =>
    Object.hasOwn(given, name) ? [field] : [],
  );
  return [...new Set([...block.key_fields, ...Object.keys(given), ...named, ...sort])].filter(
    (name) => Object.hasOwn(first, name),
  );
}

function tableOf(
  block: Description,
  names: readonly string[],
  rows: readonly Row[],
  width?: number,
): string[] {
  const short = shortNames(block);
  const columns = names.map((name) => ({
    name: printable(short.get(name) ?? name),
    isNumber: rows.every((row) => row[name] === null || typeof row[name] === 'number'),
  }));
  return drawTable(
    columns,
    rows.map((row) => names.map((name) => cellText(row[name]))),
    width,
  );
}

/** A field's name as it can be typed: the column's head says how to filter by it. */
function shortNames(block: Description): Map<string, string> {
  return new Map(
    termsOf(block).flatMap(({ names }) => names.map((name) => [name, names[0] ?? name])),
  );
}

function valueText(params: Members, width?: number): string[] {
  const members = Object.entries(params);
  const plain = members.filter(([, value]) => !isTable(value));
  const tables = members.filter(([, value]) => isTable(value));
  const [, ...lines] = drawTable(
    ['name', 'value'].map((name) => ({ name, isNumber: false })),
    plain.map(([name, value]) => [printable(name), cellText(value)]),
    width,
  );
  return [
    ...lines,
    ...tables.flatMap(([name, value]) => {
      const rows = value as Row[];
      const columns = Object.keys(rows[0] ?? {});
      const found = columns.map((one) => ({
        name: printable(one),
        isNumber: rows.every((row) => typeof row[one] === 'number'),
      }));
      const cells = rows.map((row) => columns.map((one) => cellText(row[one])));
      return ['', printable(name), ...drawTable(found, cells, width)];
    }),
  ];
}

function isTable(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
  );
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cellText).join(' ');
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
}
