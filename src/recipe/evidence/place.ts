import { isProjected, projectedText, TO_180 } from '../../files/geojson/geojson-point.ts';
import type { PlainRows } from '../../files/plain-rows.ts';
import type { SourceTable } from '../../files/source-table.ts';
import { quoted } from '../../text/shell-word.ts';
import { numberText, showCell } from '../../text/wording.ts';
import { plainNumberIn } from '../../values/plain-number.ts';
import { type DecimalChar, readSpelledNumber } from '../../values/spelled-number.ts';
import { isSurelyPoint, type PointForm, writtenPoint } from '../../values/written-point.ts';
import { wordsOf } from '../column-names.ts';
import { ColumnEvidence } from './column.ts';
import { type ColumnDecision, type Range, type SeenCell, seenCell } from './column-decision.ts';

/** The columns that hold degrees north and degrees east. */
export type PlaceColumns = {
  readonly latitude: number;
  readonly longitude: number;
  /** Set if the headers may be of metres, or anything else on a plane. */
  readonly isUnsure?: true;
};

// German also has longer words. Its short ones also mean width and length. The US Census writes
// INTPTLAT20. Then Italian, Dutch, Turkish, Russian, Chinese and Japanese, and Korean.
const LATITUDE =
  /^(?:lat|intptlat(?:[12]0)?|latitude|latitud|breitengrad|latitudine|breedtegraad|enlem|\u0448\u0438\u0440\u043e\u0442\u0430|[\u7def\u7eac]\u5ea6|\uc704\ub3c4)$/;
const LONGITUDE =
  /^(?:lon|intptlon(?:[12]0)?|lng|long|longitude|longitud|l\u00e4ngengrad|laengengrad|longitudine|lengtegraad|boylam|\u0434\u043e\u043b\u0433\u043e\u0442\u0430|[\u7d4c\u7d93\u7ecf]\u5ea6|\uacbd\ub3c4)$/;

/** Whether a header is of degrees. */
export function isOfDegrees(header: string): boolean {
  return wordsOf(header).some((word) => LATITUDE.test(word) || LONGITUDE.test(word));
}

const X = /^x$/;
const Y = /^y$/;

/**
 * Finds the first two columns whose headers differ only in latitude and longitude, or else in Y and
 * X.
 */
export function placeColumns(headers: readonly string[]): PlaceColumns | undefined {
  const found = columnsNamed(headers, LATITUDE, LONGITUDE);
  if (found !== undefined) return found;
  const unsure = columnsNamed(headers, Y, X);
  if (unsure === undefined) return undefined;
  const others = headers.map((header, at) => (Object.values(unsure).includes(at) ? '' : header));
  const other = columnsNamed(others, Y, X);
  if (other !== undefined) {
    // Two pairs with words of their own may be two groups in a plot. That with fewer words is the row's.
    const [words, otherWords] = [unsure, other].map(({ latitude }) =>
      wordsOf(headers[latitude] as string).filter((word) => !Y.test(word)),
    ) as [string[], string[]];
    if (words.some((word) => !otherWords.includes(word))) return undefined;
  }
  return { ...unsure, isUnsure: true };
}

function columnsNamed(
  headers: readonly string[],
  north: RegExp,
  east: RegExp,
): PlaceColumns | undefined {
  const words = headers.map(wordsOf);
  const wordsWithout = (of: readonly string[], without: RegExp) =>
    of.some((word) => without.test(word))
      ? of.filter((word) => !without.test(word)).join(' ')
      : undefined;
  for (const [latitude, of] of words.entries()) {
    const rest = wordsWithout(of, north);
    const longitude = words.findIndex(
      (candidate) => rest !== undefined && wordsWithout(candidate, east) === rest,
    );
    if (longitude >= 0) return { latitude, longitude };
  }
  return undefined;
}

/**
 * The decimal character of a latitude or longitude that can be read in two ways, such as `45.125`,
 * if all its cells are degrees in one of them alone. `at` is the index of the column.
 */
export function decimalOnMap(
  { readings = [] }: Pick<ColumnDecision, 'readings'>,
  { latitude, longitude, isUnsure }: PlaceColumns,
  at: number,
): DecimalChar | undefined {
  if (isUnsure || (at !== latitude && at !== longitude)) return undefined;
  const most = at === latitude ? 90 : 180;
  const numbers = readings.filter(({ given }) => given.decimal !== undefined);
  const [first, second] = numbers.filter(({ range }) => {
    const { min, max } = range as Range<number>;
    return min >= -most && max <= most;
  });
  return numbers.length > 1 && second === undefined ? first?.given.decimal : undefined;
}

/** A number with three decimals. */
const DEGREES = /[.,]\d{3}/;

/** The least and the greatest of some numbers. */
class Extent {
  private min = Number.POSITIVE_INFINITY;
  private max = Number.NEGATIVE_INFINITY;

  add(value: number): void {
    this.min = Math.min(this.min, value);
    this.max = Math.max(this.max, value);
  }

  get span(): number {
    return this.max - this.min;
  }

  get hasBothSigns(): boolean {
    return this.min < 0 && this.max > 0;
  }

  /** Whether zero is about half way. */
  get isCentred(): boolean {
    return Math.abs(this.min + this.max) * CENTRED < this.span;
  }
}

const CENTRED = 5;

/** Places round 0, 0 that span fewer degrees would nearly all be in the sea. */
const SPAN_ROUND_ZERO = 40;

/** Places of the whole earth span more degrees from west to east. */
const SPAN_OF_EARTH = 180;

/** The first row with such a place, and how many there are. */
export type PlaceFault = { readonly first: SeenCell; readonly count: number };

/** Counts a file's rows by whether their coordinates are on a map. */
export class PlaceEvidence {
  /** Rows with two numbers. */
  placed = 0;
  /** Rows at 0, 0, which is in the sea. Places end up there if nobody looked them up. */
  zero?: PlaceFault;
  /** Rows beyond 90 degrees north or south, or 180 east or west. */
  beyond?: PlaceFault;
  /** Of unsure columns: rows with enough decimals for degrees to tell houses apart. */
  private fine = 0;
  /** Of unsure columns: how far the numbers go. */
  private readonly extents = { north: new Extent(), east: new Extent() };
  /** Rows whose numbers cannot be degrees. */
  private projected = 0;
  /** Rows with a latitude, and a longitude beyond 180 degrees. */
  private eastOf180 = 0;
  private readonly columns: PlaceColumns;

  constructor(columns: PlaceColumns) {
    this.columns = columns;
  }

  /** Takes the cells of some rows. */
  addRows(rows: PlainRows): void {
    const { codes, starts, ends } = rows;
    const { latitude, longitude, isUnsure } = this.columns;
    for (let row = 0; row < rows.length; row++) {
      const at = row * rows.columns;
      const degreesAt = (i: number) => plainNumberIn(codes, starts[i] as number, ends[i] as number);
      const [north, east] = [degreesAt(at + latitude), degreesAt(at + longitude)];
      const isPlaced = Math.abs(north) <= 90 && Math.abs(east) <= 180 && north !== 0;
      if (isPlaced && !isUnsure) this.placed++;
      else {
        const { cells, line } = rows.record(row);
        this.add(cells, line);
      }
    }
  }

  /** Takes a row's cells. */
  add(cells: readonly string[], line: number): void {
    const { latitude, longitude } = this.columns;
    const [north, east] = [degreesOf(cells[latitude]), degreesOf(cells[longitude])];
    if (north === undefined || east === undefined) return;
    this.placed++;
    if (this.columns.isUnsure) {
      const isFine = [latitude, longitude].every((column) => DEGREES.test(cells[column] ?? ''));
      if (isFine) this.fine++;
      this.extents.north.add(north);
      this.extents.east.add(east);
    }
    const isZero = north === 0 && east === 0;
    if (!isZero && Math.abs(north) <= 90 && Math.abs(east) <= 180) return;
    if (isProjected(east, north)) this.projected++;
    else if (!isZero && Math.abs(north) <= 90) this.eastOf180++;
    const kind = isZero ? 'zero' : 'beyond';
    const known = this[kind];
    const first = known?.first ?? seenCell(`${cells[latitude]}, ${cells[longitude]}`, line);
    this[kind] = { first, count: (known?.count ?? 0) + 1 };
  }

  /** Whether most places are on a map. Coordinates in metres or feet are not. */
  get isOnMap(): boolean {
    if (this.columns.isUnsure) {
      if (this.beyond !== undefined || this.fine * 2 < this.placed) return false;
      if (this.isRoundOrigin) return false;
    }
    return this.placed > 0 && (this.beyond?.count ?? 0) * 2 < this.placed;
  }

  /** Whether the numbers lie round 0, 0, as those of a shape or a plot do, and few places on earth. */
  private get isRoundOrigin(): boolean {
    const { north, east } = this.extents;
    if (!north.hasBothSigns || !east.hasBothSigns) return false;
    const isSmall = Math.max(north.span, east.span) < SPAN_ROUND_ZERO;
    return isSmall || (north.isCentred && east.isCentred && east.span < SPAN_OF_EARTH);
  }

  /**
   * If most places are off the map: how to make places of them. `open` tells GDAL where the columns
   * are.
   */
  advice(counts: SourceTable['counts'], open: readonly string[]): string | undefined {
    if (this.projected * 2 >= this.placed && this.projected > 0) {
      // GDAL reads points from columns of CSV. Sheets and JSON must first be saved as CSV.
      return projectedText(counts === 'line' ? [...open, 'KEEP_GEOM_COLUMNS=NO'] : []);
    }
    const isEast = this.eastOf180 * 2 >= this.placed && this.eastOf180 > 0;
    return isEast && !this.columns.isUnsure ? TO_180 : undefined;
  }

  /** Notes for the person who adds the file. `counts` is what the numbers of places count. */
  notes(counts: SourceTable['counts']): string[] {
    if (this.columns.isUnsure && !this.isOnMap) return [];
    const note = ({ first, count }: PlaceFault, what: string) =>
      `${numberText(count)} of ${numberText(this.placed)} places ${count === 1 ? 'is' : 'are'} ${what}, first ${first.cell} in ${counts} ${first.line}`;
    return [
      ...(this.zero === undefined ? [] : [note(this.zero, 'at 0, 0')]),
      ...(this.beyond === undefined ? [] : [note(this.beyond, 'on no map')]),
    ];
  }
}

/** Compares the places that columns of points say with those of the geometries. */
export class SaidPlaces {
  private both = 0;
  private elsewhere?: PlaceFault & { readonly drawn: string };

  private readonly said: PlaceColumns;
  private readonly drawn: PlaceColumns;

  constructor(said: PlaceColumns, drawn: PlaceColumns) {
    this.said = said;
    this.drawn = drawn;
  }

  add(cells: readonly string[], line: number): void {
    const { said, drawn } = this;
    const pairs = [
      [cells[said.latitude], cells[drawn.latitude]],
      [cells[said.longitude], cells[drawn.longitude]],
    ] as const;
    const isOpen = pairs.flat().some((cell) => degreesOf(cell) === undefined);
    if (isOpen) return;
    this.both++;
    if (pairs.every(([a = '', b = '']) => areNear(a, b))) return;
    const [[north, drawnNorth], [east, drawnEast]] = pairs;
    const { first, drawn: firstDrawn } = this.elsewhere ?? {
      first: seenCell(`${north}, ${east}`, line),
      drawn: seenCell(`${drawnNorth}, ${drawnEast}`, line).cell,
    };
    this.elsewhere = { first, drawn: firstDrawn, count: (this.elsewhere?.count ?? 0) + 1 };
  }

  notes(names: readonly string[], counts: SourceTable['counts']): string[] {
    if (this.elsewhere === undefined) return [];
    const { first, drawn, count } = this.elsewhere;
    const pair = `${names[this.said.latitude]} and ${names[this.said.longitude]}`;
    const share = `${numberText(count)} of ${numberText(this.both)} rows`;
    return [
      `${pair} say another place than the geometry in ${share}, first ${first.cell} in ${counts} ${first.line}, where the geometry has ${drawn}; the map has the geometry's`,
    ];
  }
}

/**
 * Makes a comparison if columns say places beside points. A point that stands for an area may be
 * another one than the file's.
 */
export function saidPlaces(
  said: PlaceColumns | undefined,
  geometry: SourceTable['geometry'],
): SaidPlaces | undefined {
  if (said === undefined || said.isUnsure || geometry?.are !== 'points') return undefined;
  return new SaidPlaces(said, geometry);
}

/** Whether one of two degrees may be the other one with fewer decimals. */
function areNear(a: string, b: string): boolean {
  const decimals = [a, b].map((cell) => /[.,](\d+)/.exec(cell)?.[1]?.length ?? 0);
  const difference = Math.abs((degreesOf(a) as number) - (degreesOf(b) as number));
  const unit = 10 ** -Math.min(...decimals);
  // 180 degrees east are 180 degrees west.
  return Math.min(difference, Math.abs(360 - difference)) <= unit * (1 + LEEWAY);
}

/** A difference of binary fractions. */
const LEEWAY = 1e-6;

/** A header for a command that people copy. Hides whatever a shell might obey. */
export function plainHeader(header: string): string {
  return /^\w[\w.-]{0,60}$/.test(header) ? header : '<header>';
}

function degreesOf(cell = ''): number | undefined {
  const text = cell.trim();
  for (const decimalChar of ['.', ','] as const) {
    const found = readSpelledNumber(text, decimalChar, true);
    if (found !== undefined && found.group === undefined) return found.value;
  }
  return undefined;
}

/**
 * Cells of a column before the first point. A column is dropped once this many of its cells are not
 * points.
 */
const MOST_BEFORE = 10;

/** The least share of a column's cells that must be points. */
const LEAST_POINTS = 0.8;

/**
 * Texts that may stand among points. Others with digits could be coordinates, unless they are
 * shapes.
 */
const MAY_BE_ODD = /^(?:\P{N}*|[A-Z][^(]*\(.*)$/iu;

/** The numbers of a column's points, and their places on a map in either order. */
class PointEvidence {
  readonly first = new ColumnEvidence('');
  readonly second = new ColumnEvidence('');
  readonly places = new PlaceEvidence({ longitude: 0, latitude: 1 });
  readonly swapped = new PlaceEvidence({ longitude: 1, latitude: 0 });
  points = 0;
  filled = 0;
  /** How the first point is written, and where. Others must be written so. */
  form: PointForm | undefined;
  example: SeenCell | undefined;
  /** The first cell that is not a point. */
  odd: SeenCell | undefined;
  /** Whether a cell is not a point but could be a coordinate. */
  isMixed = false;

  add(text: string, line: number): void {
    const written = text === '' ? undefined : writtenPoint(text);
    const isLike = this.form === undefined || written?.form === this.form;
    const point = text === '' ? null : isLike ? written?.place : undefined;
    if (written !== undefined && this.form === undefined) {
      this.form = written.form;
      this.example = seenCell(text, line);
    }
    const [first, second] = point ? [point.longitude, point.latitude] : [text, text];
    const isBlank = point === null;
    this.first.add(isBlank ? '' : first, line);
    this.second.add(isBlank ? '' : second, line);
    if (isBlank) return;
    this.filled++;
    if (point === undefined) {
      this.odd ??= seenCell(text, line);
      this.isMixed ||= !MAY_BE_ODD.test(text.slice(0, MOST_LOOKED_AT));
      return;
    }
    this.points++;
    this.places.add([first, second], line);
    this.swapped.add([first, second], line);
  }
}

/** Characters of a cell that are tested. */
const MOST_LOOKED_AT = 200;

/** A column that may have points, and its cells before the first one. */
type PointColumn = {
  readonly column: number;
  readonly before: { readonly text: string; readonly line: number }[];
  evidence?: PointEvidence;
};

/** The places in a column of points in Well-Known Text, and the decisions on their numbers. */
export type WrittenPlaces = {
  /** The index of the column. */
  readonly column: number;
  readonly longitude: ColumnDecision;
  readonly latitude: ColumnDecision;
  readonly evidence: PlaceEvidence;
  /** Whether the latitude comes first, which the standard does not allow. */
  readonly isSwapped: boolean;
  readonly pointForm?: Exclude<PointForm, 'wkt'>;
};

/** Finds columns whose texts are points: `POINT(-76.61 39.29)`. */
export class PointColumns {
  #open: readonly PointColumn[];
  readonly #chosen: number | undefined;

  /** `chosen` is the column that a person calls one of places. */
  constructor(columns: number, chosen?: number) {
    this.#chosen = chosen;
    this.#open = Array.from({ length: columns }, (_, column) => ({ column, before: [] }));
  }

  /** Takes the cells of some rows. */
  addRows(rows: PlainRows): void {
    for (let row = 0; row < rows.length && this.#open.length > 0; row++) {
      this.#take((column) => rows.cell(row, column), rows.firstLine + row);
    }
  }

  /** Takes a row's cells. */
  add(cells: readonly string[], line: number): void {
    this.#take((column) => cells[column] as string, line);
  }

  #take(cellOf: (column: number) => string, line: number): void {
    let isOver = false;
    for (const open of this.#open) {
      const text = cellOf(open.column).trim();
      if (open.evidence === undefined) {
        if (text === '') continue;
        const isChosen = open.column === this.#chosen && writtenPoint(text) !== undefined;
        if (!isChosen && !isSurelyPoint(text)) {
          open.before.push({ text, line });
          isOver ||= open.before.length === MOST_BEFORE;
          continue;
        }
        open.evidence = new PointEvidence();
        for (const { text, line } of open.before) open.evidence.add(text, line);
      }
      open.evidence.add(text, line);
    }
    if (isOver) {
      this.#open = this.#open.filter(({ evidence, before }) => {
        return evidence !== undefined || before.length < MOST_BEFORE;
      });
    }
  }

  /** Returns the first column of places. `why` says why each other column of points is not one. */
  decide(
    headers: readonly string[],
    counts: SourceTable['counts'],
  ): {
    readonly places?: WrittenPlaces;
    readonly why: readonly string[];
  } {
    const why: string[] = [];
    let places: WrittenPlaces | undefined;
    for (const { column, evidence } of this.#open) {
      if (evidence === undefined) continue;
      if (this.#chosen !== undefined && column !== this.#chosen) continue;
      const header = headers[column] as string;
      const { form, example } = evidence;
      if (form !== 'wkt' && column !== this.#chosen) {
        if (example && mayBePlaces(evidence)) why.push(placesText(header, example, counts));
        continue;
      }
      const read = placesIn(column, evidence);
      const isAlone = headers.filter((other) => other === header).length === 1 && header !== '';
      if (read === undefined || !isAlone) why.push(whyNoPlaces(header, evidence, isAlone, counts));
      else if (places === undefined) places = read;
      else why.push(`${showCell(header)} has points too, and stays a text`);
    }
    return { places, why };
  }
}

/** The longitude and latitude of points. Undefined if the cells are not points, or off the map. */
function placesIn(column: number, evidence: PointEvidence): WrittenPlaces | undefined {
  const { points, filled, isMixed, places, swapped } = evidence;
  if (isMixed || points < LEAST_POINTS * filled) return undefined;
  const given = { type: 'number', decimal: '.' } as const;
  const [first, second] = [evidence.first.decide(given), evidence.second.decide(given)];
  if (first.type !== 'number' || second.type !== 'number') return undefined;
  // Some latitude is beyond 90 degrees, and none is if the numbers are swapped.
  const isSure = swapped.isOnMap && swapped.beyond === undefined;
  // People write the latitude first, and standards the longitude.
  const isSwapped = isSure && (evidence.form === 'pair' || !places.isOnMap);
  if (!isSwapped && !places.isOnMap) return undefined;
  return {
    column,
    longitude: isSwapped ? second : first,
    latitude: isSwapped ? first : second,
    evidence: isSwapped ? swapped : places,
    isSwapped,
    pointForm: evidence.form === 'wkt' ? undefined : evidence.form,
  };
}

/** Whether nearly all cells are points, and most of them on a map in some order. */
function mayBePlaces({ points, filled, isMixed, places, swapped }: PointEvidence): boolean {
  const arePoints = !isMixed && points >= LEAST_POINTS * filled;
  return arePoints && (places.isOnMap || swapped.isOnMap);
}

/** Tells that texts are places, which are on a map only if a person says so. */
function placesText(
  header: string,
  { cell, line }: SeenCell,
  counts: SourceTable['counts'],
): string {
  const option = `--places ${quoted(header)}`;
  return `no map of ${showCell(header)}, whose cells may be places, such as ${showCell(cell)} in ${counts} ${line}; if they are: ${option}`;
}

function whyNoPlaces(
  header: string,
  { points, filled, odd, places }: PointEvidence,
  isAlone: boolean,
  counts: SourceTable['counts'],
): string {
  const name = `no map of ${showCell(header)}`;
  if (!isAlone) return `${name}: no other column may have its header`;
  if (odd === undefined) {
    const advice = places.advice(counts, [`GEOM_POSSIBLE_NAMES=${plainHeader(header)}`]);
    return [name, ...places.notes(counts), ...(advice === undefined ? [] : [advice])].join(': ');
  }
  return `${name}: ${numberText(points)} of ${numberText(filled)} cells are points in degrees (WGS 84), ${showCell(odd.cell)} in ${counts} ${odd.line} is none`;
}
