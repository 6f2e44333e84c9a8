import { timeParser } from '../../values/written-time.ts';
import type { CellEvidence } from './column-decision.ts';
import { Kind, type SeenColumn } from './kind.ts';

/** Months and quarters. They stay texts unless a person gives their pattern. */
export class PeriodKind extends Kind<PeriodEvidence> {
  constructor(column: SeenColumn) {
    super(column, () => new PeriodEvidence());
  }

  readings(): [] {
    return [];
  }

  /** The pattern by which all cells are months or quarters. Each of these has a first day. */
  get format(): string | undefined {
    const { denial, reads, evidence } = this.best;
    return denial === undefined && reads > 0 ? evidence.format : undefined;
  }
}

/** Patterns of months and quarters, which stand for their first days if a person says so. */
const PERIODS = [
  ...['%Y-%m', '%Y/%m', '%m/%Y', '%m-%Y', '%YM%m', '%b %Y', '%B %Y', '%b-%Y', '%b-%y', '%b %y'],
  ...['Q%q %Y', 'Q%q-%Y', '%Y-Q%q', '%YQ%q', '%Y Q%q'],
].map((format) => ({ format, read: timeParser(format) }));

/** A longer cell is not a period. */
const MOST_OF_PERIOD = 20;

/** Collects whether a column's cells are months or quarters, all in one pattern. */
class PeriodEvidence implements CellEvidence {
  private candidates: readonly { format: string; read: (text: string) => string | undefined }[] =
    PERIODS;

  add(text: string): string | undefined {
    const fitting =
      text.length > MOST_OF_PERIOD
        ? []
        : this.candidates.filter(({ read }) => read(text) !== undefined);
    if (fitting.length === 0) return 'is no month or quarter';
    this.candidates = fitting;
    return undefined;
  }

  /** The pattern that all cells fit. */
  get format(): string {
    return this.candidates[0]?.format ?? '';
  }
}
