/**
 * What a figure is made of, as plain data. A page draws it as wide as it is, a file at a fixed
 * width, so a place is a share of the plot and pixels beyond that.
 */

/** West, south, east and north, in degrees. */
export type Box = readonly [west: number, south: number, east: number, north: number];

/** A share of the plot's width or height, from the left or the top, and pixels beyond it. */
export type At = number | readonly [share: number, px: number];

/** A part of a text. `starts` begins a line below. */
export type Run = { readonly text: string; readonly isBold?: true; readonly starts?: true };

/** The sides of squares on a map, as shares of its width; the style has them by their number. */
export const SPOT_SIZES = [
  ...[0.0055, 0.007, 0.009, 0.011, 0.0135, 0.0165, 0.02, 0.024, 0.029, 0.035],
] as const;

/** The least side of a square on a page, in pixels. */
export const LEAST_SPOT = 5;

/** What is drawn. `look` has the classes of the style, of which a file makes colours. */
export type Shape =
  | {
      readonly shape: 'rect';
      readonly look: string;
      readonly x: At;
      readonly y: At;
      readonly width: At;
      readonly height: At;
    }
  | {
      /** A square around a place, in one of ten sizes: its side is a share of the map's width. */
      readonly shape: 'spot';
      readonly look: string;
      readonly x: At;
      readonly y: At;
      /** The index of its size. */
      readonly size: number;
    }
  | {
      readonly shape: 'circle';
      readonly look: string;
      readonly x: At;
      readonly y: At;
      readonly radius: number;
    }
  | {
      readonly shape: 'line';
      readonly look: string;
      readonly x: readonly [from: At, to: At];
      readonly y: readonly [from: At, to: At];
    }
  | {
      /** A line through points, in shares; null breaks it. */
      readonly shape: 'curve';
      readonly look: string;
      readonly points: readonly (readonly [x: number, y: number] | null)[];
    }
  | {
      /** The data of an SVG path, in the pixels of a map; moved and scaled. */
      readonly shape: 'area';
      readonly look: string;
      readonly path: string;
      readonly transform?: string;
    }
  | {
      readonly shape: 'text';
      readonly look: string;
      readonly x: At;
      readonly y: At;
      /** Down, in heights of the letters. */
      readonly down?: number;
      readonly anchor?: 'start' | 'middle' | 'end';
      /** Turned to the right around its place, in degrees. */
      readonly turn?: number;
      readonly runs: readonly Run[];
    }
  | Link;

/** Shapes that lead to the rows behind them. */
export type Link = {
  readonly shape: 'link';
  readonly look?: string;
  /** Absent if no filter can ask for these rows. */
  readonly href?: string;
  /** What is read out of them. */
  readonly title?: string;
  readonly shapes: readonly Shape[];
};

/** A row of a list of bars. */
export type BarRow = {
  readonly name: string;
  readonly href?: string;
  /** The number, and its share of all, as texts. */
  readonly value: string;
  readonly share?: string;
  /** Where the bar begins and ends, in shares; absent without a number. */
  readonly bar?: readonly [from: number, to: number];
  /** Set on the bar of all that are not listed. */
  readonly isRest?: true;
};

/** Shaded cells with their numbers, in rows and columns that have names. */
export type CellTable = {
  readonly corner: string;
  readonly heads: readonly string[];
  readonly rows: readonly {
    readonly name: string;
    /** Undefined where there is no number. */
    readonly cells: readonly (ShadedCell | undefined)[];
  }[];
};

export type ShadedCell = {
  readonly look: string;
  readonly text: string;
  /** What is read out of it. */
  readonly title: string;
  readonly href?: string;
};

/** How shapes lie on the paper. */
export type Picture =
  | {
      /** A plot with axes, as high as the style says. */
      readonly layout: 'plot';
      readonly look: string;
      readonly shapes: readonly Shape[];
      /** What stands above it on a phone, which has no room for names beside the lines. */
      readonly names?: readonly { readonly look: string; readonly text: string }[];
      /** What is shown where one points, over all others. */
      readonly readouts: readonly Link[];
    }
  | {
      /** Rows of cells of this height, with names to the left. */
      readonly layout: 'grid';
      readonly height: number;
      readonly shapes: readonly Shape[];
      /** The cells with their numbers, which a page shows instead. */
      readonly table?: CellTable;
    }
  | {
      readonly layout: 'map';
      /** Set if no outline lies under it: the ground is as large as the frame. */
      readonly isFramed?: true;
      /** Where the frame is, in words that stand below it. */
      readonly corners?: string;
      /** The degrees of its sides. */
      readonly frame: Box;
      /** The class of its ratio. Its marks are then placed in shares, and its outlines are stretched. */
      readonly ratio?: string;
      /** Whose outlines lie under it. */
      readonly credit?: string;
      /** What is half as wide, and twice as wide. */
      readonly closer?: Box;
      readonly wider?: Box;
      /** The degrees of points along a grid over it, for the script that moves it. */
      readonly mesh?: readonly (readonly [longitude: number, latitude: number])[];
      /** Set if some places are outside of it. */
      readonly hasOutside?: boolean;
      readonly width: number;
      readonly height: number;
      readonly shapes: readonly Shape[];
    }
  | {
      readonly layout: 'list';
      readonly heads: readonly [name: string, value: string];
      readonly rows: readonly BarRow[];
      /** Where zero is, if bars go to both sides of it. */
      readonly zero?: number;
    };

/** A square, of so many pixels, around a place. */
export function square(look: string, x: number, y: number, size: number): Shape {
  const at = (share: number): At => [share, -size / 2];
  const length: At = [0, size];
  return { shape: 'rect', look, x: at(x), y: at(y), width: length, height: length };
}

/** Cuts a long name to at most `most` characters. */
export function cutName(name: string, most: number): string {
  return name.length <= most ? name : `${name.slice(0, most - 1).toWellFormed()}…`;
}

/** The height of a label, as a share of the plot's. */
const LABEL_HEIGHT = 0.066;

/**
 * Places of labels, of which none may cover another: moved apart in their order, and pushed back
 * inside. All are shares.
 */
export function movedApart(places: readonly number[]): number[] {
  const order = places.map((at, i) => ({ at, i })).sort((a, b) => a.at - b.at || a.i - b.i);
  let above = Number.NEGATIVE_INFINITY;
  for (const label of order) {
    label.at = Math.max(label.at, above + LABEL_HEIGHT, TOPMOST);
    above = label.at;
  }
  // What was moved below goes up again, and what is above it makes room.
  let below = LOWEST + LABEL_HEIGHT;
  for (const label of order.toReversed()) {
    label.at = Math.min(label.at, below - LABEL_HEIGHT);
    below = label.at;
  }
  const moved: number[] = [];
  for (const { at, i } of order) moved[i] = at;
  return moved;
}

const TOPMOST = 0.02;
const LOWEST = 1.01;

/** A bar from zero, to the left if the value is negative. */
export function barOf(value: number, share: (value: number) => number): readonly [number, number] {
  return [share(Math.min(0, value)), share(Math.max(0, value))];
}

/** The address of a shape, if it has one. */
export const linked = (href: string | undefined) => (href === undefined ? {} : { href });
