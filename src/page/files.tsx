import { MOST_LIMIT } from '../block/options.ts';
import { FORMATS, type Format, isFileOfRows } from '../formats/formats.ts';
import type { PlainMessage } from '../languages/german.ts';
import type { Language } from '../languages/language.ts';
import { groupsInWords, outOfAll } from '../query/answer-in-words.ts';
import { bytesOfWhole } from '../query/answer-length.ts';
import { ownMember, type Row } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { changed, hrefOf, type PageState } from './links.ts';
import type { DatasetPage } from './page.ts';

/** The rows or groups that files are of, and what asks for them. */
export type Files = {
  readonly state: PageState;
  readonly total: number;
  readonly isOfGroups: boolean;
  /** About how many bytes one has, as far as it is known. */
  readonly bytes: RowBytes | undefined;
};

/** Bytes of a row or a group, and of the header of CSV; they are true to so many digits. */
type RowBytes = {
  readonly json: number;
  readonly csv: number;
  readonly header: number;
  readonly digits: number;
};

/** An answer as a file. JSON has pages, and the others have all. */
type File = {
  readonly format: Format;
  /** Absent if it is longer than an answer may be. */
  readonly href?: string;
  /** What it has, if that is not all, and how long it is: `about 1.2 MB`. */
  readonly notes: readonly string[];
};

/** The files of an answer. */
function filesOf(page: DatasetPage, files: Files): File[] {
  const { block, language } = page;
  const { state, total, isOfGroups, bytes } = files;
  const whole = withoutPage(state);
  const sizes = bytes === undefined ? {} : fileSizes(bytes, total, language);
  return block.formats
    .filter((format) => format === 'json' || isFileOfRows(format))
    .filter((format) => !isOfGroups || FORMATS[format].whyNoGroups === undefined)
    .toSorted((a, b) => Number(a === 'json') - Number(b === 'json'))
    .map((format) => {
      const isCut = total > MOST_LIMIT && format === 'json';
      const isLong = format !== 'json' && !isOfGroups && isTooLong(page, files, format);
      const notes = [
        isCut ? language.say('the first {count}', { count: MOST_LIMIT }) : [],
        sizes[format] ?? [],
        isLong ? language.say('longer than an answer may be here: filter for fewer rows') : [],
      ].flat();
      const href = isLong ? undefined : hrefOf(changed(whole, { _format: format }));
      return { format, href, notes };
    });
}

/** Whether a file would be refused, because it has more bytes than an answer may have. */
function isTooLong(
  { block, manifest, values, whole }: DatasetPage,
  { total, bytes }: Files,
  format: Format,
): boolean {
  if (whole?.most === undefined || bytes === undefined) return false;
  const rows = { block, manifest, values, total, sampled: bytes.json };
  return bytesOfWhole({ ...whole, ...rows }, format) > whole.most;
}

/** All of an answer, whatever page and view of it is shown. */
function withoutPage(state: PageState): PageState {
  const ofPage = { _cursor: null, _limit: null, _facets: null };
  return changed(state, { ...ofPage, _shade: null, _view: null, _mark: null, _frame: null });
}

/** What people use a file for. */
const PURPOSES: Readonly<Partial<Record<Format, PlainMessage>>> = {
  csv: 'Opens in any spreadsheet',
  ndjson: 'One object a line',
  parquet: 'For R, Python and DuckDB',
  geojson: 'For maps',
  json: 'For programs',
};

/** The files of an answer, one below the other: how long each is, and what for. */
export function FileList({ page, files }: { page: DatasetPage; files: Files }) {
  const { language, manifest } = page;
  const { say } = language;
  const { noun } = page.block;
  const { total, isOfGroups } = files;
  return (
    <>
      <b>
        {isOfGroups
          ? groupsInWords(total, language)
          : outOfAll(total, noun, manifest.rows, language)}
      </b>
      <dl class="defs">
        {filesOf(page, files).map(({ format, href, notes }) => {
          const purpose = PURPOSES[format];
          return (
            <div>
              <dt>
                {href === undefined ? (
                  FORMATS[format].title
                ) : (
                  <a href={href}>{FORMATS[format].title}</a>
                )}
                {notes.map((note) => `, ${note}`)}
              </dt>
              <dd>{purpose === undefined ? '' : say(purpose)}</dd>
            </div>
          );
        })}
      </dl>
    </>
  );
}

/** Rows of a page that stand for all, evenly apart. */
const MOST_SAMPLED = 50;

/** The length of the files is told only from at least as many rows, or from all. */
const LEAST_SAMPLED = 10;

/** How long a row is on average, told from those of a page. Undefined if they are too few. */
export function bytesOfSample(
  rows: readonly Row[],
  columns: readonly Field[],
  total: number,
): RowBytes | undefined {
  if (rows.length < Math.min(LEAST_SAMPLED, total) || rows.length === 0) return undefined;
  const step = Math.ceil(rows.length / MOST_SAMPLED);
  const sample = rows.filter((_, i) => i % step === 0);
  const mean = (bytesOf: (row: Row) => number) =>
    sample.reduce((sum, row) => sum + bytesOf(row), 0) / sample.length;
  return {
    json: mean((row) => bytesAsJson(columns.map(({ name }) => [name, row[name] ?? null]))),
    csv: mean((row) =>
      columns.reduce((sum, { name }) => sum + Buffer.byteLength(String(row[name] ?? '')) + 1, 1),
    ),
    header: headerBytes(columns),
    // More digits would be false precision.
    digits: 2,
  };
}

function bytesAsJson(members: readonly (readonly [string, unknown])[]): number {
  return Buffer.byteLength(JSON.stringify(Object.fromEntries(members))) + 1;
}

/**
 * How long a row is on average, told from what the import knows of each column: its commonest
 * texts, and its least, middle and greatest value.
 */
export function estimatedBytes({ block, manifest, profile }: DatasetPage): RowBytes | undefined {
  if (profile === undefined) return undefined;
  let [json, csv] = [3, 1];
  for (const field of block.fields) {
    const { name } = field;
    const { nulls = 0, min, max, values = [] } = ownMember(manifest.fields, name) ?? {};
    const type = typeOf(field);
    const keys = [min, ownMember(profile.medians, name), max].filter((key) => key !== undefined);
    const known = keys.map((key) => type.valueOf(key, field));
    const texts = ownMember(profile.suggestions, name) ?? values;
    const all: readonly unknown[] = known.length > 0 ? known : texts;
    const mean = (bytesOf: (value: unknown) => number) =>
      all.reduce<number>((sum, value) => sum + bytesOf(value), 0) / Math.max(1, all.length);
    const filled = 1 - nulls / Math.max(1, manifest.rows);
    const asJson = mean((value) => Buffer.byteLength(JSON.stringify(value)));
    json += name.length + 4 + filled * asJson + (1 - filled) * 'null'.length;
    csv += filled * mean((value) => Buffer.byteLength(String(value))) + 1;
  }
  return { json, csv, header: headerBytes(block.fields), digits: 1 };
}

function headerBytes(columns: readonly Field[]): number {
  return columns.reduce((sum, { name }) => sum + name.length + 1, 1);
}

/**
 * How long the files of an answer are about, by format, in words: `about 1.2 MB`. Formats of which
 * nobody knows it are absent.
 */
function fileSizes(
  { json, csv, header, digits }: RowBytes,
  total: number,
  language: Language,
): Partial<Record<Format, string>> {
  return {
    csv: sizeText(header + total * csv, digits, language),
    ndjson: sizeText(total * json, digits, language),
    json: sizeText(Math.min(total, MOST_LIMIT) * json, digits, language),
  };
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

function sizeText(bytes: number, digits: number, { say, number }: Language): string {
  const rounded = Number(Math.max(1, bytes).toPrecision(digits));
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(rounded) / 3));
  const size = number(Number((rounded / 1000 ** power).toPrecision(digits)));
  return say('about {size}', { size: `${size} ${UNITS[power]}` });
}
