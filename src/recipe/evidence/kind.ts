import {
  type CellEvidence,
  type CountedCell,
  type Denial,
  type GivenOfColumn,
  type OddCells,
  type OpenReading,
  type SeenCell,
  seenCell,
} from './column-decision.ts';
import type { PlainCell } from './plain-cell.ts';

/** A reading with doubts, and the reason for them. */
export type DoubtedReading = Omit<OpenReading, 'value'> & {
  readonly doubt?: string;
  /** Set if the reading is as safe as a text. */
  readonly isSafest?: true;
};

/**
 * What a file's own types say about a column. `numbers`: all cells are, so only decimals are open.
 * `numbers-and-others`: the type of the others is open. `texts`: their type is open, but single
 * letters are no booleans, because such a file has booleans of its own. `names`: nothing is open,
 * because the writer wanted texts.
 */
export type TypesOfFile = 'numbers' | 'numbers-and-others' | 'texts' | 'names';

/** What a kind may know about its column beside the cells. */
export type SeenColumn = {
  readonly header: string;
  readonly typesOfFile: TypesOfFile | undefined;
  /** The first cell that is not blank. Empty before there is one. */
  firstCells(): readonly SeenCell[];
};

/** A distinct text that may be odd in its column. */
export type OddText = CountedCell & { readonly text: string; count: number };

/** Keeps a text that may be odd. Returns the kept one if there is one. */
export type KeepText = (text: string, line: number) => OddText;

/** A longer text is no number, date or word for nothing. It is not kept whole. */
const MOST_LENGTH = 400;

export function oddText(text: string, line: number): OddText {
  const { cell } = seenCell(text, line);
  const whole = text.length > MOST_LENGTH ? cell : Buffer.from(text).toString();
  return { cell, line, text: whole, count: 1 };
}

/** How many of the first distinct texts are kept, because these may be the odd ones. */
export const EARLY = 20;

/** Distinct odd texts of a column. A column with more is a text. */
const MOST_ODD = 1000;

/**
 * One attempt to read a column. The texts that it has read settle how the others must be written.
 */
class Attempt<E extends CellEvidence> {
  readonly evidence: E;
  /** How many distinct texts it has read, in all and before the first odd one. */
  reads = 0;
  private readsBefore = 0;
  /** The odd texts. Empty once they are too many. */
  odd: OddText[] = [];
  isAlive = true;
  /** The first odd cell, and why it is odd. */
  denial?: Denial;

  constructor(evidence: E) {
    this.evidence = evidence;
  }

  add(text: string, line: number, keep: KeepText, isTyped?: boolean): boolean {
    const because = this.evidence.add(text, line, isTyped);
    if (because === undefined) {
      this.reads++;
      return true;
    }
    this.denial ??= { ...seenCell(text, line), because };
    if (this.odd.length === 0) this.readsBefore = this.reads;
    this.odd.push(keep(text, line));
    const { length } = this.odd;
    if (length > EARLY + this.reads || length > MOST_ODD) {
      this.isAlive = false;
      this.odd = [];
    }
    return false;
  }

  /** How many texts support this kind. */
  get nearness(): number {
    if (this.denial === undefined) return 0;
    return this.isAlive && this.reads > this.odd.length ? this.reads : this.readsBefore;
  }
}

/**
 * Collects whether a column's cells are of one kind, and the few that are not. If an early cell
 * does not fit those before it, a new attempt starts with that cell, because one of those may be
 * the odd one. To add a kind, write its file and name it in type.ts.
 */
export abstract class Kind<E extends CellEvidence = CellEvidence> {
  protected readonly column: SeenColumn;
  private readonly make: () => E;
  private readonly most: number;
  private readonly attempts: Attempt<E>[];
  /** Whether the odd texts are few. */
  isAlive = true;

  constructor(column: SeenColumn, make: () => E, most = 1) {
    this.column = column;
    this.make = make;
    this.most = most;
    this.attempts = [new Attempt(make())];
  }

  /** The ways to read the column as this kind, with what is given. Ignores odd texts. */
  abstract readings(given: GivenOfColumn): readonly DoubtedReading[];

  /**
   * Takes a new text, and whether the file has typed it as a time. `early` has all texts before it,
   * if they are few.
   */
  add(
    text: string,
    line: number,
    keep: KeepText,
    early?: readonly OddText[],
    isTyped?: boolean,
  ): void {
    let isRead = false;
    for (const attempt of this.attempts) {
      if (attempt.isAlive && attempt.add(text, line, keep, isTyped)) isRead = true;
    }
    if (isRead) return;
    if (early !== undefined) this.tryAgain(text, line, keep, early);
    this.isAlive = this.attempts.some(({ isAlive }) => isAlive);
  }

  private tryAgain(text: string, line: number, keep: KeepText, early: readonly OddText[]): void {
    if (this.attempts.length >= this.most) return;
    if (this.attempts.some(({ reads }) => reads === 0)) return;
    const attempt = new Attempt(this.make());
    if (!attempt.add(text, line, keep)) return;
    for (const before of early) attempt.add(before.text, before.line, keep);
    this.attempts.push(attempt);
  }

  /** Whether a cell would only be counted. */
  changesNothing(cell: PlainCell): boolean {
    return this.only?.evidence.changesNothing?.(cell) === true;
  }

  /** Counts such a cell. */
  count(cell: PlainCell): void {
    const { only } = this;
    if (only === undefined) return;
    only.reads++;
    only.evidence.count?.(cell);
  }

  /** The only attempt, unless it is over. */
  private get only(): Attempt<E> | undefined {
    const [only, other] = this.attempts;
    return other === undefined && only?.isAlive ? only : undefined;
  }

  /** The attempt that reads most texts. */
  get best(): Attempt<E> {
    return this.attempts.reduce((best, one) =>
      Number(one.isAlive) - Number(best.isAlive) > 0 ||
      (one.isAlive === best.isAlive && one.reads > best.reads)
        ? one
        : best,
    );
  }

  /** How near the column is to this kind, and the cell that keeps it from it. */
  get nearest(): { readonly nearness: number; readonly denial?: Denial } {
    return this.attempts.reduce((best, one) => (one.nearness > best.nearness ? one : best));
  }

  /** The odd texts of all live attempts. */
  get odd(): readonly OddText[] {
    return this.attempts.flatMap(({ odd }) => odd);
  }
}

/** Odd cells that are shown. */
const MOST_SHOWN = 10;

export function oddCellsOf(odd: readonly OddText[]): OddCells {
  const first = odd
    .toSorted((a, b) => a.line - b.line)
    .slice(0, MOST_SHOWN)
    .map(({ cell, line, count }) => ({ cell, line, count }));
  return { count: odd.reduce((sum, { count }) => sum + count, 0), first };
}

/** Attempts to read a column. The first cell may be odd, and so may one that fits two spellings. */
export const MOST_ATTEMPTS = 3;
