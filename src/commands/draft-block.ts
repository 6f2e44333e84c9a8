import { DYNAMODB } from '../dynamodb/storage.ts';
import { SeedError } from '../files/source-table.ts';
import type { BadRows } from '../import/bad-rows.ts';
import type { BlockFile, TableFile } from '../import/block-file.ts';
import type { ColumnDecision, OpenReading } from '../import/column-decision.ts';
import { titleOf } from '../import/column-names.ts';
import { type InferredColumn, proposeRoles } from '../import/propose-roles.ts';
import { readBoundaries } from '../import/read-boundaries.ts';
import { readWhole } from '../import/seed-files.ts';
import { firstFew, inOneLine, showCell } from '../text/wording.ts';
import type { Value } from '../values/field-type.ts';
import { addRow, type OpenedFile, type ReadColumn, type ReadColumns } from './open-file.ts';
import type { AddChoices } from './options.ts';
import { describeBadRows, settleBadRows } from './settle-bad-rows.ts';
import { type Decide, few, type Question } from './terminal.ts';

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
  const { table, wishes: before, reasons } = opened;
  checkTypes(before, read.columns, table.file);
  const open = questionsOf(inferred(read.columns, before), read.counts, table.file);
  const typed = open.length === 0 ? before : await decide(open, before);
  checkUnfit(inferred(read.columns, typed), table.file);
  const { wishes, badRows } = await settleBadRows(
    table.file,
    read,
    inferred(read.columns, typed),
    typed,
    decide,
  );
  for (const { cells, line } of badRows.mended) addRow(read, cells, line);
  const columns = inferred(read.columns, wishes);
  const rows = read.rows + badRows.mended.length;
  const roles = proposeRoles(columns, DYNAMODB, read.places);
  const { fields, primaryKey, keyFields, examples } = roles;
  const sources = [{ title: table.file }];
  const found = await findRegions(opened, read, columns, { ...roles, sources });
  const isWhy = found !== undefined && 'why' in found;
  const { geometry, boundaries } = { ...roles, ...(isWhy ? {} : found) } as Partial<Regions>;
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
      ...withBadRows(table, badRows, wishes.badRows),
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
      ...describeBadRows(badRows),
      ...reasons,
      ...read.notes,
      ...roles.notes,
      ...(isWhy ? [`the map has points, not areas: ${found.why}`] : []),
    ],
    wishes,
  };
}

function inferred(columns: readonly ReadColumn[], { types, dates, decimal }: AddChoices) {
  return columns.map(({ name, header, why, evidence }) => {
    const type = types.get(name) ?? types.get(header);
    const decision = evidence.decide({
      ...(type === undefined ? {} : { type }),
      ...(dates === undefined ? {} : { dates }),
      ...(decimal === undefined ? {} : { decimal }),
    });
    return { name, header, ...(why === undefined ? {} : { why }), decision };
  });
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

function checkUnfit(columns: readonly InferredColumn[], file: string): void {
  for (const { header, name, decision } of columns) {
    const { unfit } = decision;
    if (unfit === undefined) continue;
    const reason = `${showCell(unfit.cell)} ${unfit.because}, so the column cannot be what --type says`;
    throw new SeedError(file, reason, { line: unfit.line, column: header || name });
  }
}

function checkTypes({ types }: AddChoices, columns: readonly ReadColumn[], file: string): void {
  for (const wished of types.keys()) {
    if (columns.some(({ name, header }) => wished === name || wished === header)) continue;
    const names = columns.map(({ name }) => name).join(', ');
    throw new SeedError(file, `--type names ${JSON.stringify(wished)}; the columns are ${names}`);
  }
}

/** What the cells leave open: one question for all columns that the same answer settles. */
function questionsOf(
  columns: readonly InferredColumn[],
  counts: ReadColumns['counts'],
  file: string,
): Question[] {
  const questions = new Map<string, { readonly said: string[]; readonly readings: Answer[][] }>();
  for (const { name, decision } of columns) {
    const { readings = [] } = decision;
    if (readings.length === 0) continue;
    // The text comes first: it is never wrong.
    const options = readings.toReversed().map((reading) => optionOf(name, reading));
    const said = `${name}, ${placesOf(decision, counts)}: ${decision.why}`;
    const key = options
      .slice(1)
      .map(({ option }) => option)
      .join(' ');
    const same = questions.get(key) ?? { said: [], readings: [] };
    same.said.push(said);
    same.readings.push(options);
    questions.set(key, same);
  }
  return [...questions.values()].map(({ said, readings }) => {
    const asTexts = readings.map(([asText]) => asText as Answer);
    return {
      text: `${inOneLine(file)}, ${few(said, '; ', 'columns')}`,
      readings: [joined(asTexts), ...(readings[0] as Answer[]).slice(1)],
    };
  });
}

type Answer = Question['readings'][number];

/** The same answer for several columns. */
function joined(all: readonly Answer[]): Answer {
  const options = all.map(({ option }) => option);
  return {
    label: (all[0] as Answer).label,
    option: few(options, ' ', 'columns'),
    wish: (wishes) => all.reduce((before, { wish }) => wish(before), wishes),
  };
}

function optionOf(name: string, { type, wish, value, deciding }: OpenReading): Answer {
  const options = [
    ...(wish.type === undefined ? [] : [`--type ${name}=${wish.type}`]),
    ...(wish.dates === undefined ? [] : [`--dates ${wish.dates}`]),
    ...(wish.decimal === undefined ? [] : [`--decimal ${wish.decimal}`]),
  ];
  const how =
    wish.dates === undefined
      ? wish.decimal === undefined
        ? ''
        : `, ${wish.decimal === ',' ? 'a comma' : 'a point'} before decimals`
      : `, ${wish.dates === 'dmy' ? 'the day before the month' : 'the month before the day'}`;
  return {
    label: `${type}${how}${shownValue(value, deciding[0]?.cell)}`,
    option: options.join(' '),
    wish: (wishes) => ({
      ...wishes,
      ...(wish.dates === undefined ? {} : { dates: wish.dates }),
      ...(wish.decimal === undefined ? {} : { decimal: wish.decimal }),
      types: wish.type === undefined ? wishes.types : new Map([...wishes.types, [name, wish.type]]),
    }),
  };
}

/** What a cell is in a reading, if that is not what it looks like. */
function shownValue(value: Value | undefined, cell: string | undefined): string {
  if (value === undefined || cell === undefined || String(value) === cell) return '';
  return `: ${showCell(cell, 24)} is ${value}`;
}

/** The cells that decided, with their lines. */
export function placesOf(
  { deciding }: Pick<ColumnDecision, 'deciding'>,
  counts: ReadColumns['counts'],
): string {
  return deciding.map(({ cell, line }) => `${showCell(cell, 24)} in ${counts} ${line}`).join(', ');
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

/** What makes a block's rows regions, with their shapes. */
type Regions = Required<Pick<BlockFile, 'geometry' | 'boundaries'>>;

/** A page draws every region, so there are not many, nor in great detail. */
const MOST_REGIONS = 500;
const MOST_BYTES = 2 ** 20;

/**
 * The shapes of a GeoJSON file's rows, if all are areas that a text names. Otherwise why not, for a
 * file of areas; nothing for another.
 */
async function findRegions(
  { folder, table: { file } }: OpenedFile,
  { rows, areAreas }: ReadColumns,
  columns: readonly InferredColumn[],
  { geometry: points, sources }: Pick<BlockFile, 'geometry' | 'sources'>,
): Promise<Regions | { readonly why: string } | undefined> {
  if (!areAreas || points === undefined) return undefined;
  if (rows > MOST_REGIONS) return { why: `over ${MOST_REGIONS} areas` };
  const bytes = await readWhole(folder, file);
  if (bytes.length > MOST_BYTES) return { why: 'areas of over 1 MB' };
  const names = columns.filter(({ decision }) => decision.type === 'text' && decision.isUnique);
  let why = 'no text names each area once';
  for (const { name, header } of names) {
    try {
      const shapes = Object.keys(readBoundaries(bytes, file, header));
      // As the rows have them.
      if (!shapes.every((shape) => shape === shape.trim() && shape !== '')) continue;
      const { longitude, latitude } = points;
      return {
        geometry: { kind: 'regions', region: name, longitude, latitude },
        boundaries: { file, property: header, sources },
      };
    } catch (error) {
      if (!(error instanceof SeedError)) throw error;
      why = error.message;
    }
  }
  return { why };
}
