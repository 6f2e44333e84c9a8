import type { DataTableBlock, RawNumberElement, RawTextElement } from '@slack/types';
import { SLACK_LIMITS } from './limits.ts';
import { NOTHING, slackText } from './slack-text.ts';

export type Column = { readonly name: string; readonly title: string };

export type TableAsked = {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** The column that identifies the rows. */
  readonly header?: string;
};

/** A table with as many rows and columns as Slack takes, and how many that is. */
export type FittedTable = {
  readonly table: DataTableBlock;
  readonly rows: number;
  readonly columns: number;
  /** Whether a value is longer than a cell. */
  readonly isCut: boolean;
};

/** How many rows are visible without scrolling; Slack offers the other pages. */
const PAGE_SIZE = 10;

/** Rows (at least one) as a Slack table. Numbers stay numbers, so that Slack sorts them as such. */
export function dataTable({ caption, columns, rows, header }: TableAsked): FittedTable {
  const shown = columns.slice(0, SLACK_LIMITS.tableColumns);
  const titles = shown.map(({ title }) => textCell(title, SLACK_LIMITS.titleCharacters));
  const table: Cell[][] = [titles];
  let left = SLACK_LIMITS.tableCharacters - charactersOf(titles);
  let isCut = false;
  for (const row of rows.slice(0, SLACK_LIMITS.tableRows - 1)) {
    const cells = shown.map(({ name }) => cellOf(row[name]));
    left -= charactersOf(cells);
    if (left < 0) break;
    table.push(cells);
    isCut ||= shown.some(({ name }) => isLong(row[name]));
  }
  const index = shown.findIndex(({ name }) => name === header);
  return {
    table: {
      type: 'data_table',
      caption: slackText(caption, SLACK_LIMITS.titleCharacters),
      page_size: PAGE_SIZE,
      row_header_column_index: Math.max(0, index),
      rows: table,
    },
    rows: table.length - 1,
    columns: shown.length,
    isCut,
  };
}

/** The decimals shown, as on a page; the value that Slack sorts by has all. */
const DECIMALS = 3;

type Cell = RawTextElement | RawNumberElement;

function cellOf(value: unknown): Cell {
  if (typeof value !== 'number') return textCell(textOf(value), SLACK_LIMITS.cellCharacters);
  return { type: 'raw_number', value, text: String(Number(value.toFixed(DECIMALS))) };
}

function textCell(text: string, most: number): RawTextElement {
  return { type: 'raw_text', text: slackText(text, most) };
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return NOTHING;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isLong(value: unknown): boolean {
  const { cellCharacters } = SLACK_LIMITS;
  return slackText(textOf(value), Number.POSITIVE_INFINITY).length > cellCharacters;
}

function charactersOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { text }) => sum + text.length, 0);
}
