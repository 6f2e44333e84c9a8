import type {
  DataTableBlock,
  KnownBlock,
  MessageAttachment,
  RawNumberElement,
  RawTextElement,
} from '@slack/types';
import { isBlank, type Members } from '../../arguments/given.ts';
import type { ColorRoles } from '../../block/block.ts';
import type { BlockDescription } from '../../block/describe-block.ts';
import { belowRoot } from '../../http/service.ts';
import { ANSWER_CUT, type Warning } from '../../problem/errors.ts';
import { type FoundRows, fieldsAskedAbout, isGrouped } from '../../query/answer-in-words.ts';
import { numberText } from '../../text/wording.ts';
import { DISTANCE } from '../../values/places.ts';
import { writeColor } from '../chat/read-command.ts';
import { summaryOf } from '../chat/write-command.ts';
import {
  ephemeral,
  NOTHING,
  plain,
  remarks,
  SLACK_LIMITS,
  type SlackMessage,
  sections,
  slackText,
} from './message.ts';
import type { AskedCommand } from './slash-command.ts';

/** Rows as a message: how many match, a table of them, and what does not fit. */
export function rowsMessage(
  asked: AskedCommand,
  found: FoundRows,
  warnings: readonly Warning[],
): SlackMessage {
  const { results } = found;
  const { count, reasons } = summaryOf(asked.block, asked.given, found);
  // The warning that the answer is cut is for programs; the remarks below say it with numbers.
  const told = warnings.filter(({ title }) => title !== ANSWER_CUT).map(({ message }) => message);
  if (results.length === 0) {
    return ephemeral(count, [
      ...sections([count, asked.line, ...reasons]),
      ...remarks(told),
      ...asked.link,
    ]);
  }
  const columns = columnsOf(asked, results[0] ?? {});
  const header = asked.block.parameters.find(({ main }) => main)?.name;
  const fitted = dataTable({
    caption: count,
    columns,
    rows: results,
    ...(header === undefined ? {} : { header }),
  });
  const named = columns.find(({ name }) => name === header) ?? columns[0];
  const linked = { rows: results, addresses: (found.addresses ?? []).slice(0, fitted.rows) };
  return ephemeral(count, [
    ...sections([count, asked.line]),
    fitted.table,
    ...rowLinks(asked.root, linked, named?.name),
    ...remarks([...leftOut(found, fitted, columns), ...told]),
    ...asked.link,
  ]);
}

function columnsOf({ block }: AskedCommand, row: Readonly<Record<string, unknown>>): Column[] {
  const titles = fieldTitles(block);
  return Object.keys(row).map((name) => ({ name, title: titles.get(name) ?? name }));
}

function leftOut({ total }: FoundRows, fitted: FittedTable, columns: readonly Column[]): string[] {
  const fields = columns.length - fitted.columns;
  return [
    ...(fitted.rows === total
      ? []
      : [`${numberText(fitted.rows)} of ${numberText(total)} are shown here.`]),
    ...(fields === 0 ? [] : [`${fields} more fields do not fit in a table of Slack.`]),
    ...(fitted.isCut ? ['Values that end in … are longer than shown.'] : []),
  ];
}

type Column = { readonly name: string; readonly title: string };

type TableAsked = {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** The column that identifies the rows. */
  readonly header?: string;
};

/** A table with as many rows and columns as Slack takes, and how many that is. */
type FittedTable = {
  readonly table: DataTableBlock;
  readonly rows: number;
  readonly columns: number;
  /** Whether a value is longer than a cell. */
  readonly isCut: boolean;
};

/** How many rows are visible without scrolling; Slack offers the other pages. */
const PAGE_SIZE = 10;

/** Rows (at least one) as a Slack table. Numbers stay numbers, so that Slack sorts them as such. */
function dataTable({ caption, columns, rows, header }: TableAsked): FittedTable {
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
  if (typeof value !== 'number') return textCell(cellText(value), SLACK_LIMITS.cellCharacters);
  return { type: 'raw_number', value, text: String(Number(value.toFixed(DECIMALS))) };
}

function textCell(text: string, most: number): RawTextElement {
  return { type: 'raw_text', text: slackText(text, most) };
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return NOTHING;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isLong(value: unknown): boolean {
  const { cellCharacters } = SLACK_LIMITS;
  return slackText(cellText(value), Number.POSITIVE_INFINITY).length > cellCharacters;
}

function charactersOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { text }) => sum + text.length, 0);
}

/** Few enough to read in a chat; the page has all. */
const MOST_LINKS = 10;
const LABEL_CHARACTERS = 40;

/** The first rows of an answer, each with its address. */
type LinkedRows = {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Relative to the block's address. */
  readonly addresses: readonly string[];
};

/** Links to rows by the values of a column, since a table of Slack has none; as many as fit. */
function rowLinks(
  root: string | undefined,
  { rows, addresses }: LinkedRows,
  column: string | undefined,
): KnownBlock[] {
  if (root === undefined || column === undefined) return [];
  const links: string[] = [];
  let left: number = SLACK_LIMITS.sectionCharacters;
  for (const [i, address] of addresses.slice(0, MOST_LINKS).entries()) {
    const { href } = new URL(belowRoot(address), root);
    const name = slackText(String(rows[i]?.[column] ?? NOTHING), LABEL_CHARACTERS);
    // A bar would end the link's address, and a line end its label.
    const link = `<${href.replaceAll('&', '&amp;')}|${name.replace(/[|\s]+/g, ' ')}>`;
    left -= link.length + SEPARATOR.length;
    if (left < 0) break;
    links.push(link);
  }
  if (links.length === 0) return [];
  const text = links.join(SEPARATOR);
  return [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }];
}

const SEPARATOR = ' · ';

/** The fields of a block's rows, each with its title. */
function fieldTitles({ output_schema }: BlockDescription): ReadonlyMap<string, string> {
  const { properties } = output_schema as RowsSchema;
  const fields = properties?.results?.items?.properties ?? {};
  return new Map(Object.entries(fields).map(([name, { title }]) => [name, title ?? name]));
}

type RowsSchema = {
  readonly properties?: {
    readonly results?: {
      readonly items?: { readonly properties?: Readonly<Record<string, { title?: string }>> };
    };
  };
};

/**
 * The arguments to send to a block: for rows, at most a table's number of rows, and only the key
 * fields and those that the arguments are about, unless the caller chose otherwise.
 */
export function argumentsToRun(block: BlockDescription, given: Members): Members {
  const { key_fields: keyFields } = block;
  if (keyFields === undefined) return given;
  const isGiven = (name: string) => Object.hasOwn(given, name) && !isBlank(given[name]);
  // It is in each row, whatever fields are asked for.
  const all = [...fieldTitles(block).keys()].filter((name) => name !== DISTANCE.name);
  const fields = fieldsAskedAbout(keyFields, block.parameters, given, all);
  return {
    ...given,
    ...(isGiven('_fields') || isGrouped(given)
      ? {}
      : { _fields: fields.slice(0, SLACK_LIMITS.tableColumns) }),
    ...(isGiven('_limit') ? {} : { _limit: SLACK_LIMITS.tableRows - 1 }),
  };
}

type Value = Readonly<Record<string, unknown>>;

/** One value as a message: its members, and its colours as swatches. */
export function valueMessage(
  asked: AskedCommand,
  value: Value,
  warnings: readonly Warning[],
): SlackMessage {
  const { block, line, link } = asked;
  const { color } = block;
  const members = Object.entries(value)
    .filter(([member]) => member !== color?.others)
    .map(([member, one]) => `${member}: ${textOf(one)}`);
  const swatches = color === undefined ? [] : swatchesOf(asked, color, value);
  const summary = color === undefined ? block.title : textOf(value[color.name] ?? block.title);
  const blocks = [
    ...sections([line, ...members]),
    ...remarks(warnings.map(({ message }) => message)),
    ...link,
  ];
  return ephemeral(summary, blocks, swatches.slice(0, SLACK_LIMITS.attachments));
}

/** Swatches of the colour asked for, the one found, and similar ones. */
function swatchesOf(
  { block, given }: AskedCommand,
  { hex, name, others }: ColorRoles,
  value: Value,
) {
  const asked = writeColor(block, given);
  const more = Array.isArray(value[others]) ? (value[others] as readonly Value[]) : [];
  return [
    ...(asked === value[hex] ? [] : swatch(asked, 'asked for')),
    ...swatch(value[hex], textOf(value[name] ?? '')),
    ...more.flatMap((other) =>
      swatch(other[hex], `${textOf(other[name])}, ${textOf(other.distance)} away`),
    ),
  ];
}

/** An attachment whose coloured bar, which needs no image, is beside the code and the name. */
function swatch(hex: unknown, name: string): MessageAttachment[] {
  if (typeof hex !== 'string' || !/^#[0-9a-f]{6}$/i.test(hex)) return [];
  const text = plain(`${hex} ${name}`);
  return [{ color: hex, fallback: text.text, blocks: [{ type: 'section', text }] }];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
