import type { TotalsRule } from '../block/declaration.ts';
import { DYNAMODB } from '../dynamodb/storage.ts';
import { SeedError } from '../files/source-table.ts';
import type { BadRows } from '../import/bad-rows.ts';
import type { BlockFile, TableFile } from '../import/block-file.ts';
import { nameColumns, titleOf } from '../import/column-names.ts';
import { type InferredColumn, proposeRoles } from '../import/propose-roles.ts';
import { readBoundaries } from '../import/read-boundaries.ts';
import { readWhole } from '../import/seed-files.ts';
import { simplification } from '../import/simplify-areas.ts';
import { firstFew, numberText, showCell } from '../text/wording.ts';
import { questionsOf } from './column-questions.ts';
import type { OpenedFile } from './open-file.ts';
import { type AddChoices, saidOf, wordsFor } from './options.ts';
import { addRow, columnNamed, type ReadColumn, type ReadColumns } from './read-columns.ts';
import { describeBadRows, settleBadRows } from './settle-bad-rows.ts';
import { settleTotals } from './settle-totals.ts';
import type { Decide } from './terminal.ts';

/** A block as it would be written, and what was decided for it. */
export type Draft = {
  readonly name: string;
  /** Without `hash` and the kept name of the file. */
  readonly block: BlockFile;
  readonly columns: readonly (InferredColumn & Pick<ReadColumn, 'why'>)[];
  readonly rows: number;
  /** What the numbers of its places count. */
  readonly counts: ReadColumns['counts'];
  readonly notes: readonly string[];
  /** The wishes by which the same would be decided without asking. */
  readonly wishes: AddChoices;
};

/** Decides what a file's columns are. Throws a SeedError if a wish does not fit the file. */
export async function draftBlock(
  opened: OpenedFile,
  read: ReadColumns,
  decide: Decide,
): Promise<Draft> {
  const { wishes: before, reasons } = opened;
  const { table } = opened;
  checkNames(before, read.columns, table.file);
  const settled = await settleTotals(opened, read, decide);
  const typed = await decideColumns(settled.wishes, read, table.file, decide);
  checkFit(typed.columns, typed.wishes, table.file, read.counts);
  const { wishes, badRows } = await settleBadRows(
    table.file,
    { ...read, rows: read.rows + settled.kept },
    typed.columns,
    typed.wishes,
    decide,
  );
  for (const { cells, line } of badRows.mended) addRow(read, cells, line);
  const plain = inferred(read.columns, wishes);
  const written = addPlaces(plain, read);
  const { columns } = written;
  const rows = read.rows + settled.kept + badRows.mended.length;
  const roles = proposeRoles(columns, DYNAMODB, written.places);
  const { fields, primaryKey, keyFields, examples } = roles;
  const sources = [{ title: table.file }];
  const found = await findRegions(opened, read, columns, { ...roles, sources });
  const isWhy = found !== undefined && 'why' in found;
  const regions: Partial<Regions> = isWhy ? {} : (found ?? {});
  const { geometry, boundaries } = { ...roles, ...regions };
  const title = titleOf(table.file.replace(/\.[a-z]+$/i, '').replaceAll('-', ' '));
  const first = new Set(keyFields);
  const titles = fields
    .toSorted((a, b) => Number(first.has(b.name)) - Number(first.has(a.name)))
    .map((field) => field.title);
  return {
    name: blockName(wishes, table.file),
    block: {
      title,
      description: `${title}. Each row has: ${firstFew(titles, MOST_TITLES)}.`,
      ...withBadRows(withTotals(table, settled.totals), badRows, wishes.badRows),
      rows,
      sources,
      ...(keyFields === undefined ? {} : { keyFields }),
      fields,
      ...(primaryKey === undefined ? {} : { primaryKey }),
      ...(geometry === undefined ? {} : { geometry }),
      ...(boundaries === undefined ? {} : { boundaries }),
      examples,
    },
    columns,
    rows,
    counts: read.counts,
    notes: [
      ...describeBadRows(badRows, read.counts),
      ...reasons,
      ...settled.notes,
      ...read.notes,
      ...written.notes,
      ...roles.notes,
      ...(regions.notes ?? []),
      ...(isWhy ? [`the map has points, not areas: ${found.why}`] : []),
    ],
    wishes,
  };
}

/** An answer may bring up another question: a word for nothing, then the order of day and month. */
const MOST_ROUNDS = 3;

async function decideColumns(
  before: AddChoices,
  read: ReadColumns,
  file: string,
  decide: Decide,
): Promise<{ readonly columns: Draft['columns']; readonly wishes: AddChoices }> {
  let [wishes, columns] = [before, inferred(read.columns, before)];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const open = questionsOf(columns, read.counts, file, wishes);
    if (open.length === 0) break;
    wishes = await decide(open, wishes);
    columns = inferred(read.columns, wishes);
  }
  return { columns, wishes };
}

function inferred(columns: readonly ReadColumn[], wishes: AddChoices) {
  const { types, formats, dates, decimal, zone } = wishes;
  return columns.map(({ name, header, why, evidence }) => {
    const type = saidOf(types, { name, header });
    const format = saidOf(formats, { name, header });
    const nothing = wordsFor({ name, header }, wishes);
    const decision = evidence.decide({
      ...(type === undefined ? {} : { type }),
      ...(dates === undefined ? {} : { dates }),
      ...(decimal === undefined ? {} : { decimal }),
      ...(nothing === undefined ? {} : { nothing }),
      ...(format === undefined ? {} : { format }),
      ...(zone === undefined ? {} : { zone }),
    });
    return { name, header, ...(why === undefined ? {} : { why }), decision };
  });
}

/** Adds the longitude and latitude of a column of points, unless other columns are of places. */
function addPlaces(
  columns: Draft['columns'],
  { places: known, points, counts }: ReadColumns,
): Pick<Draft, 'columns' | 'notes'> & Pick<ReadColumns, 'places'> {
  if (known?.evidence.isOnMap) return { columns, places: known, notes: [] };
  const headers = columns.map(({ header }) => header);
  const { places, why } = points.decide(headers, counts);
  if (places === undefined) return { columns, ...(known && { places: known }), notes: why };
  const { longitude, latitude, evidence, isSwapped } = places;
  const header = headers[places.column] as string;
  const [east, north] = nameColumns([...headers, 'longitude', 'latitude']).slice(-2);
  const added = [
    { decision: longitude, name: `${east?.name}`, point: isSwapped ? 'latitude' : 'longitude' },
    { decision: latitude, name: `${north?.name}`, point: isSwapped ? 'longitude' : 'latitude' },
  ] as const;
  const note = isSwapped
    ? `each point in ${showCell(header)} is read as latitude, longitude: the other way most are on no map; to change that, swap "point" of the two fields in block.json`
    : `each point in ${showCell(header)} is read as longitude, latitude; to change that, swap "point" of the two fields in block.json`;
  return {
    columns: [
      ...columns,
      ...added.map(({ decision, name, point }) => {
        return { decision, name, header: '', part: { header, point } };
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

/** The table, without the rows that are totals. */
function withTotals(table: TableFile, totals: readonly TotalsRule[]): TableFile {
  return totals.length === 0 ? table : { ...table, dialect: { ...table.dialect, totals } };
}

/** The table, with what its dialect and counts say of bad rows if it has some. */
function withBadRows(
  { dialect: { badRows: _, ...dialect } = {}, ...table }: TableFile,
  { mended, setAside }: BadRows,
  choice: AddChoices['badRows'],
): TableFile {
  const hasBad = mended.length + setAside.length > 0;
  const isDecided = hasBad && choice !== undefined && choice !== 'stop';
  const whole = { ...dialect, ...(isDecided ? { badRows: choice } : {}) };
  return {
    ...table,
    ...(Object.keys(whole).length === 0 ? {} : { dialect: whole }),
    ...(hasBad ? { badRows: { mended: mended.length, setAside: setAside.length } } : {}),
  };
}

/** Throws a SeedError if what was said of columns does not fit their cells. */
function checkFit(
  columns: Draft['columns'],
  wishes: AddChoices,
  file: string,
  counts: Draft['counts'],
): void {
  for (const { header, name, decision } of columns) {
    const { unfit, missing } = decision;
    const absent = wordsFor({ name, header }, wishes)?.find(
      (word) => word !== '' && !missing.some(({ cell }) => cell === word),
    );
    if (absent !== undefined) {
      const reason = `--nothing says ${showCell(absent)}, and no cell is that; leave it out, or write it as a cell has it`;
      throw new SeedError(file, reason, { column: header || name });
    }
    if (unfit === undefined) continue;
    const option = saidOf(wishes.types, { name, header }) === undefined ? '--format' : '--type';
    const reason = `${showCell(unfit.cell)} ${unfit.because}, so the column cannot be what ${option} says; --type ${name}=text keeps each cell as it is`;
    throw new SeedError(file, reason, { line: unfit.line, counts, column: header || name });
  }
  const hasInstants = ({ decision: { type, local } }: InferredColumn) =>
    type === 'datetime' && local === undefined;
  if (wishes.zone !== undefined && !columns.some(hasInstants)) {
    throw new SeedError(
      file,
      '--zone is given, and no column has times with an offset; leave it out',
    );
  }
}

function checkNames(
  { types, formats = new Map(), nothing = new Map() }: AddChoices,
  columns: readonly ReadColumn[],
  file: string,
): void {
  for (const [option, named] of [
    ['--type', types],
    ['--format', formats],
    ['--nothing', nothing],
  ] as const) {
    for (const wished of named.keys()) columnNamed(columns, wished, option, file);
  }
}

/** A block's name: what was wished for, or what the file is called. Throws a SeedError if that is none. */
export function blockName({ name }: AddChoices, file: string): string {
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

/** So many titles of fields are in the description of a new block. */
const MOST_TITLES = 4;

/** A block's name is part of addresses, and of names in AWS. */
const MOST_NAME = 50;

/** What makes a block's rows regions, with their shapes, and a clause if some have other ones. */
type Regions = Required<Pick<BlockFile, 'geometry' | 'boundaries'>> & Pick<Draft, 'notes'>;

/** Areas of a new GeoJSON file. A page draws every one; a file with more becomes points. */
const MOST_REGIONS = 5000;

/** A GeoJSON file of areas, which is read as a whole. A larger one becomes points. */
const MOST_BYTES = 64 * 2 ** 20;

/**
 * The shapes of a GeoJSON file's rows, if all are areas that a text names. Otherwise why not, for a
 * file of areas; nothing for another.
 */
async function findRegions(
  { folder, table: { file, encoding, dialect } }: OpenedFile,
  { rows, areAreas }: ReadColumns,
  columns: readonly InferredColumn[],
  { geometry: points, sources }: Pick<BlockFile, 'geometry' | 'sources'>,
): Promise<Regions | { readonly why: string } | undefined> {
  if (!areAreas || points === undefined) return undefined;
  // Shapes are read as UTF-8, and matched by name.
  if (encoding ?? dialect?.badBytes) return { why: 'a file that is not UTF-8 throughout' };
  if (rows > MOST_REGIONS) return { why: `over ${numberText(MOST_REGIONS)} areas` };
  const bytes = await readWhole(folder, file);
  if (bytes.length > MOST_BYTES) return { why: `a file of over ${MOST_BYTES / 2 ** 20} MB` };
  const names = columns.filter(({ decision }) => decision.type === 'text' && decision.isUnique);
  let why = 'no text names each area once';
  for (const { name, header } of names) {
    try {
      const shapes = readBoundaries(bytes, file, header);
      // As the rows have them.
      if (!Object.keys(shapes).every((shape) => shape === shape.trim() && shape !== '')) continue;
      const { longitude, latitude } = points;
      const { notes, ...simplified } = simplification(shapes);
      return {
        notes,
        geometry: { kind: 'regions', region: name, longitude, latitude, ...simplified },
        boundaries: { file, property: header, sources },
      };
    } catch (error) {
      if (!(error instanceof SeedError)) throw error;
      why = error.message;
    }
  }
  return { why };
}
