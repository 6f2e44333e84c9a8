import type { SourceTable } from '../files/source-table.ts';
import { numberText } from '../text/wording.ts';
import { readSpelledNumber } from '../values/spelled-number.ts';
import { type SeenCell, seenCell } from './column-decision.ts';
import { wordsOf } from './column-names.ts';

/** Which columns hold degrees north and degrees east. */
export type PlaceColumns = {
  readonly latitude: number;
  readonly longitude: number;
  /** Set if the headers may be of metres, or of anything else on a plane. */
  readonly isUnsure?: true;
};

// German has longer words, too; its short ones are a width and a length as well.
const LATITUDE = /^(?:lat|latitude|latitud|breitengrad)$/;
const LONGITUDE = /^(?:lon|lng|long|longitude|longitud|l\u00e4ngengrad|laengengrad)$/;

const X = /^x$/;
const Y = /^y$/;

/** The first two columns whose headers differ in latitude and longitude alone; else in Y and X. */
export function placeColumns(headers: readonly string[]): PlaceColumns | undefined {
  const found = columnsNamed(headers, LATITUDE, LONGITUDE);
  if (found !== undefined) return found;
  const unsure = columnsNamed(headers, Y, X);
  return unsure && { ...unsure, isUnsure: true };
}

function columnsNamed(
  headers: readonly string[],
  north: RegExp,
  east: RegExp,
): PlaceColumns | undefined {
  const words = headers.map(wordsOf);
  const others = (of: readonly string[], without: RegExp) =>
    of.some((word) => without.test(word))
      ? of.filter((word) => !without.test(word)).join(' ')
      : undefined;
  for (const [latitude, of] of words.entries()) {
    const rest = others(of, north);
    const longitude = words.findIndex((them) => rest !== undefined && others(them, east) === rest);
    if (longitude >= 0) return { latitude, longitude };
  }
  return undefined;
}

/** A number with three decimals. */
const DEGREES = /[.,]\d{3}/;

/** How many rows have such a place, and the first of them. */
export type PlaceFault = { readonly first: SeenCell; readonly count: number };

/** Counts a file's rows by whether their coordinates are on a map. */
export class PlaceEvidence {
  /** Rows with two numbers. */
  placed = 0;
  /** At 0, 0, in the sea, where places end up that nobody looked up. */
  zero?: PlaceFault;
  /** Beyond 90 degrees north or south, or 180 east or west. */
  beyond?: PlaceFault;
  /** Rows with so many decimals as degrees have that tell one house from the next. */
  private fine = 0;
  private readonly columns: PlaceColumns;

  constructor(columns: PlaceColumns) {
    this.columns = columns;
  }

  /** Takes a row's cells. */
  add(cells: readonly string[], line: number): void {
    const { latitude, longitude } = this.columns;
    const [north, east] = [degreesOf(cells[latitude]), degreesOf(cells[longitude])];
    if (north === undefined || east === undefined) return;
    this.placed++;
    if (DEGREES.test(`${cells[latitude]}`) && DEGREES.test(`${cells[longitude]}`)) this.fine++;
    const isZero = north === 0 && east === 0;
    if (!isZero && Math.abs(north) <= 90 && Math.abs(east) <= 180) return;
    const kind = isZero ? 'zero' : 'beyond';
    const known = this[kind];
    const first = known?.first ?? seenCell(`${cells[latitude]}, ${cells[longitude]}`, line);
    this[kind] = { first, count: (known?.count ?? 0) + 1 };
  }

  /** Whether most places are on a map: coordinates in metres or feet are not. */
  get isOnMap(): boolean {
    if (this.columns.isUnsure && (this.beyond !== undefined || this.fine * 2 < this.placed)) {
      return false;
    }
    return this.placed > 0 && (this.beyond?.count ?? 0) * 2 < this.placed;
  }

  /** What whoever adds the file should know; a place's number counts its lines, or what it has. */
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

function degreesOf(cell = ''): number | undefined {
  const text = cell.trim();
  const found = readSpelledNumber(text, '.', true) ?? readSpelledNumber(text, ',', true);
  return found?.group === undefined ? found?.value : undefined;
}
