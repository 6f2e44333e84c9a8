import { timeParser } from '../../values/written-time.ts';
import type { CellEvidence } from './column-decision.ts';
import { Kind } from './kind.ts';

/** Months and quarters. They stay texts, unless somebody gives their pattern. */
export class PeriodKind extends Kind<PeriodEvidence> {
  constructor() {
    super(() => new PeriodEvidence());
  }

  readings(): [] {
    return [];
  }

  /** The pattern by which all cells are months or quarters, each of which has a first day. */
  get format(): string | undefined {
    const { denial, reads, evidence } = this.best;
    return denial === undefined && reads > 0 ? evidence.format : undefined;
  }
}

/** Ways to write months and quarters, each of which stands for its first day if somebody says so. */
const PERIODS = [
  ...['%Y-%m', '%Y/%m', '%m/%Y', '%m-%Y', '%YM%m', '%b %Y', '%B %Y', '%b-%Y', '%b-%y', '%b %y'],
  ...['Q%q %Y', 'Q%q-%Y', '%Y-Q%q', '%YQ%q', '%Y Q%q'],
].map((format) => ({ format, read: timeParser(format) }));

/** A longer cell is no period. */
const MOST_OF_PERIOD = 20;

/** Collects whether a column's cells are months or quarters, all of them written in one way. */
class PeriodEvidence implements CellEvidence {
  private left: readonly { format: string; read: (text: string) => string | undefined }[] = PERIODS;

  add(text: string): string | undefined {
    const left =
      text.length > MOST_OF_PERIOD ? [] : this.left.filter(({ read }) => read(text) !== undefined);
    if (left.length === 0) return 'is no month or quarter';
    this.left = left;
    return undefined;
  }

  /** The pattern of all cells. */
  get format(): string {
    return this.left[0]?.format ?? '';
  }
}
