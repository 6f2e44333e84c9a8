import type { Members } from '../../arguments/given.ts';
import type { BlockDescription } from '../../block/describe-block.ts';
import { type AnsweredRow, answerInWords, type RowsParams } from '../../query/answer-in-words.ts';
import { inOneLine } from '../../text/wording.ts';
import { termsOf } from '../chat/command.ts';
import { rowsQuestion } from '../chat/write-command.ts';
import { drawTable } from './draw-table.ts';

/** An answer's `params` as text for a terminal; not cut if no width is known. */
export function answerText(
  block: BlockDescription,
  given: Members,
  params: Members,
  width?: number,
): string {
  const lines = Array.isArray(params.results)
    ? rowsText(block, given, params as RowsParams, width)
    : valueText(params, width);
  return lines.map((line) => `${line}\n`).join('');
}

function rowsText(
  block: BlockDescription,
  given: Members,
  params: RowsParams,
  width?: number,
): string[] {
  const answer = answerInWords(rowsQuestion(block, given), params);
  const { headline, without, table, reasons, facets } = answer;
  const { columns, rows } = table;
  const isEmpty = rows.length === 0;
  const said = [
    headline,
    ...without,
    ...reasons.map(({ sentence }) => sentence),
    ...facets,
    ...(isEmpty ? quotedValues(given) : []),
  ];
  return [
    ...(isEmpty ? [] : [...tableOf(shortNames(block), columns, rows, width), '']),
    ...said.map(inOneLine),
  ];
}

/** Notes on values in double quotes: a chat removes them, but here the shell has passed them on. */
function quotedValues(given: Members): string[] {
  return Object.values(given)
    .flat()
    .filter((value) => typeof value === 'string' && /^".*"$/s.test(value))
    .map((value) => `In ${value} the double quotes are letters: the shell's own are enough.`);
}

function tableOf(
  short: ReadonlyMap<string, string>,
  names: readonly string[],
  rows: readonly AnsweredRow[],
  width?: number,
): string[] {
  const columns = names.map((name) => ({
    name: inOneLine(short.get(name) ?? name),
    isNumber: rows.every((row) => row[name] === null || typeof row[name] === 'number'),
  }));
  return drawTable(
    columns,
    rows.map((row) => names.map((name) => cellText(row[name]))),
    width,
  );
}

/** Short names by long ones: a column's head then shows the name to type in a filter. */
function shortNames(block: BlockDescription): Map<string, string> {
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
    plain.map(([name, value]) => [inOneLine(name), cellText(value)]),
    width,
  );
  return [
    ...lines,
    ...tables.flatMap(([name, value]) => {
      const rows = value as AnsweredRow[];
      return ['', inOneLine(name), ...tableOf(new Map(), Object.keys(rows[0] ?? {}), rows, width)];
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
  return inOneLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
}
