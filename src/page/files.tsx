import { belowRoot, fileReference } from '../block/addresses.ts';
import { MOST_LIMIT } from '../block/options.ts';
import type { ListedFile } from '../formats/files.ts';
import type { ColumnBytes } from '../formats/format.ts';
import { FORMATS, type Format, holds, isFileOfRows } from '../formats/formats.ts';
import { jsonBytes } from '../formats/ndjson.ts';
import type { PlainMessage } from '../languages/german.ts';
import type { Language } from '../languages/language.ts';
import { groupsInWords, outOfAll } from '../query/answer-in-words.ts';
import {
  bytesOfFile,
  bytesOfWhole,
  columnsOfAll,
  columnsOfSample,
  fieldsAsked,
} from '../query/answer-length.ts';
import type { Row } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import { changed, hrefOf, linkTo, type PageState, UNDRAWN } from './links.ts';
import type { DatasetPage } from './page.ts';

/** The rows or groups that files are of, and what asks for them. */
export type Files = {
  readonly state: PageState;
  readonly total: number;
  readonly isOfGroups: boolean;
  /** Set of groups that are areas, which have shapes. */
  readonly areAreas?: boolean;
  /** Some of them, with their columns, if the page shows them. */
  readonly shown?: { readonly rows: readonly Row[]; readonly columns: readonly Field[] };
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
  const { state, total, isOfGroups, areAreas } = files;
  const whole = withoutPage(state);
  const measured = measure(page, files);
  const formats = isOfGroups ? block.groupFormats : block.formats;
  return formats
    .filter((format) => format === 'json' || isFileOfRows(format))
    .filter((format) => !isOfGroups || !FORMATS[format].isOfPlaces || areAreas)
    .toSorted((a, b) => Number(a === 'json') - Number(b === 'json'))
    .map((format) => {
      const isCut = total > MOST_LIMIT && format === 'json';
      const isHeld = holds(format, total);
      const isLong = format !== 'json' && !isOfGroups && isTooLong(page, total, measured, format);
      const notes = [
        isCut ? language.say('the first {count}', { count: MOST_LIMIT }) : [],
        measured === undefined ? [] : (sizeText(measured, total, format, language) ?? []),
        isHeld
          ? []
          : language.say('a sheet has at most {count} rows: take CSV, or filter for fewer', {
              count: FORMATS[format].mostRows ?? 0,
            }),
        isLong ? language.say('longer than an answer may be here: filter for fewer rows') : [],
      ].flat();
      const href = isLong || !isHeld ? undefined : hrefOf(changed(whole, { _format: format }));
      return { format, href, notes };
    });
}

/** How long the columns of rows or groups are. It is true to this number of digits. */
type Measured = { readonly columns: readonly ColumnBytes[]; readonly digits: number };

/** Rows of a page that stand for all, evenly apart. */
const MOST_SAMPLED = 50;

/** The length of the files is told only from at least as many rows, or from all. */
const LEAST_SAMPLED = 10;

/**
 * Measures columns: by the import, if the answer has all rows, else by those that the page shows.
 * Undefined for groups that are too few.
 */
function measure(page: DatasetPage, { total, isOfGroups, shown }: Files): Measured | undefined {
  const { block, manifest, values } = page;
  const isAll = total === manifest.rows && !isOfGroups;
  if (!isAll && shown && shown.rows.length >= Math.min(LEAST_SAMPLED, Math.max(1, total))) {
    const step = Math.ceil(shown.rows.length / MOST_SAMPLED);
    const sample = shown.rows.filter((_, i) => i % step === 0);
    return { columns: columnsOfSample(sample, shown.columns), digits: 2 };
  }
  if (isOfGroups || total === 0) return undefined;
  // More digits would be false precision.
  return { columns: columnsOfAll(fieldsAsked(block, values), manifest), digits: isAll ? 2 : 1 };
}

/** Whether a file would be refused, because it has more bytes than an answer may have. */
function isTooLong(
  { block, manifest, values, whole }: DatasetPage,
  total: number,
  measured: Measured | undefined,
  format: Format,
): boolean {
  if (whole?.most === undefined || measured === undefined) return false;
  const rows = { block, manifest, values, total, sampled: jsonBytes(measured.columns) };
  return bytesOfWhole({ ...whole, ...rows }, format) > whole.most;
}

/** All of an answer, whatever page and view of it is shown. */
function withoutPage(state: PageState): PageState {
  const ofPage = { _cursor: null, _limit: null, _facets: null };
  return changed(state, {
    ...ofPage,
    _shade: null,
    _view: null,
    ...UNDRAWN,
  });
}

/** What people use a file for. */
const PURPOSES: Readonly<Partial<Record<Format, PlainMessage>>> = {
  csv: 'For other spreadsheets, and programs',
  xlsx: 'For Excel: dates, codes and links as they are',
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

/**
 * All rows as files at addresses that stay: of the version that is current then, for programs. In a
 * menu their names are in a line.
 */
export function FilesInPlace({ page }: { page: DatasetPage }) {
  const { files = [], block, language, links } = page;
  if (files.length === 0) return null;
  const { say } = language;
  return (
    <>
      <b>{say('All rows, at fixed addresses')}</b>
      <p class="quiet">
        {say('Programs open these files where they are, and read the parts that they need.')}
      </p>
      <dl class="defs">
        {files.map((file) => (
          <div>
            <dt>
              <a href={linkTo(links, belowRoot(fileReference(block.name, file.extension)))}>
                {`${block.name}.${file.extension}`}
              </a>
            </dt>
            <dd>{lengthOf(page, file)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** How long a file is, if that is known, or can be told by the import. */
function lengthOf({ block, manifest, language }: DatasetPage, file: ListedFile): string {
  const { bytes, format, isPacked } = file;
  if (bytes !== undefined) return inUnits(bytes, 3, language);
  if (isPacked) return '';
  const measured = { columns: columnsOfAll(block.fields, manifest), digits: 2 };
  return sizeText(measured, manifest.rows, format, language) ?? '';
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/**
 * How long a file is about: `about 1.2 MB`. Undefined for Parquet, which depends on how often values
 * repeat, and for GeoJSON, which depends on the shapes.
 */
function sizeText(
  { columns, digits }: Measured,
  total: number,
  format: Format,
  language: Language,
): string | undefined {
  const { say } = language;
  const { isBinary, readsAllFields } = FORMATS[format];
  if (isBinary || readsAllFields) return undefined;
  const bytes =
    format === 'json'
      ? bytesOfFile(columns, Math.min(total, MOST_LIMIT), 'ndjson')
      : bytesOfFile(columns, total, format);
  return say('about {size}', { size: inUnits(bytes, digits, language) });
}

function inUnits(bytes: number, digits: number, { number }: Language): string {
  const rounded = Number(Math.max(1, bytes).toPrecision(digits));
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(rounded) / 3));
  const size = number(Number((rounded / 1000 ** power).toPrecision(digits)));
  return `${size} ${UNITS[power]}`;
}
