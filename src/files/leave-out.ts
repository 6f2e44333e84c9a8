import { numberText } from '../text/wording.ts';
import { SeedError } from './source-table.ts';

/** Lines or rows, both ends inclusive. Negative numbers count from the last, which is -1. */
export type RowRange = { readonly from: number; readonly to: number };

/** Rows that a person may leave out by their numbers. */
export const MOST_LEFT_OUT = 1000;

const RANGE = /^(-?[1-9]\d{0,8})(?:(\.\.)(-?[1-9]\d{0,8})?)?$/;

/**
 * Parses `18`, `3..5`, `18..` or `-3..`, or several with commas between. Undefined if it is none of
 * these.
 */
export function readRanges(text: string): readonly RowRange[] | undefined {
  const ranges = text.split(',').map((one): RowRange | undefined => {
    const [, first, hasEnd, last] = RANGE.exec(one.trim()) ?? [];
    if (first === undefined) return undefined;
    const from = Number(first);
    return { from, to: hasEnd === undefined ? from : Number(last ?? -1) };
  });
  return ranges.every((range) => range !== undefined) ? ranges : undefined;
}

export function rangesText(ranges: readonly RowRange[]): string {
  return ranges
    .map(({ from, to }) => (from === to ? `${from}` : `${from}..${to === -1 ? '' : to}`))
    .join(',');
}

/** A clause about rows that a person left out. */
export function leftOutTexts(ranges: readonly RowRange[] | undefined, count: number): string[] {
  if (ranges === undefined) return [];
  const are = count === 1 ? '1 record is' : `${numberText(count)} records are`;
  return [`${are} left out as was said: ${rangesText(ranges)}`];
}

/** Finds the records at given places of a file, while these are read in order. */
export class LeaveOut {
  readonly #ranges: readonly RowRange[];
  readonly #file: string;
  readonly #counts: 'line' | 'row';
  #found: { readonly place: number; readonly number: number }[] = [];
  #count = 0;
  /** The last records, for places counted from the end. */
  readonly #last: { readonly place: number; readonly number: number }[] = [];

  constructor(ranges: readonly RowRange[], file: string, counts: 'line' | 'row') {
    this.#ranges = ranges;
    this.#file = file;
    this.#counts = counts;
  }

  /** Takes the next record: its place in the file, and its number in block.json. */
  add(place: number, number: number): void {
    const record = { place, number };
    this.#count++;
    this.#last.push(record);
    if (this.#last.length > MOST_LEFT_OUT) this.#last.shift();
    const isIn = ({ from, to }: RowRange) => from > 0 && from <= place && (to < 0 || place <= to);
    if (this.#ranges.some(isIn)) this.#found.push(record);
    if (this.#found.length > 2 * MOST_LEFT_OUT)
      throw this.#fault(`over ${MOST_LEFT_OUT} are named`);
  }

  /**
   * The numbers of the records to leave out, once all were added. Throws a SeedError if a range has
   * none.
   */
  numbers(): readonly number[] {
    const far = this.#ranges.find(({ from, to }) => Math.min(from, to) < -MOST_LEFT_OUT);
    if (far !== undefined && this.#count > this.#last.length) {
      const least = numberText(MOST_LEFT_OUT);
      const reason = `begins more than ${least} records above the end`;
      throw this.#fault(`${this.#counts} ${rangesText([far])} ${reason}`);
    }
    const fromEnd = (index: number) => this.#last.at(index)?.place ?? 0;
    const places = this.#ranges.map(({ from, to }) => ({
      from: from < 0 ? fromEnd(from) : from,
      to: to < 0 ? fromEnd(to) : to,
    }));
    const all = [...new Set([...this.#found, ...this.#last])];
    const found = all.filter(({ place }) =>
      places.some(({ from, to }) => from <= place && place <= to),
    );
    const empty = places.findIndex(
      ({ from, to }) => !found.some(({ place }) => from <= place && place <= to),
    );
    if (empty >= 0)
      throw this.#fault(
        `${this.#counts} ${rangesText([this.#ranges[empty] as RowRange])} begins no row`,
      );
    if (found.length > MOST_LEFT_OUT) throw this.#fault(`${numberText(found.length)} are named`);
    return found.map(({ number }) => number).sort((a, b) => a - b);
  }

  #fault(reason: string): SeedError {
    return new SeedError(
      this.#file,
      `--leave-out: ${reason}; at most ${numberText(MOST_LEFT_OUT)} ${this.#counts}s of the file can be left out`,
    );
  }
}
