import { decimalText } from '../text/decimal.ts';
import { EARTH_RADIUS, metresIn, RADIANS, TINIEST } from './places.ts';

/**
 * Divides the earth into cells of about this width: bands of equal height between parallels, and in
 * each band boxes of equal width, as many as make them about as wide as high in its middle. This is
 * the equal-area grid of W. B. Rossow and L. Garder, Selection of a Map Grid for Data Analysis and
 * Archival, Journal of Climate and Applied Meteorology 23 (1984), 1253-1257. A cell has its western
 * and its southern border. Borders are rounded to `DECIMALS`.
 */
export class MapCells {
  readonly #width: number;
  readonly #bands: number;
  /** The number of boxes in each band that was asked for; 0 for the others. */
  #boxes: Uint32Array | undefined;
  /** Boxes by their centres. */
  readonly #boxesAround = new Map<string, string>();

  /** `width` is a distance: `2km`. */
  constructor(width: string) {
    this.#width = metresIn(width);
    this.#bands = Math.max(1, Math.round((Math.PI * EARTH_RADIUS) / this.#width));
  }

  /**
   * Returns the key of the cell that has a place; NaN if there is no such place. Keys ascend from
   * south to north, then from west to east.
   */
  keyOf(longitude: number, latitude: number): number {
    if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return Number.NaN;
    const band = indexOf(latitude, this.#bands, -90, 180);
    // -180 and 180 are the same meridian.
    const east = longitude === 180 ? -180 : longitude;
    return band * MOST_BOXES + indexOf(east, this.#boxesIn(band), -180, 360);
  }

  /** Returns the middle of a cell, in the form that `_near` takes. No other cell has it. */
  centreOf(key: number): string {
    const { west, south, east, north } = this.#bordersOf(key);
    return [(west + east) / 2, (south + north) / 2].map(rounded).map(decimalText).join(',');
  }

  /**
   * Returns the box, in the form that `_bbox` takes, with all places that the cell has and no
   * others. Both ends of a box are inclusive, so it ends just before the next cell begins.
   */
  boxOf(key: number): string {
    const { west, south, east, north, isNorthernmost } = this.#bordersOf(key);
    // A box from -180 on has 180, too, and it is in the first cell.
    const ends = [west, south, before(east), isNorthernmost ? north : before(north)];
    return ends.map(decimalText).join(',');
  }

  /** Returns the box of the cell with this centre. Answers, figures and links ask for the same ones. */
  boxAround(centre: string): string {
    const known = this.#boxesAround.get(centre);
    if (known !== undefined) return known;
    const [longitude, latitude] = centre.split(',').map(Number) as [number, number];
    const box = this.boxOf(this.keyOf(longitude, latitude));
    if (this.#boxesAround.size < MOST_KEPT) this.#boxesAround.set(centre, box);
    return box;
  }

  #bordersOf(key: number) {
    const band = Math.floor(key / MOST_BOXES);
    const box = key - band * MOST_BOXES;
    const boxes = this.#boxesIn(band);
    return {
      west: border(box, boxes, -180, 360),
      south: border(band, this.#bands, -90, 180),
      east: border(box + 1, boxes, -180, 360),
      north: border(band + 1, this.#bands, -90, 180),
      isNorthernmost: band + 1 === this.#bands,
    };
  }

  #boxesIn(band: number): number {
    this.#boxes ??= new Uint32Array(Math.min(this.#bands, MOST_KNOWN));
    const known = this.#boxes[band] ?? 0;
    if (known !== 0) return known;
    const middle = -90 + (180 * (band + 0.5)) / this.#bands;
    const around = 2 * Math.PI * EARTH_RADIUS * Math.cos(middle * RADIANS);
    const boxes = Math.max(1, Math.round(around / this.#width));
    if (band < this.#boxes.length) this.#boxes[band] = boxes;
    return boxes;
  }
}

/** Bands whose number of boxes is kept: all of cells that are 306 m or wider. Others are computed. */
const MOST_KNOWN = 2 ** 16;

/** No band has as many boxes: at the least width, 10 m, the equator has 4,003,022. */
const MOST_BOXES = 2 ** 22;

/** Boxes of cells that are kept while a question is answered: more than a map has. */
const MOST_KEPT = 4096;

/** About 0.1 m. */
const DECIMALS = 6;

function rounded(degrees: number): number {
  return Math.round(degrees * 10 ** DECIMALS) / 10 ** DECIMALS + 0;
}

/** The border at which a part begins, if a range is divided into so many parts. */
function border(part: number, parts: number, from: number, range: number): number {
  return rounded(from + (range * part) / parts);
}

/** The index of the part that has this number of degrees. */
function indexOf(degrees: number, parts: number, from: number, range: number): number {
  // A box takes a number that is so close to 0 for 0.
  const at = Math.abs(degrees) < TINIEST ? 0 : degrees;
  const exact = ((at - from) / range) * parts;
  let part = Math.min(parts - 1, Math.floor(exact));
  const beyond = exact - part;
  if (beyond > BESIDE_BORDER && beyond < 1 - BESIDE_BORDER) return part;
  // Borders are rounded, so the number may be just beyond one.
  if (at < border(part, parts, from, range)) part--;
  else if (part < parts - 1 && at >= border(part + 1, parts, from, range)) part++;
  return part;
}

/**
 * How far from a border a number may be in another part than it would be without rounding, as a
 * share of a part. Half a millionth of a degree is 0.0056 of the narrowest box.
 */
const BESIDE_BORDER = 0.01;

/** The greatest number of degrees that is less than this one, and that a box tells from it. */
function before(degrees: number): number {
  if (degrees === 0) return -TINIEST;
  const bits = new BigInt64Array(Float64Array.of(degrees).buffer);
  bits[0] = (bits[0] as bigint) + (degrees > 0 ? -1n : 1n);
  return new Float64Array(bits.buffer)[0] as number;
}

/** A dimension of cells is this name and a width: `place.2km`. */
export const PLACE = 'place';

const TENTHS = '(?:\\.[0-9]?[1-9])?';

/** The widths: from 10 m to about 1,000 km or miles. Each can be written in one way in its unit. */
const CELL_WIDTH = `(?:[1-9][0-9]{1,5}m|(?:[1-9][0-9]{0,2}${TENTHS}|0\\.[0-9]?[1-9])(?:km|mi)|[1-9][0-9]{2,5}ft)`;

/** The form of a dimension of cells. */
export const CELLS_PATTERN = `${PLACE}\\.${CELL_WIDTH}`;

const CELLS = new RegExp(`^${CELLS_PATTERN}$`);

/** The width in a dimension of cells. Undefined if it is another dimension. */
export function cellWidthIn(text: string): string | undefined {
  return CELLS.test(text) ? text.slice(PLACE.length + 1) : undefined;
}
