import type { Measure } from '../block/grouping.ts';
import type { AxisName } from '../block/views.ts';
import type { PlainMessage } from '../languages/german.ts';
import type { Language } from '../languages/language.ts';
import type { Value } from '../values/field-type.ts';
import type { Part } from './periods.ts';
import type { GroupsQuestion, Question } from './question.ts';
import type { Picture } from './shape.ts';
import type { Words } from './words.ts';

/** Bounds of a figure. What is beyond them is said in the caption. */

/** Marks of a figure: points of all lines together, cells, dots, areas. A line takes longer periods. */
export const MOST_MARKS = 2000;

/** Lines of a figure. More series become a heat table. */
export const MOST_LINES = 8;

/** Lines of a figure that are drawn quietly, beside or instead of those, and their points. */
export const MOST_QUIET_LINES = 100;
export const MOST_QUIET_POINTS = 3000;

/** Small plots of a figure, a line in each. */
export const MOST_PLOTS = 24;

/** Bars of a list, and columns of a histogram. The rest is one bar, or the steps become wider. */
export const MOST_BARS = 50;

/** Bars of a list that is asked for without a number. */
export const USUAL_BARS = 10;

/** Rows of a heat table. The others are in the caption. */
export const MOST_HEAT_ROWS = 40;

/** Columns of a heat table. The others are in the caption. */
export const MOST_HEAT_COLUMNS = 60;

/** Periods across a heat table. Of more, each becomes longer, as far as there are longer ones. */
export const MOST_HEAT_PERIODS = 24;

/** What is pointed at: a period, a bar, a cell, a dot, an area, with its numbers. */
export type Mark = {
  readonly name: string;
  /** Its numbers, as drawn: one, or one for each series. */
  readonly numbers: readonly (number | null)[];
  readonly href?: string;
};

/** A class of shades: `look` is its class in the style. */
export type KeyEntry = {
  readonly look: string;
  readonly text: string;
  /** How large its square is, as a share of the greatest. Absent if all are of one size. */
  readonly size?: number;
};

/** The numbers of a figure as a table. */
export type NumbersTable = {
  readonly heads: readonly { readonly title: string; readonly isNumber?: true }[];
  readonly rows: readonly {
    readonly cells: readonly string[];
    /** Leads from the first cell. */
    readonly href?: string;
    /** The first number as a bar, in shares; it begins and ends here. */
    readonly bar?: readonly [from: number, to: number];
  }[];
  /** Where zero is, if bars go to both sides of it. */
  readonly zero?: number;
};

/** Another question that has fewer marks. */
export type Fewer =
  | { readonly part: Part }
  | { readonly width: string }
  /** Whole numbers that are years in steps of so many. */
  | { readonly years: number };

/** An axis that a figure can have, and what a link to it says. */
export type AxisOffer = { readonly name: AxisName; readonly title: string };

/** What a mark makes of a question. */
export type Drawn = {
  readonly title: string;
  /** How many groups it is of: `in 56 months`. */
  readonly extent?: string;
  /** Of a histogram: where its first step begins and its last one ends, as they are called. */
  readonly ends?: readonly [first: number, last: number];
  /** What the picture is, for those who do not see it: `Line`. */
  readonly form: string;
  /** What is read aloud of the picture, where its marks have no order to read: of a map. */
  readonly aloud?: string;
  readonly caption: readonly Words[];
  readonly picture?: Picture;
  readonly marks: readonly Mark[];
  /** Values of its second field to begin with, if it has too many to tell them apart. */
  readonly toPick?: readonly Value[];
  readonly key?: readonly KeyEntry[];
  /** What stands behind the key: a unit. */
  readonly keyUnit?: string;
  readonly numbers: NumbersTable;
  /** The axis that it is drawn on. Absent if its mark has no other. */
  readonly axis?: AxisName;
  /** The axes of its mark that say something true of its numbers. Absent if there is no choice. */
  readonly offers?: readonly AxisOffer[];
  /** Why that is not the one that was asked for. */
  readonly misfit?: string;
};

/**
 * What a question is of, by its dimensions alone: two numbers of each row, as points or squares;
 * one dimension, be it of a field with areas, of steps or of cells of a map; two; or time, alone or with
 * another dimension.
 */
export type Subject =
  | 'places'
  | 'points'
  | 'squares'
  | 'one'
  | 'areas'
  | 'steps'
  | 'cells'
  | 'two'
  | 'time';

/** A mark is a way to draw an answer. To add one, write it in a file here and list it in marks.ts. */
export type MarkKind = {
  /** As a page offers it: `line`. */
  readonly title: PlainMessage;
  /** What it draws. It is asked nothing of questions that are of something else. */
  readonly of: Subject;
  /** Whether it can draw a question that is of this. Absent if it can draw each. */
  fits?(question: Question): boolean;
  /** The measures that it draws; the first number alone if absent. */
  measures?(question: Question): readonly Measure[];
  /** Set if it draws, beside what was picked, what a filter leaves out. */
  readonly showsOthers?: true;
  /**
   * What to ask instead, if the question has too many marks: longer periods, or wider steps. It is
   * told by counts, before anything is drawn. Undefined if this is no more than can be drawn.
   */
  fewer?(question: Question): Fewer | undefined;
  /** With more groups than this it asks for fewer, so that no more are read. Any number if undefined. */
  most?(question: Question): number | undefined;
  draw(question: Question): Drawn;
  /** The axes that it can have. Absent if it has none. */
  readonly axes?: readonly AxisName[];
  /** What would be offered of a question's numbers, where another mark draws them. */
  offers?(question: GroupsQuestion): readonly AxisOffer[];
};

/** A figure without anything to draw. */
export function emptyFigure({ say }: Language) {
  return { form: say('Empty figure'), marks: [], numbers: { heads: [], rows: [] } } as const;
}
