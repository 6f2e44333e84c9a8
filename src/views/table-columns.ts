import { type Grouping, groupColumns } from '../block/grouping.ts';
import { alternativesIn, EMPTY, FILLED } from '../block/parameter.ts';
import { columnsOfRows, isFromRight, lengthShown } from '../page/cells.ts';
import type { DatasetPage } from '../page/page.ts';
import { tellsApart } from '../page/row-name.ts';
import { numberText } from '../text/wording.ts';
import { ownMember, type Row } from '../values/field-type.ts';
import { type Field, isNumeric, keysOfDay, typeOf } from '../values/field-types.ts';
import { isPlaceText } from '../values/place-text.ts';
import { DISTANCE } from '../values/places.ts';

/** How wide a column of a table is, in rem of the page; style/table.css has a class for each. */
const WIDTHS = { short: 5.5, text: 7, long: 9.5, wide: 13 } as const;
type Width = keyof typeof WIDTHS;

/** A cell's padding and a character, in rem: wide enough that what is not cut needs no `title`. */
const PADDING = 1.2;
const CHARACTER = 0.5;

/**
 * The room for a table's columns in a window of 768, 992, 1280 and 1792 px, in rem: without the
 * page's margins and a scroll bar. From 1600 px a rem has 18 px. A wider window has no more columns.
 */
const ROOMS = [44.5, 57, 74, 92] as const;

/** The classes of columns that are shown from the second, third and fourth of these windows on. */
const FROM = ['', 'w1', 'w2', 'w3'] as const;

/** Fields that a card on a phone has below the row's name. */
const MOST_ON_CARD = 4;

/** The columns of a page's table, and what they leave out. */
export type TableShown = {
  readonly columns: readonly TableColumn[];
  /** All columns that rows have, in order of use. */
  readonly inUse: readonly Field[];
  /** How many columns have no value in the whole dataset; they are not shown unasked. */
  readonly empty: number;
  /** Whether somebody chose the columns. All of them are shown then. */
  readonly isChosen: boolean;
};

/** A column of a page's table. */
export type TableColumn = {
  readonly field: Field;
  /** How wide it is, and from which window on it is shown: classes of the style. */
  readonly width?: string;
  readonly from?: string;
  /** Characters that surely fit its width. */
  readonly fits: number;
  /** Whether a card on a phone has it. */
  readonly isOnCard?: boolean;
  /** Whether most of its cells on this page are written from the right, so that it is there. */
  readonly isFromRight?: boolean;
};

type OfTable = Pick<DatasetPage, 'block' | 'manifest' | 'profile' | 'values'>;

/** Cells of columns that scroll in a box are as wide as this at most. */
const FITS_IN_BOX = 40;

/**
 * The columns of a page's table. Unless somebody chose them, they are in order of use, as many as
 * the widest window has room for. A narrower window leaves out those that matter least: what is
 * filtered or sorted stays, wherever it stands.
 */
export function tableColumns(
  of: OfTable,
  grouping?: Grouping,
  /** The page's rows, once they are there: they tell cards apart, and sides of columns. */
  rows: readonly Row[] = [],
): TableShown {
  const sideOf = (field: Field) => (isFromRight(field, rows) ? { isFromRight: true } : {});
  if (grouping !== undefined) {
    const chosen = columnsOfRows(of, grouping).map((field) => {
      return { field, fits: FITS_IN_BOX, ...sideOf(field) };
    });
    return { columns: chosen, inUse: groupColumns(grouping), empty: 0, isChosen: true };
  }
  const all = columnsOfRows({ ...of, values: { ...of.values, _fields: undefined } });
  const { values, manifest } = of;
  const isEmpty = ({ name }: Field) => manifest.fields[name]?.distinct === 0;
  const { about, inUse: ordered } = inOrderOfUse(of, all);
  // A distance is there without being asked for, and cannot be.
  const inUse = ordered.filter((field) => field !== DISTANCE);
  const empty = all.filter(isEmpty).length;
  if (values._fields !== undefined) {
    const shown = columnsOfRows(of).map((field, i) => {
      return { field, fits: FITS_IN_BOX, isOnCard: i > 0 && !isFixed(of, field), ...sideOf(field) };
    });
    return { columns: shown, inUse, empty, isChosen: true };
  }
  const filled = ordered.filter((field) => !isEmpty(field));
  const offered = filled.length === 0 ? ordered : filled;
  const [main, ...others] = offered;
  // The widths are given out by what matters, and the columns stand in order of use.
  const byWeight = [...new Set([main, ...about, ...others])].filter((one) => one !== undefined);
  const placed = new Map<string, TableColumn>();
  let taken = 0;
  for (const field of byWeight.filter((one) => offered.includes(one))) {
    const width = widthOf(of, field);
    const { [width]: rem } = WIDTHS;
    const at = ROOMS.findIndex((room) => taken + rem <= room);
    // A narrower one may still fit.
    if (at < 0) continue;
    taken += rem;
    const fits = Math.floor((rem - PADDING) / CHARACTER);
    placed.set(field.name, { field, width, from: FROM[at] ?? '', fits, ...sideOf(field) });
  }
  const weighed = [...placed.values()].map(({ field }) => field);
  const onCard = cardFields(
    weighed.filter((field) => field !== main && !isFixed(of, field)),
    main === undefined ? [] : [main],
    rows,
  );
  const columns = offered.flatMap(({ name }) => {
    const column = placed.get(name);
    return column === undefined ? [] : { ...column, isOnCard: onCard.includes(column.field) };
  });
  return { columns, inUse, empty, isChosen: false };
}

/**
 * The fields of a card: the first by weight, but none whose values another of them contains, such as
 * a house number beside its address. A phone number takes the last place if it is none of the first;
 * the distance has a line of its own.
 */
function cardFields(
  weighed: readonly Field[],
  named: readonly Field[],
  rows: readonly Row[],
): readonly Field[] {
  const told: Field[] = [];
  for (const field of weighed) {
    const beside = [...named, ...weighed.slice(0, MOST_BESIDE)].filter((one) => one !== field);
    if (!beside.some((other) => contains(other, field, rows))) told.push(field);
  }
  const away = told.filter((field) => field === DISTANCE);
  const others = told.filter((field) => field !== DISTANCE);
  const phone = others.find(({ type }) => type === 'phone');
  const first = others.slice(0, MOST_ON_CARD);
  if (phone === undefined || first.includes(phone)) return [...away, ...first];
  return [...away, ...first.slice(0, -1), phone];
}

/** Columns whose values may contain another's: those that a card without it has, and the distance. */
const MOST_BESIDE = MOST_ON_CARD + 1;

/** Whether each value of a field is a part of another's text in the same row, as whole words. */
function contains(other: Field, { name }: Field, rows: readonly Row[]): boolean {
  const both = rows.filter((row) => row[name] != null && typeof row[other.name] === 'string');
  return (
    2 * both.length > rows.length &&
    both.every((row) => ` ${row[other.name]} `.includes(` ${row[name]} `)) &&
    // Of two that are equal, one stays.
    both.some((row) => String(row[name]) !== row[other.name])
  );
}

/** How many columns each window shows, the narrowest first; a phone's cards are of their own. */
export function countsOf(shown: readonly TableColumn[]): number[] {
  return FROM.map(
    (_, at) =>
      shown.filter(({ from = '' }) => (FROM as readonly string[]).indexOf(from) <= at).length,
  );
}

/**
 * The columns by use: the one that names rows, the key fields, those asked about, the rest. Of
 * these, those that most rows lack are behind the others, and then those of the place.
 */
function inOrderOfUse({ block, manifest, profile, values }: OfTable, all: readonly Field[]) {
  const { keyFields, geometry } = block;
  const byName = new Map(all.map((field) => [field.name, field]));
  const main = mainOf({ block, manifest, profile }, all);
  const about = askedAbout({ block, values }).flatMap((name) => byName.get(name) ?? []);
  const isPlace = ({ name }: Field) => name === geometry?.latitude || name === geometry?.longitude;
  const isEmpty = ({ name }: Field) => manifest.fields[name]?.distinct === 0;
  const { rows = 0, fields: known = {} } = manifest;
  const isBlank = ({ name }: Field) => 2 * (known[name]?.nulls ?? 0) > rows;
  const inUse = new Set([
    ...(main === undefined ? [] : [main]),
    ...(byName.has(DISTANCE.name) ? [DISTANCE] : []),
    ...keyFields.flatMap((name) => byName.get(name) ?? []),
    ...about,
    ...all.filter((field) => !isPlace(field) && !isBlank(field)),
    ...all.filter((field) => !isPlace(field) && !isEmpty(field)),
    ...all.filter((field) => !isEmpty(field)),
    ...all,
  ]);
  const first = byName.has(DISTANCE.name) ? [DISTANCE, ...about] : about;
  return { about: first, inUse: [...inUse] };
}

/** A column of which as large a part of the rows has no value names none. */
const MOST_BLANK = 0.2;

/**
 * The column that names a row: the one that is declared, the key field that a row's page is named by,
 * the key, or else the first that is filled. A place as machines write it names none.
 */
function mainOf(
  { block, manifest, profile }: Pick<OfTable, 'block' | 'manifest' | 'profile'>,
  all: readonly Field[],
): Field | undefined {
  const { primaryKey = [], keyFields } = block;
  const isNamed = (field: Field) => typeOf(field).isName && tellsApart(manifest, field.name);
  const fields = all.filter(
    (field) =>
      field !== DISTANCE && !isPlaceText(ownMember(profile?.suggestions, field.name)?.[0] ?? ''),
  );
  const { rows = 0, fields: known = {} } = manifest;
  const filled = fields.filter(({ name }) => (known[name]?.nulls ?? 0) < MOST_BLANK * rows);
  const isKey = ({ name }: Field) => primaryKey.length === 1 && primaryKey[0] === name;
  return (
    filled.find(({ main }) => main) ??
    filled.find((field) => keyFields.includes(field.name) && isNamed(field)) ??
    filled.find((field) => isKey(field) && typeOf(field).isName) ??
    filled.find(({ type }) => type !== 'link') ??
    filled[0] ??
    all[0]
  );
}

/** The fields that the arguments sort by, and those that they filter. */
function askedAbout({ block, values }: Pick<OfTable, 'block' | 'values'>): string[] {
  const { parameters } = block;
  const filteredBy = (given: Readonly<Record<string, unknown>>) =>
    parameters.flatMap(({ name, field }) =>
      field === undefined || given[name] === undefined ? [] : [field],
    );
  const namesIn = (option: string) => (values[option] ?? []) as readonly string[];
  return [
    ...namesIn('_sort').map((name) => name.replace(/^-/, '')),
    ...filteredBy(values),
    ...alternativesIn(values).flatMap(({ values: given }) => filteredBy(given)),
    ...namesIn(EMPTY),
    ...namesIn(FILLED),
  ];
}

/** Whether a filter leaves one value of a field, which each row then has. */
function isFixed({ values }: OfTable, field: Field): boolean {
  if (keysOfDay(field) !== undefined) return false;
  const [value, ...others] = [values[field.name] ?? []].flat();
  if (value === undefined || others.length > 0) return false;
  return typeof value !== 'string' || !/(?<!\\)\*/.test(value);
}

/** Values of a column, the commonest, that tell how long the others are. */
const MOST_LOOKED_AT = 6;

/** Characters of a title's longest word that widen a column. A title has two lines, then it is cut. */
const MOST_OF_WORD = 10;

function widthOf({ manifest, profile }: OfTable, field: Field): Width {
  const { name, title, type } = field;
  const words = title.split(' ').map(lengthShown);
  const length = Math.max(Math.min(Math.max(...words), MOST_OF_WORD), lengthOf());
  const all = Object.entries(WIDTHS) as [Width, number][];
  return all.find(([, rem]) => length * CHARACTER + PADDING <= rem)?.[0] ?? 'wide';

  function lengthOf(): number {
    if (type === 'boolean') return 'yes'.length;
    const days = keysOfDay(field);
    if (days !== undefined) return days > 1 ? '2020-05-17 10:30'.length : '2020-05-17'.length;
    const { min = 0, max = 0 } = manifest.fields[name] ?? {};
    if (isNumeric(field)) {
      const decimals = Math.min(ownMember(profile?.decimals, name) ?? 0, 2);
      return Math.max(...[min, max].map((end) => numberText(end, decimals).length));
    }
    const known = ownMember(profile?.suggestions, name);
    if (known === undefined || known.length === 0) return Number.POSITIVE_INFINITY;
    return known
      .slice(0, MOST_LOOKED_AT)
      .reduce((most, text) => Math.max(most, lengthShown(text)), 0);
  }
}
