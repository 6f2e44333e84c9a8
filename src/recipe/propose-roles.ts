import type { Example } from '../block/block.ts';
import { DYNAMODB } from '../dynamodb/storage.ts';
import type { SourceTable } from '../files/source-table.ts';
import { MOST_TEXT_LENGTH } from '../values/field-type.ts';
import { type Field, isLabel, isNumeric, isYear } from '../values/field-types.ts';
import type { PointFields } from '../values/places.ts';
import { isOfIds, isOfTimes, KEY_WORD, titleOf, titlesAndUnits, wordsOf } from './column-names.ts';
import type { ColumnDecision } from './evidence/column-decision.ts';
import { type PlaceColumns, type PlaceEvidence, plainHeader } from './evidence/place.ts';
import { zoneInWords } from './evidence/zone.ts';
import { hasNoValue, type InferredColumn, isOfPlaces } from './inferred-column.ts';
import { best, proposeExamples } from './propose-examples.ts';
import type { FileField } from './recipe.ts';

/** The roles of a file's columns. */
type Roles = {
  readonly fields: readonly FileField[];
  readonly geometry?: { readonly kind: 'points' } & PointFields;
  readonly primaryKey?: string;
  /** Absent if the first fields are the key fields. */
  readonly keyFields?: readonly string[];
  readonly examples: readonly Example[];
  readonly notes: readonly string[];
};

/** The columns that hold a file's places, and the evidence about them. */
export type FoundPlaces = {
  readonly columns: PlaceColumns;
  readonly evidence: PlaceEvidence;
  readonly counts: SourceTable['counts'];
};

/** Proposes a block's fields, map, key and examples from all columns of a file. */
export function proposeRoles(columns: readonly InferredColumn[], places?: FoundPlaces): Roles {
  const geometry = places === undefined ? undefined : geometryOf(columns, places);
  // The texts of places do not name a row.
  const points = new Set(columns.map(({ part }) => part?.header));
  const naming = columns.filter(
    (column) => column.part === undefined && !points.has(column.header) && !isOfPlaces(column),
  );
  const primaryKey = primaryKeyOf(naming)?.name;
  const main = mainOf(naming, primaryKey)?.name;
  const indexed = indexedOf(naming, [primaryKey, main]);
  const titles = new Set<string>();
  const titled = titlesAndUnits(columns.map(({ header }) => header));
  const isSeries = columns.some(hasTimes);
  const fields = columns.map((column, i) => {
    const { name, header, decision, part } = column;
    const { type, spelling, local, timeZone } = decision;
    const { title: own, unit } = describedBy(name, header, decision, geometry, titled[i]);
    const title = untaken(own, titles);
    titles.add(title.toLowerCase());
    const description = timeZone && `Its days are those of ${zoneInWords(timeZone)}.`;
    return {
      type,
      name,
      title,
      description,
      unit,
      indexed: indexed.includes(name) ? true : undefined,
      main: name === main ? (true as const) : undefined,
      label: mayBeNames(column, isSeries) ? (true as const) : undefined,
      local,
      timeZone,
      ...part,
      ...spelling,
    };
  });
  const keyFields =
    columns.length <= MOST_KEY_FIELDS ? undefined : keyFieldsOf(naming, main, geometry);
  const isEmpty = new Set(columns.filter(hasNoValue).map(({ name }) => name));
  return {
    fields: fields.toSorted((a, b) => Number(isEmpty.has(a.name)) - Number(isEmpty.has(b.name))),
    geometry,
    primaryKey,
    keyFields,
    examples: proposeExamples(columns, fields, { main, primaryKey, geometry }),
    notes: places === undefined ? [] : notesOn(columns, places, geometry),
  };
}

/**
 * Whether whole numbers of equal digits are labels: the header is of ids or times, or all differ and
 * no time tells the rows apart, or each stands in several rows. Counts are none, whatever their
 * digits. False if the field's name or their range already makes them labels.
 */
function mayBeNames({ name, header, decision }: InferredColumn, isSeries: boolean): boolean {
  const { type, range, mayBeNames: digits, distinct, filled } = decision;
  if (digits === undefined || range === undefined) return false;
  const isRepeated = distinct.isExact && distinct.count * LEAST_REPEATED <= filled;
  const isSaid = isOfIds(header) || isOfTimes(header) || isRepeated;
  if (!isSaid && (isSeries || !doDiffer(decision))) return false;
  return !isLabel({ name, type }, { min: Number(range.min), max: Number(range.max) });
}

/** In how many rows each number stands on average if all of them are names of groups. */
const LEAST_REPEATED = 3;

/** Whether a column has a day, a time, a period or a year for each row. */
function hasTimes({ name, decision }: InferredColumn): boolean {
  const { type, range, periodFormat } = decision;
  if (!doDiffer(decision)) return false;
  if (type === 'date' || type === 'datetime' || periodFormat !== undefined) return true;
  if (range === undefined) return false;
  const field: Field = { type, name, title: name };
  return isYear(field, { min: Number(range.min), max: Number(range.max) });
}

/** Whether no two values are equal. Blank cells may be. */
function doDiffer({ isUnique, distinct, filled }: ColumnDecision): boolean {
  return isUnique || (distinct.isExact && distinct.count === filled && filled > 1);
}

/** Makes a title that no other field has, ignoring case, so that a page tells them apart. */
function untaken(title: string, taken: ReadonlySet<string>): string {
  let found = title;
  for (let number = 2; taken.has(found.toLowerCase()); number++) found = `${title} ${number}`;
  return found;
}

function notesOn(
  all: readonly InferredColumn[],
  { columns, evidence, counts }: FoundPlaces,
  geometry: Roles['geometry'],
): string[] {
  if (geometry !== undefined) return evidence.notes(counts);
  // A column of texts has its own line that says why it has no numbers.
  if (evidence.placed === 0 || evidence.isOnMap) return [];
  const headerOf = (column: number) => plainHeader(all[column]?.header ?? '');
  const [x, y] = [headerOf(columns.longitude), headerOf(columns.latitude)];
  const advice = evidence.advice(counts, [`X_POSSIBLE_NAMES=${x}`, `Y_POSSIBLE_NAMES=${y}`]);
  // X and Y may be something else than places.
  if (columns.isUnsure) return advice === undefined ? [] : [`no map of ${x} and ${y}: ${advice}`];
  const why = advice === undefined ? '' : `; ${advice}`;
  return [...evidence.notes(counts), `no map: most of the places are on none${why}`];
}

function geometryOf(
  columns: readonly InferredColumn[],
  { columns: { latitude, longitude }, evidence }: FoundPlaces,
): Roles['geometry'] {
  const [north, east] = [columns[latitude], columns[longitude]];
  if (north === undefined || east === undefined || !evidence.isOnMap) return undefined;
  if (!isNumeric(north.decision) || !isNumeric(east.decision)) return undefined;
  return { kind: 'points', longitude: east.name, latitude: north.name };
}

/** The likeliest column without equal or blank cells. */
function primaryKeyOf(columns: readonly InferredColumn[]): InferredColumn | undefined {
  return best(columns, (column) => {
    const { decision, header } = column;
    const { isUnique, type, longest } = decision;
    if (!isUnique || longest > MOST_TEXT_LENGTH) return 0;
    if (type !== 'text' && type !== 'integer') return 0;
    if (wordsOf(header).some((word) => KEY_WORD.test(word))) return 4;
    if (decision.perhaps !== undefined) return 0;
    if (isRunning(decision)) return 3;
    // In few rows, anything is unique by chance.
    if (decision.filled < MOST_CHANCE || type === 'integer') return 0;
    return nameScore(column) > 0 ? 2 : 1;
  });
}

/** A column with fewer rows may be unique by chance. */
const MOST_CHANCE = 20;

/** Whether numbers count the rows: 1, 2, 3. */
function isRunning({ type, range, filled }: ColumnDecision): boolean {
  if (type !== 'integer' || range === undefined || filled < 2) return false;
  return Number(range.max) - Number(range.min) + 1 === filled && Number(range.min) <= 1;
}

/** Words in headers of names of things, in several languages. */
const NAME_WORD =
  /^(?:names?|title|nom|nombre|nome|naam|titel|bezeichnung|label|business|company|firma|organi[sz]ation|facility)$/;

function nameScore({ header }: InferredColumn): number {
  const words = wordsOf(header);
  if (words.length === 1 && NAME_WORD.test(words[0] as string)) return 4;
  if (NAME_WORD.test(words.at(-1) ?? '')) return 3;
  return words.some((word) => NAME_WORD.test(word)) ? 2 : 0;
}

/** If each name has more rows than this, names do not identify the rows. */
const FEW_NAMES = 100;

/** Words for what names a row and nothing else, as a zip code would name a place. */
const ID_WORD = /^(?:ids?|uid|uuid|guid|key|identifier)$/;

/** The text that identifies rows to a person, or the key if it is a text. Free text searches it. */
function mainOf(
  columns: readonly InferredColumn[],
  primaryKey: string | undefined,
): InferredColumn | undefined {
  const found = best(columns, (column) => {
    const { type, distinct, longest, filled, samples } = column.decision;
    if (type !== 'text' || distinct.count < 2 || longest > MOST_TEXT_LENGTH) return 0;
    if (filled < LEAST_FILLED * rowsOf(column)) return 0;
    const named = nameScore(column);
    if (named > 0 && distinct.count * FEW_NAMES >= filled) return named + 3;
    // Ids have no words: letters beside digits do not count.
    const hasWords = samples.some(({ cell }) =>
      cell.split(/\s+/).some((word) => /\p{L}{3}/u.test(word) && !/\p{N}/u.test(word)),
    );
    const differs = distinct.count >= NEARLY_UNIQUE * filled && longest <= MOST_SHOWN_LENGTH;
    if (!differs || column.name === primaryKey) return 0;
    if (hasWords) return 2;
    // An id that a few rows share names the others all the same.
    return wordsOf(column.header).some((word) => ID_WORD.test(word)) ? 1 : 0;
  });
  if (found !== undefined) return found;
  return columns.find(({ name, decision }) => name === primaryKey && decision.type === 'text');
}

/**
 * The least share of rows that have a name, and the share of names that differ if the header is not
 * of names.
 */
const LEAST_FILLED = 0.8;
const NEARLY_UNIQUE = 0.8;

function rowsOf({ decision: { filled, blanks, missing, odd } }: InferredColumn): number {
  return filled + blanks + (odd?.count ?? 0) + missing.reduce((sum, { count }) => sum + count, 0);
}

/** Indexes of a block. Each holds all rows again, so only fields that callers look up have one. */
const MOST_INDEXES = 5;

/** With fewer distinct texts, an index finds too many rows to be faster. */
const LEAST_DISTINCT = 100;

function indexedOf(
  columns: readonly InferredColumn[],
  first: readonly (string | undefined)[],
): readonly string[] {
  const score = ({ name, header, decision }: InferredColumn): number => {
    const { type, distinct, longest, isUnique } = decision;
    if ((type !== 'text' && type !== 'phone') || longest > MOST_TEXT_LENGTH) return 0;
    const field: Field = { type, name, title: name, indexed: true };
    if (DYNAMODB.tableFaults([field]).length > 0) return 0;
    if (first.includes(name)) return 4;
    if (distinct.count < LEAST_DISTINCT) return 0;
    if (type === 'phone') return 3;
    return isUnique || wordsOf(header).some((word) => KEY_WORD.test(word)) ? 2 : 1;
  };
  return columns
    .map((column) => ({ name: column.name, score: score(column) }))
    .filter((one) => one.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_INDEXES)
    .map(({ name }) => name);
}

/** Fields that come first in lists, as in a block that names none. */
const MOST_KEY_FIELDS = 6;

/** A longer text makes a table's row high. */
const MOST_SHOWN_LENGTH = 80;

/** The fields that say most about a row. The one that names it comes first. */
function keyFieldsOf(
  columns: readonly InferredColumn[],
  main: string | undefined,
  geometry: Roles['geometry'],
): readonly string[] | undefined {
  const informative = columns.filter(({ name, decision }) => {
    const { distinct, longest, type } = decision;
    const isPlace = name === geometry?.latitude || name === geometry?.longitude;
    const isInformative =
      distinct.count > 1 && longest <= MOST_SHOWN_LENGTH && !isRunning(decision);
    return isInformative && type !== 'link' && !isPlace;
  });
  const names = informative.map(({ name }) => name).filter((name) => name !== main);
  const chosen = [...(main === undefined ? [] : [main]), ...names].slice(0, MOST_KEY_FIELDS);
  return chosen.length === 0 ? undefined : chosen;
}

function describedBy(
  name: string,
  header: string,
  decision: ColumnDecision,
  geometry: Roles['geometry'],
  fromHeader: ReturnType<typeof titlesAndUnits>[number] | undefined,
): { readonly title: string; readonly unit?: string } {
  const title = titleOf(header) || titleOf(name);
  if (!isNumeric(decision)) return { title };
  if (decision.unit !== undefined) return { title, unit: decision.unit };
  if (name === geometry?.latitude) return { title, unit: 'degrees north' };
  if (name === geometry?.longitude) return { title, unit: 'degrees east' };
  return { ...fromHeader, title: fromHeader?.title || title };
}
