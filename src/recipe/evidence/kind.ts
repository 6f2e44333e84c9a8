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

/** A reading that may well be wrong, and why. */
export type DoubtedReading = Omit<OpenReading, 'value'> & {
  readonly doubt?: string;
  /** Set if it is as safe as a text. */
  readonly isSafest?: true;
};

/**
 * What a file's own types leave to be found out of a column: whether its numbers have decimals, if
 * all cells are numbers; which type others are of, if some are; what texts say, but for letters, as
 * such a file has booleans of its own. Of `names`, nothing: whoever wrote them wanted texts.
 */
export type TypesOfFile = 'numbers' | 'numbers-and-others' | 'texts' | 'names';

/** What a kind may know of its column beside the cells. */
export type SeenColumn = {
  readonly header: string;
  readonly typesOfFile: TypesOfFile | undefined;
  /** The first cell that is not blank; none before one was seen. */
  firstCells(): readonly SeenCell[];
};

/** A distinct text that may be odd in its column. */
export type OddText = CountedCell & { readonly text: string; count: number };

/** Keeps a text that may be odd; gives the same for one that is kept already. */
export type KeepText = (text: string, line: number) => OddText;

/** A longer text is no number, date or word for nothing; it is not kept whole. */
const MOST_LENGTH = 400;

export function oddText(text: string, line: number): OddText {
  const { cell } = seenCell(text, line);
  const whole = text.length > MOST_LENGTH ? cell : Buffer.from(text).toString();
  return { cell, line, text: whole, count: 1 };
}

/** So many of the first distinct texts are kept, since the first of a column may be the odd ones. */
export const EARLY = 20;

/** Distinct odd texts of a column: with more it is a text. */
const MOST_ODD = 1000;

/** One beginning of the evidence: what it has read settles how all others must be written. */
class Attempt<E extends CellEvidence> {
  readonly evidence: E;
  /** How many distinct texts it has read, and how many before the first odd one. */
  reads = 0;
  private readsBefore = 0;
  /** None once they are too many. */
  odd: OddText[] = [];
  isAlive = true;
  /** The first odd cell, and why it is. */
  denial?: Denial;

  constructor(evidence: E) {
    this.evidence = evidence;
  }

  add(text: string, line: number, keep: KeepText): boolean {
    const because = this.evidence.add(text, line);
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

  /** How many texts say that the column is of this kind. */
  get nearness(): number {
    if (this.denial === undefined) return 0;
    return this.isAlive && this.reads > this.odd.length ? this.reads : this.readsBefore;
  }
}

/**
 * Collects whether a column's cells are of one kind, and the few that are not. It begins anew, up to
 * some times, with an early cell that does not fit those before it: one of these may be the odd one.
 * To add a kind, write its file and name it in type.ts.
 */
export abstract class Kind<E extends CellEvidence = CellEvidence> {
  private readonly make: () => E;
  private readonly most: number;
  private readonly attempts: Attempt<E>[];

  constructor(make: () => E, most = 1) {
    this.make = make;
    this.most = most;
    this.attempts = [new Attempt(make())];
  }

  /** The ways to read the column as of this kind, by what is given, whatever is odd. */
  abstract readings(given: GivenOfColumn): readonly DoubtedReading[];

  /** Takes a text that it was not given before. `early` are all before it, if they are few. */
  add(text: string, line: number, keep: KeepText, early?: readonly OddText[]): void {
    let isRead = false;
    for (const attempt of this.attempts) {
      if (attempt.isAlive && attempt.add(text, line, keep)) isRead = true;
    }
    if (isRead || early === undefined || this.attempts.length >= this.most) return;
    if (this.attempts.some(({ reads }) => reads === 0)) return;
    const attempt = new Attempt(this.make());
    if (!attempt.add(text, line, keep)) return;
    for (const before of early) attempt.add(before.text, before.line, keep);
    this.attempts.push(attempt);
  }

  /** Whether its odd texts are few. */
  get isAlive(): boolean {
    return this.attempts.some(({ isAlive }) => isAlive);
  }

  /** The beginning that reads most texts. */
  get best(): Attempt<E> {
    return this.attempts.reduce((best, one) =>
      Number(one.isAlive) - Number(best.isAlive) > 0 ||
      (one.isAlive === best.isAlive && one.reads > best.reads)
        ? one
        : best,
    );
  }

  /** How near the column is to this kind, and the cell that keeps it from being of it. */
  get nearest(): { readonly nearness: number; readonly denial?: Denial } {
    return this.attempts.reduce((best, one) => (one.nearness > best.nearness ? one : best));
  }

  /** The odd texts of all beginnings that are alive. */
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

/** The first cell may be the odd one, and so may one that two ways to write allow. */
export const MOST_BEGINNINGS = 3;
