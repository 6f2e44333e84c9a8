/**
 * What a figure is made of, as plain data. A page draws it as wide as it is, a file at a fixed
 * width, so a place is a share of the plot and pixels beyond that.
 */

/** West, south, east and north, in degrees. */
export type Box = readonly [west: number, south: number, east: number, north: number];

/** A share of the plot's width or height, from the left or the top, and pixels beyond it. */
export type At = number | readonly [share: number, px: number];

/** Points of a line, in shares; null breaks it. */
export type Points = readonly (readonly [x: number, y: number] | null)[];

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
      readonly shape: 'curve';
      readonly look: string;
      readonly points: Points;
    }
  | {
      /** What is between two lines, in shares; where one of them breaks, it does. */
      readonly shape: 'band';
      readonly look: string;
      readonly points: readonly (readonly [x: number, low: number, high: number] | null)[];
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
  /** Of bars side by side, the group that they are in, and their colour. */
  readonly within?: string;
  readonly look?: string;
  /** Set on the bar of all that are not listed. */
  readonly isRest?: true;
};

/** Shaded cells with their numbers, in rows and columns that have names. */
export type CellTable = {
  readonly corner: string;
  readonly heads: readonly string[];
  /** What the sums of the rows are called, if they have any. */
  readonly sums?: string;
  readonly rows: readonly {
    readonly name: string;
    readonly sum?: string;
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

/** A plot of one line, with a name and its last number. */
export type SmallPlot = {
  readonly name: string;
  readonly value: string;
  /** What is read out of it. */
  readonly title: string;
  readonly href?: string;
  readonly points: Points;
  /** The numbers of the axis, over the line. */
  readonly labels: readonly Shape[];
};

/** Whether a shape is stretched with a map: outlines, and areas that lead to their rows. */
export function isStretched(shape: Shape): boolean {
  return shape.shape === 'area' || (shape.shape === 'link' && shape.shapes.every(isStretched));
}

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
      /** Set if there are sums to the right of the cells. */
      readonly hasSums?: boolean;
      /** The cells with their numbers, which a page shows instead. */
      readonly table?: CellTable;
    }
  | {
      /** Small plots of one line each, with one axis. */
      readonly layout: 'plots';
      /** What their numbers are of. */
      readonly unit: string;
      /** The lines of the axis, under all plots. */
      readonly shapes: readonly Shape[];
      /** The lines without names, which each plot has. */
      readonly quiet: Points;
      /** The first and the last period. */
      readonly ends: readonly [first: string, last: string];
      readonly plots: readonly SmallPlot[];
    }
  | {
      readonly layout: 'map';
      /** Set if no outline lies under it: the ground is as large as the frame. */
      readonly isFramed?: true;
      /** Where the frame is, in words that stand below it. */
      readonly corners?: string;
      /** The degrees of its sides; absent where it cannot be moved. */
      readonly frame?: Box;
      /** The class of its ratio. Its marks are then placed in shares, and its outlines are stretched. */
      readonly ratio?: string;
      /** Whose outlines lie under it. */
      readonly credit?: string;
      /** What the whole map shows, if it is no map of places. */
      readonly home?: Box;
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
      /** What the groups of bars side by side are: `Age`. */
      readonly group?: string;
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

/** Pixels of a square beside a plot with the space around it, and of a letter of a number in bold. */
const BESIDE_SQUARE = 25;
const LETTER = 7.6;

/** Numbers of so many letters have room in any case, so that they are in line on most figures. */
const LEAST_LETTERS = 5;

/** Where numbers beside their squares end, in pixels from the plot: they are as wide as the longest. */
export function endOfNumbers(texts: readonly string[]): number {
  const letters = Math.max(LEAST_LETTERS, ...texts.map(({ length }) => length));
  return Math.round(BESIDE_SQUARE + LETTER * letters);
}

/** The height of a label, as a share of the plot's. */
export const LABEL_HEIGHT = 0.066;

/**
 * Places of labels, of which none may cover another: moved apart in their order, and pushed back
 * inside. All are shares.
 */
export function movedApart(places: readonly number[], labelHeight = LABEL_HEIGHT): number[] {
  const order = places.map((at, i) => ({ at, i })).sort((a, b) => a.at - b.at || a.i - b.i);
  let above = Number.NEGATIVE_INFINITY;
  for (const label of order) {
    label.at = Math.max(label.at, above + labelHeight, TOPMOST);
    above = label.at;
  }
  // What was moved below goes up again, and what is above it makes room.
  let below = LOWEST + labelHeight;
  for (const label of order.toReversed()) {
    label.at = Math.min(label.at, below - labelHeight);
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

/** A shape in a part of the plot's height: it begins there, and is so high. */
export function inPart(shape: Shape, top: number, height: number): Shape {
  const at = (y: At): At => {
    return typeof y === 'number' ? top + y * height : [top + y[0] * height, y[1]];
  };
  switch (shape.shape) {
    case 'rect': {
      const size = shape.height;
      return {
        ...shape,
        y: at(shape.y),
        height: typeof size === 'number' ? size * height : [size[0] * height, size[1]],
      };
    }
    case 'circle':
    case 'spot':
    case 'text':
      return { ...shape, y: at(shape.y) };
    case 'line':
      return { ...shape, y: [at(shape.y[0]), at(shape.y[1])] };
    case 'curve':
      return {
        ...shape,
        points: shape.points.map((point) => point && [point[0], top + point[1] * height]),
      };
    case 'band':
      return {
        ...shape,
        points: shape.points.map(
          (point) => point && [point[0], top + point[1] * height, top + point[2] * height],
        ),
      };
    case 'link':
      return { ...shape, shapes: shape.shapes.map((one) => inPart(one, top, height)) };
    case 'area':
      return shape;
  }
}

/** A line without what is above or below the plot: it ends at the border. */
export function clipped(points: Points): Points {
  const shown: (readonly [number, number] | null)[] = [];
  points.forEach((to, i) => {
    const from = points[i - 1] ?? null;
    if (from === null || to === null) return;
    const [begin, end] = partInside(from[1], to[1]);
    if (begin >= end) return;
    const at = (part: number) =>
      part === 0
        ? from
        : part === 1
          ? to
          : ([from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])] as const);
    if (begin > 0 || shown.at(-1) !== from) shown.push(null, at(begin));
    shown.push(at(end));
  });
  return shown.slice(1);
}

/** The part of a straight line that is in the plot, as shares of its length. */
function partInside(from: number, to: number): readonly [begin: number, end: number] {
  if (from === to) return from >= 0 && from <= 1 ? [0, 1] : [0, 0];
  const borders = [0, 1].map((border) => (border - from) / (to - from));
  return [Math.max(0, Math.min(...borders)), Math.min(1, Math.max(...borders))];
}
