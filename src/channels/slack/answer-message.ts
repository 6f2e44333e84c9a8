import type {
  DataTableBlock,
  KnownBlock,
  MessageAttachment,
  RawNumberElement,
  RawTextElement,
} from '@slack/types';
import { hasOwnColumns, isBlank, isOfTwoNumbers, type Members } from '../../arguments/given.ts';
import { belowRoot } from '../../block/addresses.ts';
import type { ColorRoles } from '../../block/block.ts';
import type { BlockDescription } from '../../block/describe-block.ts';
import { ANSWER_CUT, type Warning } from '../../problem/errors.ts';
import {
  type AnsweredRow,
  answerInWords,
  fieldsToShow,
  type RowsParams,
} from '../../query/answer-in-words.ts';
import { fitting, numberText } from '../../text/wording.ts';
import { ownMember } from '../../values/field-type.ts';
import { DISTANCE } from '../../values/places.ts';
import { writeColor } from '../chat/read-command.ts';
import { rowsQuestion } from '../chat/write-command.ts';
import {
  ephemeral,
  NOTHING,
  plainText,
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
  params: RowsParams,
  warnings: readonly Warning[],
): SlackMessage {
  const { block, sent, root } = asked;
  const { headline, without, table, reasons, facets, citation } = answerInWords(
    {
      ...rowsQuestion(block, sent),
      citing: root === undefined ? undefined : { block: block.name, addressOf: addressBelow(root) },
    },
    params,
  );
  // The warning that the answer is cut is for programs; the remarks below say it with numbers.
  const warningTexts = warnings
    .filter(({ title }) => title !== ANSWER_CUT)
    .map(({ message }) => message);
  if (table.rows.length === 0) {
    const why = reasons.map(({ sentence }) => sentence);
    return ephemeral(headline, [
      ...sections([headline, asked.line, ...why, ...facets]),
      ...remarks([...without, ...warningTexts]),
      ...asked.link,
    ]);
  }
  const titles = fieldTitles(block);
  const columns = table.columns.map((name) => ({ name, title: titles.get(name) ?? name }));
  const header = block.parameters.find(({ main }) => main)?.name;
  const fitted = dataTable({ caption: headline, columns, rows: table.rows, header });
  const named = columns.find(({ name }) => name === header) ?? columns[0];
  const linked = (citation?.addresses ?? []).slice(0, fitted.rows);
  return ephemeral(headline, [
    ...sections([headline, asked.line]),
    fitted.table,
    ...rowLinks(linked, table.rows, named?.name),
    ...remarks([...leftOut(params, fitted, columns), ...without, ...warningTexts]),
    ...asked.link,
  ]);
}

const addressBelow = (root: string) => (reference: string) =>
  new URL(belowRoot(reference), root).href;

function leftOut(
  { total }: RowsParams,
  fitted: FittedTable,
  columns: readonly TitledField[],
): string[] {
  const fields = columns.length - fitted.columns;
  return [
    ...(fitted.rows === total
      ? []
      : [`${numberText(fitted.rows)} of ${numberText(total)} are shown here.`]),
    ...(fields === 0 ? [] : [`${fields} more fields do not fit in a table of Slack.`]),
    ...(fitted.isCut ? ['Values that end in … are longer than shown.'] : []),
  ];
}

type TitledField = { readonly name: string; readonly title: string };

type TableAsked = {
  readonly caption: string;
  readonly columns: readonly TitledField[];
  readonly rows: readonly AnsweredRow[];
  /** The column that identifies the rows. */
  readonly header: string | undefined;
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
  const cells = rows
    .slice(0, SLACK_LIMITS.tableRows - 1)
    .map((row) => shown.map(({ name }) => cellOf(row[name])));
  const fitted = fitting(cells, charactersOf, SLACK_LIMITS.tableCharacters - charactersOf(titles));
  const isCut = rows
    .slice(0, fitted.length)
    .some((row) => shown.some(({ name }) => isLongerThanCell(row[name])));
  const index = shown.findIndex(({ name }) => name === header);
  return {
    table: {
      type: 'data_table',
      caption: slackText(caption, SLACK_LIMITS.titleCharacters),
      page_size: PAGE_SIZE,
      row_header_column_index: Math.max(0, index),
      rows: [titles, ...fitted],
    },
    rows: fitted.length,
    columns: shown.length,
    isCut,
  };
}

/** Slack shows so many decimals, as a page does, but sorts by the whole value. */
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

function isLongerThanCell(value: unknown): boolean {
  const { cellCharacters } = SLACK_LIMITS;
  return slackText(cellText(value), Number.POSITIVE_INFINITY).length > cellCharacters;
}

function charactersOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { text }) => sum + text.length, 0);
}

/** Few enough to read in a chat; the page has all. */
const MOST_LINKS = 10;
const LABEL_CHARACTERS = 40;

/** Links to rows by the values of a column, since a table of Slack has none; as many as fit. */
function rowLinks(
  addresses: readonly string[],
  rows: readonly AnsweredRow[],
  column: string | undefined,
): KnownBlock[] {
  if (column === undefined) return [];
  const links = addresses.slice(0, MOST_LINKS).map((address, i) => {
    const name = slackText(String(rows[i]?.[column] ?? NOTHING), LABEL_CHARACTERS);
    // A bar would end the link's address, and a line end its label.
    return `<${address.replaceAll('&', '&amp;')}|${name.replace(/[|\s]+/g, ' ')}>`;
  });
  const lengthOf = (link: string) => link.length + SEPARATOR.length;
  const text = fitting(links, lengthOf, SLACK_LIMITS.sectionCharacters).join(SEPARATOR);
  if (text === '') return [];
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
  if (block.key_fields === undefined) return given;
  const isGiven = (name: string) => !isBlank(ownMember(given, name));
  const { _fields, ...unchosen } = given;
  // The distance is in each row, whatever fields are asked for.
  const all = [...fieldTitles(block).keys()].filter((name) => name !== DISTANCE.name);
  const fields = fieldsToShow(rowsQuestion(block, unchosen), all);
  return {
    ...given,
    ...(isGiven('_fields') || hasOwnColumns(given)
      ? {}
      : { _fields: fields.slice(0, SLACK_LIMITS.tableColumns) }),
    ...(isGiven('_limit') || isOfTwoNumbers(given) ? {} : { _limit: SLACK_LIMITS.tableRows - 1 }),
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
    .map(([member, one]) => `${member}: ${memberText(one)}`);
  const attached = color === undefined ? [] : swatchesOf(asked, color, value);
  const summary = color === undefined ? block.title : memberText(value[color.name] ?? block.title);
  const blocks = [
    ...sections([line, ...members]),
    ...remarks(warnings.map(({ message }) => message)),
    ...link,
  ];
  return ephemeral(summary, blocks, attached.slice(0, SLACK_LIMITS.attachments));
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
    ...(asked === value[hex] ? [] : swatches(asked, 'asked for')),
    ...swatches(value[hex], memberText(value[name] ?? '')),
    ...more.flatMap((other) =>
      swatches(other[hex], `${memberText(other[name])}, ${memberText(other.distance)} away`),
    ),
  ];
}

/** An attachment whose coloured bar, which needs no image, is beside the code and the name. */
function swatches(hex: unknown, name: string): MessageAttachment[] {
  if (typeof hex !== 'string' || !/^#[0-9a-f]{6}$/i.test(hex)) return [];
  const text = plainText(`${hex} ${name}`);
  return [{ color: hex, fallback: text.text, blocks: [{ type: 'section', text }] }];
}

function memberText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
