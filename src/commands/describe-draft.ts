import stringWidth from 'string-width';
import { drawTable, wrapped } from '../channels/terminal/draw-table.ts';
import type { ColumnDecision } from '../import/column-decision.ts';
import { numberText as count, numberText, OBEYED, showCell } from '../text/wording.ts';
import type { Value } from '../values/field-type.ts';
import { isLabel } from '../values/field-types.ts';
import { type Draft, placesOf } from './draft-block.ts';
import { type AddChoices, wordsOf } from './options.ts';

/** The decisions of a draft as lines for a terminal: a table, notes, and names that were made. */
export function describeDraft(
  { columns, rows, counts, notes, block }: Draft,
  width: number | undefined,
): string[] {
  const fields = new Map(block.fields.map((field) => [field.name, field]));
  const cells = columns.map(({ name, decision }) => {
    const { unit, indexed, main } = fields.get(name) ?? {};
    const marks = [
      ...(unit === undefined ? [] : [`in ${unit}`]),
      ...(main ? ['main'] : []),
      ...(indexed ? ['indexed'] : []),
      ...([block.primaryKey].flat().includes(name) ? ['key'] : []),
    ];
    return [
      name,
      marks.length === 0 ? decision.type : `${decision.type}, ${marks.join(', ')}`,
      decision.why,
      placesOf(decision, counts),
      count(decision.blanks + sum(decision.missing.map((word) => word.count))),
      `${decision.distinct.isExact ? '' : 'over '}${count(decision.distinct.count)}`,
      rangeText(name, decision),
    ];
  });
  const renamed = columns.filter(({ why }) => why !== undefined);
  const words = columns.filter(({ decision }) => decision.missing.length > 0);
  const table = drawTable(
    ['column', 'type', 'because it', 'decided by', 'blank', 'distinct', 'range'].map((name) => ({
      name,
      isNumber: name === 'blank' || name === 'distinct',
    })),
    cells,
  );
  const isWide = table.some((line) => stringWidth(line) > (width ?? Number.POSITIVE_INFINITY));
  return [
    ...(isWide ? describeColumns(cells, width as number) : table),
    '',
    `${count(rows)} ${rows === 1 ? 'row' : 'rows'}`,
    ...renamed.map(({ name, header, why }) => `${showCell(header)} is called ${name}: ${why}`),
    ...words.map(
      ({ name, decision }) => `${name}: nothing is meant by ${missingWords(decision, counts)}`,
    ),
    ...notes,
  ];
}

/** The cells of the table as sentences, for a terminal that is narrower. */
function describeColumns(cells: readonly (readonly string[])[], width: number): string[] {
  const most = Math.max(0, ...cells.map(([name = '']) => stringWidth(name)));
  return cells.flatMap(([name = '', type, because, places, blank, distinct, range]) => {
    const counts = [
      `${distinct} distinct`,
      ...(blank === '0' ? [] : [`${blank} blank`]),
      ...(range === '' ? [] : [range]),
    ].join(', ');
    const space = ' '.repeat(
      Math.min(most, MOST_INDENT) - Math.min(stringWidth(name), MOST_INDENT),
    );
    const lines = wrapped(`${because}: ${places}; ${counts}`, width - MARGIN.length);
    return [`${name}${space}  ${type}`, ...lines.map((line) => MARGIN + line)];
  });
}

const MOST_INDENT = 30;
const MARGIN = '    ';

/** The options that decide the same without asking. */
export function optionsOf(choices: AddChoices): string {
  return wordsOf(choices)
    .filter(([option, value]) => option !== '--encoding' || value !== 'utf-8')
    .map(([option, value]) => ` ${option} ${quoted(value)}`)
    .join('');
}

/** A word for a POSIX shell. What a terminal would obey is escaped in `$'…'` (POSIX 2024). */
export function quoted(word: string): string {
  if (word.search(OBEYED) >= 0) {
    const escaped = word.replace(/[\\']/g, '\\$&').replace(OBEYED, (character) => {
      return [...Buffer.from(character)]
        .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
        .join('');
    });
    return `$'${escaped}'`;
  }
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function missingWords({ missing }: ColumnDecision, counts: Draft['counts']): string {
  return missing
    .map(
      (word) =>
        `${showCell(word.cell, 24)} (${count(word.count)}, first in ${counts} ${word.line})`,
    )
    .join(', ');
}

function rangeText(name: string, { range, type }: ColumnDecision): string {
  if (range === undefined) return '';
  const { min, max } = range;
  if (typeof min === 'string' || typeof max === 'string') return `${min} to ${max}`;
  const shown = isLabel({ name, type }, { min, max }) ? String : numberText;
  return `${shown(min)} to ${shown(max)}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

/** The most cells to show of a key; without a key, all cells of a row identify it. */
const SHOWN_OF_KEY = 4;

/** A value as lines for a terminal show it. */
export function showValue(value: Value): string {
  if (value === null) return 'blank';
  return typeof value === 'string' ? showCell(value, 24) : String(value);
}

export function showKey(key: readonly Value[]): string {
  return key.slice(0, SHOWN_OF_KEY).map(showValue).join(', ');
}
