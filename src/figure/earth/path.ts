import { type GeoPermissibleObjects, type GeoProjection, geoPath } from 'd3-geo';

/**
 * Outlines as the data of SVG paths, in whole numbers, each relative to the one before: a third of
 * what d3 writes.
 */
export function pathOf(shape: GeoPermissibleObjects, d3: GeoProjection): string {
  const path = new CompactPath();
  geoPath(d3, path as never)(shape);
  return path.finish();
}

/** A line that is shorter than this is no line, in units of a map. */
const LEAST_LENGTH = 2;

class CompactPath {
  #text = '';
  #x = 0;
  #y = 0;
  /** The outline that is being drawn: where it began, what is written of it, and how far it goes. */
  #begun = '';
  #steps = '';
  #length = 0;

  moveTo(x: number, y: number): void {
    this.#end('');
    this.#x = Math.round(x);
    this.#y = Math.round(y);
    this.#begun = `M${this.#x}${pair(this.#y)}`;
  }

  lineTo(x: number, y: number): void {
    const [right, down] = [Math.round(x) - this.#x, Math.round(y) - this.#y];
    if (right === 0 && down === 0) return;
    const first = this.#steps === '' ? `l${right}` : pair(right);
    this.#steps += `${first}${pair(down)}`;
    this.#length += Math.abs(right) + Math.abs(down);
    this.#x += right;
    this.#y += down;
  }

  closePath(): void {
    this.#end('z');
  }

  arc(): void {}

  beginPath(): void {}

  #end(close: '' | 'z'): void {
    // An island of one point is not seen.
    if (this.#length >= LEAST_LENGTH) this.#text += this.#begun + this.#steps + close;
    this.#begun = this.#steps = '';
    this.#length = 0;
  }

  /** Ends a line that is not closed. */
  finish(): string {
    this.#end('');
    return this.#text;
  }
}

/** A number after another one. */
function pair(number: number): string {
  return number < 0 ? String(number) : ` ${number}`;
}
