import { drawTable } from '../command-line/draw-table.ts';
import type { ColumnDecision } from '../importer/column-decision.ts';
import { showCell } from '../words/show-cell.ts';
import { type Draft, placesOf } from './draft-block.ts';
import type { Wishes } from './wishes.ts';

/** The decisions of a draft as lines for a terminal: a table, notes, and names that were made. */
export function describeDraft(
  { columns, rows, notes, block }: Draft,
  width: number | undefined,
): string[] {
  const fields = new Map(block.fields.map((field) => [field.name, field]));
  const cells = columns.map(({ name, decision }) => {
    const { unit, indexed, main } = fields.get(name) ?? {};
    const marks = [
      ...(unit === undefined ? [] : [`in ${unit}`]),
      ...(main ? ['main'] : []),
      ...(indexed ? ['indexed'] : []),
      ...(block.primaryKey === name ? ['key'] : []),
    ];
    return [
      name,
      marks.length === 0 ? decision.type : `${decision.type}, ${marks.join(', ')}`,
      decision.why,
      placesOf(decision),
      count(decision.blanks + sum(decision.missing.map((word) => word.count))),
      `${decision.distinct.isExact ? '' : 'over '}${count(decision.distinct.count)}`,
      rangeOf(decision),
    ];
  });
  const renamed = columns.filter(({ why }) => why !== undefined);
  const words = columns.filter(({ decision }) => decision.missing.length > 0);
  return [
    ...drawTable(
      ['column', 'type', 'because it', 'decided by', 'blank', 'distinct', 'range'].map((name) => ({
        name,
        isNumber: name === 'blank' || name === 'distinct',
      })),
      cells,
      width,
    ),
    '',
    `${count(rows)} rows`,
    ...renamed.map(({ name, header, why }) => `${showCell(header)} is called ${name}: ${why}`),
    ...words.map(({ name, decision }) => `${name}: nothing is meant by ${wordsOf(decision)}`),
    ...notes,
  ];
}

/** The options that decide the same without asking. */
export function optionsOf({ name, encoding, delimiter, header, ...rest }: Wishes): string {
  const { sheet, dates, decimal, types } = rest;
  const options = [
    ...(name === undefined ? [] : ['--name', name]),
    ...(encoding === undefined || encoding === 'utf-8' ? [] : ['--encoding', encoding]),
    ...(delimiter === undefined
      ? []
      : ['--delimiter', delimiter === '\t' ? 'tab' : `'${delimiter}'`]),
    ...(header === undefined ? [] : ['--header', header ? 'yes' : 'no']),
    ...(sheet === undefined ? [] : ['--sheet', quoted(sheet)]),
    ...(dates === undefined ? [] : ['--dates', dates]),
    ...(decimal === undefined ? [] : ['--decimal', `'${decimal}'`]),
    ...[...types].flatMap(([column, type]) => ['--type', quoted(`${column}=${type}`)]),
  ];
  return options.map((option) => ` ${option}`).join('');
}

/** A word for a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function wordsOf({ missing }: ColumnDecision): string {
  return missing
    .map((word) => `${showCell(word.cell, 24)} (${count(word.count)}, first in line ${word.line})`)
    .join(', ');
}

function rangeOf({ range }: ColumnDecision): string {
  return range === undefined ? '' : `${range.min} to ${range.max}`;
}

function count(number: number): string {
  return number.toLocaleString('en');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
