import type { TotalsRule } from '../block/declaration.ts';
import type { FileIn } from '../files/read-bytes.ts';
import { SeedError } from '../files/source-table.ts';
import {
  COLUMNS_ARE,
  FROM_RIGHT,
  firstFew,
  fitting,
  shortTitle,
  showCell,
} from '../text/wording.ts';
import { defined } from '../values/field-type.ts';
import type { BadRows } from './bad-rows.ts';
import { nameColumns, titleOf } from './column-names.ts';
import { questionsOf } from './column-questions.ts';
import { decimalOnMap } from './evidence/place.ts';
import { findAreas } from './find-areas.ts';
import { findRegions, type Regions } from './find-regions.ts';
import {
  addRow,
  columnNamed,
  gatherEvidence,
  type OnProgress,
  type ReadColumn,
  type ReadColumns,
} from './gather-evidence.ts';
import { type Given, givenFor, givenOf } from './given.ts';
import type { InferredColumn } from './inferred-column.ts';
import { proposeRoles } from './propose-roles.ts';
import type { Decide } from './questions.ts';
import { readTable } from './read.ts';
import type { BlockFile, TableFile } from './recipe.ts';
import { describeBadRows, settleBadRows } from './settle-bad-rows.ts';
import { decimalNotes, decimalOfFile, isSettledBy } from './settle-decimals.ts';
import { settleTotals } from './settle-totals.ts';
import { sniffFile } from './sniff-file.ts';

/** A block as it would be written, and the decisions for it. */
export type Draft = {
  readonly name: string;
  /** Lacks `hash` and the name under which the file is kept. */
  readonly block: BlockFile;
  readonly columns: readonly (InferredColumn & Pick<ReadColumn, 'why'>)[];
  readonly rows: number;
  /** What the numbers of places count. */
  readonly counts: ReadColumns['counts'];
  readonly notes: readonly string[];
  /** What `--yes` took of each question, with the options that choose otherwise. */
  readonly taken?: readonly string[];
  /** What must be given to decide the same without a question. */
  readonly given: Given;
};

/**
 * Finds out how a file becomes a dataset: how it is written, what its columns are, and their roles.
 * `decide` answers what the file leaves open. Reads the file once if its beginning shows how it is
 * written, and otherwise several times. Throws a SeedError if the file is not a table, or what is
 * given does not fit it.
 */
export async function propose(
  at: FileIn,
  before: Given,
  decide: Decide,
  onProgress: OnProgress,
): Promise<Draft> {
  const { file } = at;
  const sniffed = await sniffFile(at, before, decide, onProgress);
  const gather = async (table: TableFile, given: Given, opened?: typeof sniffed.opened) =>
    gatherEvidence(opened ?? (await readTable(table, at.folder)), file, given, onProgress);
  let { table } = sniffed;
  let read = sniffed.columns ?? (await gather(table, sniffed.given, sniffed.opened));
  checkNames(sniffed.given, read.columns, file);
  let settled = await settleTotals({ ...at, table }, read, sniffed.given, decide);
  const { filledDown, notes: asked } = settled;
  if (filledDown.length > 0) {
    table = { ...table, dialect: { ...table.dialect, filledDown } };
    read = await gather(table, settled.given);
    settled = {
      ...(await settleTotals({ ...at, table }, read, settled.given, decide)),
      notes: asked,
    };
  }
  const cut = { ...read, isCutAtCommas: isCutAtCommas(table) };
  const typed = await decideColumns(settled.given, cut, file, decide);
  // Cells show more of a pattern that is known before they are read. Each turn adds columns.
  if (countOf(typed.given.formats) > countOf(before.formats)) {
    return propose(at, typed.given, decide, onProgress);
  }
  checkFit(typed.columns, typed.given, file, read.counts);
  const { given, badRows } = await settleBadRows(
    file,
    { ...read, rows: read.rows + settled.kept },
    typed.columns,
    typed.given,
    decide,
  );
  for (const { cells, line } of badRows.mended) addRow(read, cells, line);
  const isAsTyped = badRows.mended.length === 0;
  const plain = isAsTyped ? typed.columns : inferred(cut, given);
  const written = addPlaces(plain, read, given.places, file);
  const { columns } = written;
  const rows = read.rows + settled.kept + badRows.mended.length;
  const roles = proposeRoles(columns, written.places);
  const { fields, primaryKey, keyFields, examples } = roles;
  const sources = [{ title: file }];
  const found = await findRegions(at.folder, table, read, columns, { ...roles, sources });
  const isWhy = found !== undefined && 'why' in found;
  const regions: Partial<Regions> = isWhy ? {} : (found ?? {});
  const { geometry } = { ...roles, ...regions };
  const areas = regions.boundaries === undefined ? await findAreas(columns) : { notes: [] };
  const boundaries = regions.boundaries ?? areas.boundaries;
  const title = titleOf(file.replace(/\.[a-z]+$/i, '').replaceAll('-', ' '));
  const first = new Set(keyFields);
  const titles = fields
    .toSorted((a, b) => Number(first.has(b.name)) - Number(first.has(a.name)))
    .map((field) => field.title);
  return {
    name: blockName(given, file),
    block: {
      title,
      description: `${title}. ${COLUMNS_ARE}${firstTitles(titles)}.`,
      ...withBadRows(withTotals(table, settled.totals), badRows, given.badRows),
      rows,
      sources,
      keyFields,
      fields,
      primaryKey,
      geometry,
      boundaries,
      examples,
    },
    columns,
    rows,
    counts: read.counts,
    notes: [
      ...describeBadRows(badRows, read.counts).map((note) =>
        badRows.mended.length === 0 ? note : `${note}; --bad-rows skip sets all of them aside`,
      ),
      ...settled.notes,
      ...decimalNotes(columns, cut.isCutAtCommas),
      ...read.notes,
      ...written.notes,
      ...roles.notes,
      ...(regions.notes ?? []),
      ...areas.notes,
      ...(isWhy ? [`the map has points, not areas: ${found.why}`] : []),
      ...readingNotes(sniffed.reasons),
    ],
    given,
  };
}

/** Joins what says how a file is written, but for what names an option. */
function readingNotes(reasons: readonly string[]): string[] {
  const plain = reasons.filter((reason) => !reason.includes('--'));
  const others = reasons.filter((reason) => reason.includes('--'));
  return plain.length === 0 ? others : [...others, plain.join('; ')];
}

function countOf(formats: Given['formats']): number {
  return formats?.size ?? 0;
}

/**
 * An answer may raise another question: first a word for nothing, then the order of day and month.
 */
const MOST_ROUNDS = 3;

async function decideColumns(
  before: Given,
  read: CutColumns,
  file: string,
  decide: Decide,
): Promise<{ readonly columns: Draft['columns']; readonly given: Given }> {
  let [given, columns] = [before, inferred(read, before)];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const open = questionsOf(columns, read.counts, file, given);
    if (open.length === 0) break;
    given = await decide(open, given);
    columns = inferred(read, given);
  }
  return { columns, given };
}

/** Columns as they were read, and whether a comma separates their cells. */
type CutColumns = ReadColumns & { readonly isCutAtCommas: boolean };

function isCutAtCommas({ format, dialect: { delimiter = ',' } = {} }: TableFile): boolean {
  return format === undefined && delimiter === ',';
}

function inferred({ columns, named, isCutAtCommas }: CutColumns, given: Given) {
  const decided = columns.map(({ evidence, ...column }, at) => {
    const own = givenFor(given, column);
    const decision = evidence.decide(own);
    const decimal = named && decimalOnMap(decision, named, at);
    if (decimal === undefined) return { ...column, decision };
    const why = 'has degrees, which are on a map only with decimals';
    return { ...column, decision: { ...evidence.decide({ ...own, decimal }), why } };
  });
  const settled = given.decimal ? undefined : decimalOfFile(decided, isCutAtCommas);
  if (settled === undefined) return decided;
  return columns.map(({ evidence }, at): InferredColumn & Pick<ReadColumn, 'why'> => {
    const column = decided[at] as (typeof decided)[number];
    if (!isSettledBy(column, settled)) return column;
    const own = { ...givenFor(given, column), decimal: settled.decimal };
    return { ...column, settled, decision: evidence.decide(own) };
  });
}

/** Adds the longitude and latitude from a column of points, unless other columns hold places. */
function addPlaces(
  columns: Draft['columns'],
  { places: known, points, counts }: ReadColumns,
  chosen: Given['places'],
  file: string,
): Pick<Draft, 'columns' | 'notes'> & Pick<ReadColumns, 'places'> {
  if (known?.evidence.isOnMap && chosen === undefined) {
    return { columns, places: known, notes: [] };
  }
  const headers = columns.map(({ header }) => header);
  const { places, why } = points.decide(headers, counts);
  if (chosen !== undefined && places === undefined) {
    const reason = why[0] ?? `${showCell(chosen)} has no places such as 47.37, 8.54`;
    throw new SeedError(file, `--places is given; ${reason}`);
  }
  if (places === undefined) return { columns, places: known, notes: why };
  const { longitude, latitude, evidence, isSwapped, pointForm } = places;
  const header = headers[places.column] as string;
  const [east, north] = nameColumns([...headers, 'longitude', 'latitude']).slice(-2);
  const added = [
    { decision: longitude, name: `${east?.name}`, point: isSwapped ? 'latitude' : 'longitude' },
    { decision: latitude, name: `${north?.name}`, point: isSwapped ? 'longitude' : 'latitude' },
  ] as const;
  const order = isSwapped ? 'latitude, longitude' : 'longitude, latitude';
  const because = isSwapped && chosen === undefined ? ': the other way most are on no map' : '';
  const note = `each point in ${showCell(header)} is read as ${order}${because}; to change that, swap "point" of the two fields in block.json`;
  return {
    columns: [
      ...columns,
      ...added.map(({ decision, name, point }) => {
        return { decision, name, header: '', part: { header, point, pointForm } };
      }),
    ],
    places: {
      columns: { longitude: columns.length, latitude: columns.length + 1 },
      evidence,
      counts,
    },
    notes: [note, ...why],
  };
}

/** Adds rules that leave out totals to the table. */
function withTotals(table: TableFile, totals: readonly TotalsRule[]): TableFile {
  return totals.length === 0 ? table : { ...table, dialect: { ...table.dialect, totals } };
}

/** Sets what the table's dialect and counts say about bad rows. */
function withBadRows(
  { dialect: { badRows: _, ...dialect } = {}, ...table }: TableFile,
  { mended, setAside }: BadRows,
  choice: Given['badRows'],
): TableFile {
  const hasBad = mended.length + setAside.length > 0;
  const isDecided = hasBad && choice !== undefined && choice !== 'stop';
  const whole = defined({ ...dialect, badRows: isDecided ? choice : undefined });
  return {
    ...table,
    dialect: Object.keys(whole).length === 0 ? undefined : whole,
    badRows: hasBad ? { mended: mended.length, setAside: setAside.length } : undefined,
  };
}

/** Throws a SeedError if the options about columns do not fit their cells. */
function checkFit(
  columns: Draft['columns'],
  given: Given,
  file: string,
  counts: Draft['counts'],
): void {
  for (const { header, name, decision } of columns) {
    const { unfit, missing } = decision;
    const absent = givenOf(given.nothing, { name, header })?.find(
      (word) => word !== '' && !missing.some(({ cell }) => cell === word),
    );
    if (absent !== undefined) {
      const reason = `--nothing says ${showCell(absent)}, and no cell is that; leave it out, or write it as a cell has it`;
      throw new SeedError(file, reason, { column: header || name });
    }
    const [type, format] = [given.types, given.formats].map((of) =>
      givenOf<string>(of, { name, header }),
    );
    if (format !== undefined && type !== undefined && !/^(?:text|date|datetime)$/.test(type)) {
      const reason = `--type says ${type}, and --format is of dates and times; leave one out`;
      throw new SeedError(file, reason, { column: header || name });
    }
    if (unfit === undefined) continue;
    const option = type === undefined ? '--format' : '--type';
    const reason = `${showCell(unfit.cell)} ${unfit.because}, so the column cannot be what ${option} says; --type ${name}=text keeps each cell as it is`;
    throw new SeedError(file, reason, { line: unfit.line, counts, column: header || name });
  }
  const hasInstants = ({ decision: { type, local } }: InferredColumn) =>
    type === 'datetime' && local === undefined;
  if (given.zone !== undefined && !columns.some(hasInstants)) {
    throw new SeedError(
      file,
      '--zone is given, and no column has times with an offset; leave it out',
    );
  }
}

function checkNames(
  { types = new Map(), formats = new Map(), nothing = new Map() }: Given,
  columns: readonly ReadColumn[],
  file: string,
): void {
  for (const [option, named] of [
    ['--type', types],
    ['--format', formats],
    ['--nothing', nothing],
  ] as const) {
    for (const column of named.keys()) columnNamed(columns, column, option, file);
  }
}

/**
 * Returns the given name of a block, or makes one from the file's. Throws a SeedError if that
 * fails.
 */
export function blockName({ name }: Given, file: string): string {
  if (name !== undefined) return name;
  const made = file
    .replace(/\.[a-z0-9]+$/i, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, MOST_NAME)
    .replace(/-$/, '');
  if (made === '') throw new SeedError(file, 'no name can be made of the file name; give --name');
  return made;
}

/** Titles of fields in the description of a new block, and their characters: two lines of a page. */
const MOST_TITLES = 4;
const MOST_OF_TITLES = 150;

/** The first titles, with the commas of their script. */
function firstTitles(titles: readonly string[]): string {
  const short = titles.map(shortTitle);
  const { length } = fitting(short.slice(0, MOST_TITLES), (title) => title.length, MOST_OF_TITLES);
  const between = titles.slice(0, length).every((title) => FROM_RIGHT.test(title)) ? '، ' : ', ';
  return firstFew(short, length, undefined, between);
}

/** The most characters of a block's name, which is part of addresses and of names in AWS. */
const MOST_NAME = 50;
