import { shorten } from '../values/wording.ts';

/** A cell of a column, and the line where its record begins. */
export type SeenCell = { readonly cell: string; readonly line: number };

/** A cell that is not of a type, and what it is instead: `is no number`. */
export type Denial = SeenCell & { readonly because: string };

/**
 * Keeps a cell, cut to what is shown. It is a copy: a text cut out of another keeps that in memory,
 * which may be a whole piece of the file.
 */
export function seenCell(cell: string, line: number): SeenCell {
  return { cell: Buffer.from(shorten(cell)).toString(), line };
}

/** The least and the greatest value of a column. */
export type Range<T> = { readonly min: T; readonly max: T };

export function widened<T extends number | string>(
  range: Range<T> | undefined,
  value: T,
): Range<T> {
  if (range === undefined) return { min: value, max: value };
  if (value < range.min) return { min: value, max: range.max };
  return value > range.max ? { min: range.min, max: value } : range;
}

/** Collects whether each of a column's cells passes a test. */
export class ShapeEvidence {
  denial?: Denial;
  /** How many of the cells pass. */
  reads = 0;
  private readonly test: (text: string) => boolean;
  private readonly because: string;

  constructor(test: (text: string) => boolean, because: string) {
    this.test = test;
    this.because = because;
  }

  /** Takes a cell, trimmed and not blank. Returns whether all so far pass. */
  add(text: string, line: number): boolean {
    if (this.test(text)) {
      this.reads++;
      return true;
    }
    this.denial = { ...seenCell(text, line), because: this.because };
    return false;
  }
}
