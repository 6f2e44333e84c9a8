import type { Rgb } from './ciede2000.ts';

/** Named colours in the order of their list; a position counts from 0. */
export interface ColorList {
  readonly count: number;
  /** Three bytes per colour, as `indexColors` expects. */
  readonly rgb: Uint8Array;
  name(position: number): string;
  /** `#rrggbb`, lower case. */
  hex(position: number): string;
  color(position: number): Rgb;
}

const HEX_LENGTH = 6;

/** The offsets of a list's lines and the colours in them, which take time to find. */
export interface ColorLines {
  readonly count: number;
  /** Three bytes per colour. */
  readonly rgb: Uint8Array;
  /** The offsets of `count` lines in the text, and of its end. */
  readonly starts: Uint32Array;
}

/**
 * Reads a list with one line per colour: `rrggbb name` and a line feed, the hex in lower case.
 *
 * For a fast cold start it keeps the text and the offsets of its lines, and slices a name only on
 * request. A list of 32,000 colours thus needs no object per colour.
 */
export function parseColorList(text: string, lines: ColorLines = findColorLines(text)): ColorList {
  const { count, rgb, starts } = lines;
  if (starts[count] !== text.length) throw new Error('These are the lines of another colour list.');
  const lineStart = (position: number): number => {
    if (!(position >= 0 && position < count)) {
      throw new RangeError(`A list of ${count} colours has none at ${position}.`);
    }
    return starts[position] as number;
  };
  return {
    count,
    rgb,
    name: (position) =>
      text.slice(lineStart(position) + HEX_LENGTH + 1, (starts[position + 1] as number) - 1),
    hex: (position) => {
      const at = lineStart(position);
      return `#${text.slice(at, at + HEX_LENGTH)}`;
    },
    color: (position) => {
      lineStart(position);
      const at = 3 * position;
      return [rgb[at] as number, rgb[at + 1] as number, rgb[at + 2] as number];
    },
  };
}

/** Throws an Error for a line that does not start with a colour, or that is cut off. */
export function findColorLines(text: string): ColorLines {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;

  const rgb = new Uint8Array(3 * count);
  const starts = new Uint32Array(count + 1);
  let start = 0;
  for (let position = 0; position < count; position++) {
    starts[position] = start;
    for (let channel = 0; channel < 3; channel++) {
      const high = hexDigit(text.charCodeAt(start + 2 * channel));
      const low = hexDigit(text.charCodeAt(start + 2 * channel + 1));
      if (high < 0 || low < 0) {
        throw new Error(`Line ${position + 1} of a colour list does not start with a colour.`);
      }
      rgb[3 * position + channel] = high * 16 + low;
    }
    start = text.indexOf('\n', start) + 1;
  }
  starts[count] = start;
  if (start !== text.length) throw new Error('The last line of a colour list is cut off.');
  return { count, rgb, starts };
}

/** The value of an ASCII code as a lower-case hexadecimal digit; -1 if it is not one. */
function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  return code >= 97 && code <= 102 ? code - 87 : -1;
}
