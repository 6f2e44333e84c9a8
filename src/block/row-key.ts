import { FORMATS } from '../formats/formats.ts';
import { percentDecoded } from '../text/path.ts';
import type { Row } from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import type { DatasetBlock } from './block.ts';
import type { Manifest } from './manifest.ts';
import { formatOption } from './options.ts';
import type { Parameter } from './parameter.ts';

/**
 * What identifies a row in its address: the texts of its primary key, or a version of the dataset
 * and the row's position in it.
 */
type RowKey =
  | { readonly kind: 'fields'; readonly texts: readonly string[] }
  | { readonly kind: 'position'; readonly version: string; readonly position: number };

type Keyed = Pick<DatasetBlock, 'fields' | 'primaryKey'>;

/**
 * A longer primary key is not used in an address, because addresses are sent and pasted everywhere.
 */
const MOST_KEY = 500;

/**
 * Stands before a version and a position where a primary key is expected. No primary key begins
 * with it.
 */
const BY_POSITION = '~-';

/**
 * Makes the last segment of a row's address, percent-encoded. It is the row's primary key. If there
 * is none, or if it is too long, it is the row's position.
 */
export function rowSegment(
  block: Keyed,
  { version }: Pick<Manifest, 'version'>,
  row: Row,
  position: number,
): string {
  const texts = keyTexts(block, row);
  const key = texts === undefined ? undefined : segmentOf(texts);
  if (key !== undefined && key.length <= MOST_KEY) return key;
  return `${block.primaryKey === undefined ? '' : BY_POSITION}${version}-${position}`;
}

/** The texts of a row's primary key. Undefined if the row has none. */
export function keyTexts({ fields, primaryKey = [] }: Keyed, row: Row): string[] | undefined {
  const texts = primaryKey.flatMap((name) => {
    const field = fields.find((one) => one.name === name);
    const value = row[name] ?? null;
    return field === undefined || value === null ? [] : [typeOf(field).writeCell(value)];
  });
  return texts.length > 0 && texts.length === primaryKey.length ? texts : undefined;
}

/** Reads the last segment of a row's address. Undefined if no row can have this segment. */
export function readRowSegment({ primaryKey }: Keyed, segment: string): RowKey | undefined {
  // Only segments that people type by hand have escapes that cannot be decoded.
  const sent = percentDecoded(segment);
  if (primaryKey === undefined) return positionOf(sent);
  if (sent.startsWith(BY_POSITION)) return positionOf(sent.slice(BY_POSITION.length));
  const texts = (primaryKey.length === 1 ? [sent] : sent.split(',')).map(unescaped);
  const isKey = texts.length === primaryKey.length && segmentOf(texts).length <= MOST_KEY;
  return isKey ? { kind: 'fields', texts } : undefined;
}

function positionOf(text: string): RowKey | undefined {
  const written = POSITION.exec(text);
  if (written === null) return undefined;
  const [, version = '', position] = written;
  return { kind: 'position', version, position: Number(position) };
}

const POSITION = /^([\w-]{1,64})-(0|[1-9]\d{0,14})$/;

/**
 * Percent-encodes the texts of a key. Some characters are not safe in a path even if they are
 * percent-encoded, and are written as `~` and two hexadecimal digits: some proxies decode `%2F`
 * into a slash, or decode twice, and browsers remove dots.
 */
export function segmentOf(texts: readonly string[]): string {
  const unsafe = texts.length === 1 ? UNSAFE : UNSAFE_OR_COMMA;
  const escaped = texts.map((text) => text.replace(unsafe, escapeOf)).join(',');
  const whole = /^\.\.?$/.test(escaped) ? escaped.replace('.', '~2E') : escaped;
  return encodeURIComponent(whole).replaceAll('%2C', ',');
}

const UNSAFE = /[\p{Cc}%~/\\?#]/gu;
const UNSAFE_OR_COMMA = /[\p{Cc}%~/\\?#,]/gu;

function escapeOf(character: string): string {
  return `~${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function unescaped(text: string): string {
  return text.replace(/~([0-9a-f]{2})/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** The options that make sense for one row. */
const TAKEN = ['_fields', '_geometry', '_lang', '_handling', '_explain'];

/** The block for the address of one row: it has no filters, and only the formats for one row. */
export function oneRowOf(block: DatasetBlock): DatasetBlock {
  return {
    ...block,
    formats: formatsOfOneRow(block),
    parameters: [],
    filters: new Map(),
    options: optionsOfOneRow(block),
    unusedOptions: [],
  };
}

const formatsOfOneRow = ({ formats }: DatasetBlock) =>
  formats.filter((format) => FORMATS[format].isOfOneRow === true);

/** The options that an address of one row takes. */
export function optionsOfOneRow(block: DatasetBlock): Parameter[] {
  const options = block.options.filter(({ name }) => TAKEN.includes(name));
  return [...options, formatOption(formatsOfOneRow(block))];
}
