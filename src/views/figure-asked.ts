import type { Members } from '../arguments/given.ts';
import type { Dimension, Grouping } from '../block/grouping.ts';
import { BBOX, FRAME, NEAR, WITHIN } from '../block/parameter.ts';
import type { TwoNumbers } from '../block/two-numbers.ts';
import type { AxisName, MarkName } from '../block/views.ts';
import type { Figure } from '../figure/figure.ts';
import type { Cut } from '../figure/periods.ts';
import type { GroupsAnswer, Known, LinkOf, Others, Question } from '../figure/question.ts';
import type { Box } from '../figure/shape.ts';
import { inLanguage, type Language } from '../languages/language.ts';
import { nearOf, type Predicate, predicateOf } from '../query/predicate.ts';
import type { Output } from '../query/run.ts';
import { boundsWithin, metresIn } from '../values/places.ts';
import type { Budget } from '../work/budget.ts';
import type { OfDataset } from './view.ts';

/** What is asked of a block for a figure. */
export type FigureAsked = {
  readonly language: Language;
  readonly of: OfDataset;
  readonly values: Members;
  /** Absent if it is a map of the rows themselves. */
  readonly grouping?: Grouping;
  readonly mark?: MarkName;
  /** Set if nobody asked for these periods: where filters leave few, they may be shorter. */
  readonly mayBeShorter?: boolean;
  /** Returns the address of the rows of a group. */
  readonly linkOf: (grouping: Grouping) => LinkOf;
  /** Returns the address of the rows of a square. */
  readonly linkToSquare: (asked: TwoNumbers) => LinkOf;
  /** Returns the address of a row by the end of it. */
  readonly linkToRow: (segment: string) => string;
  readonly budget: Budget;
  /** What is counted with the first answer, as facets are. */
  readonly counted?: readonly Dimension[];
  /** An answer with both, if there is one. */
  readonly output?: RowsRead;
};

/** A figure, the marks that could draw the same answer, and the answer that it is made of. */
export type MadeFigure = {
  readonly figure: Figure;
  readonly marks: readonly MarkName[];
  readonly grouping?: Grouping;
  /** Its groups, unless it is of rows. */
  readonly answer?: GroupsAnswer;
  /** What a filter leaves out of them. */
  readonly others?: Others;
  /** How many rows match. */
  readonly matching: number;
  readonly output: RowsRead;
  /** Of two numbers on even axes: whether those with a 0 are few enough for logarithmic ones. */
  readonly mayBeLog?: boolean;
  /** The same figure in another language. */
  readonly figureIn: (language: Language) => Figure;
};

/** An answer of rows or groups. */
export type RowsRead = Output & { readonly kind: 'rows' };

export type Common = Omit<Question, 'answer' | 'places' | 'xy' | 'linkOf'>;

/** What a figure knows of the block and of the filters. */
export async function questionOf({ language, of, values, budget }: FigureAsked): Promise<Common> {
  const { block, manifest, profile } = of;
  const known: Known = {
    language,
    noun: inLanguage(block, language).noun,
    rows: manifest.rows,
    fields: block.fields,
    statistics: manifest.fields,
    source: manifest.source,
    version: manifest.version,
    map: profile?.map,
    areas: profile?.areas,
  };
  const here = nearOf(block, values)?.at;
  const frame = frameOf(values);
  return {
    known,
    cuts: cutsOf(predicateOf(block, values, budget)),
    axis: values._axis as AxisName | undefined,
    here,
    frame,
  };
}

/** The same question in another language. */
export function inOther(question: Question, { block }: OfDataset, language: Language): Question {
  const known = { ...question.known, language, noun: inLanguage(block, language).noun };
  return { ...question, known };
}

/** The part of the map that was asked for, else the box, or the one around a distance of a place. */
function frameOf({
  [FRAME]: frame,
  [BBOX]: box = frame,
  [NEAR]: near,
  [WITHIN]: within,
}: Members): Box | undefined {
  const sides = frame ?? box;
  if (typeof sides === 'string') return sides.split(',').map(Number) as unknown as Box;
  if (typeof near !== 'string' || typeof within !== 'string') return undefined;
  const at = near.split(',').map(Number) as [number, number];
  const { latitudes, longitudes } = boundsWithin(at, metresIn(within));
  const [[south, north] = [-90, 90]] = latitudes;
  // Over the 180th meridian there are two, and the box begins in the second one.
  const [east = [-180, 180], west = east] = longitudes;
  return [west[0], south, east[1], north];
}

/** The keys that filters leave of each field: from the least to the greatest. */
function cutsOf(predicate: Predicate): Record<string, Cut> {
  const cuts: Record<string, Cut> = Object.create(null);
  for (const condition of predicate) {
    if (condition.test !== 'ranges' || condition.not) continue;
    const { field, anyOf } = condition;
    const min = anyOf.reduce((least, [from]) => Math.min(least, from), Number.POSITIVE_INFINITY);
    const max = anyOf.reduce((most, [, to]) => Math.max(most, to), Number.NEGATIVE_INFINITY);
    const cut = cuts[field];
    cuts[field] = {
      min: Math.max(min, cut?.min ?? Number.NEGATIVE_INFINITY),
      max: Math.min(max, cut?.max ?? Number.POSITIVE_INFINITY),
    };
  }
  return cuts;
}
