import { timeParser } from '../../values/written-time.ts';
import { isOfTimes } from '../column-names.ts';
import type { CellEvidence } from './column-decision.ts';
import { Kind, type SeenColumn } from './kind.ts';

/** Months and quarters. They stay texts unless a person gives their pattern. */
export class PeriodKind extends Kind<PeriodEvidence> {
  constructor(column: SeenColumn) {
    const { header } = column;
    super(
      column,
      () => new PeriodEvidence(isOfTimes(header) ? [...PERIODS, ...DAYS_OF_YEAR] : PERIODS),
    );
  }

  readings(): [] {
    return [];
  }

  /** The pattern by which all cells are months or quarters. Each of these has a first day. */
  get format(): string | undefined {
    const { denial, reads, evidence } = this.best;
    if (denial !== undefined || reads === 0) return undefined;
    // A month of each year that has the next year's number is hardly one.
    if (evidence.areSpans && reads > 1 && !OF_MONTHS.test(this.column.header)) return undefined;
    return evidence.format;
  }
}

/** Patterns of months, quarters and weeks, which stand for their first days if a person says so. */
const PERIODS = [
  ...['%Y-%m', '%Y/%m', '%m/%Y', '%m-%Y', '%YM%m', '%b %Y', '%B %Y', '%b-%Y', '%b-%y', '%b %y'],
  ...['Q%q %Y', 'Q%q-%Y', '%Y-Q%q', '%YQ%q', '%Y Q%q', '%G-W%V', '%GW%V', '%G W%V'],
].map(patternOf);

/** Patterns of days of the year. A number behind a year may count anything else. */
const DAYS_OF_YEAR = ['%Y-%j', '%Y/%j', '%Y %j'].map(patternOf);

function patternOf(format: string) {
  return { format, read: timeParser(format) };
}

/** Says that 2001-02 is February. */
const OF_MONTHS = /month|monat|mois|mes|mês|mese|maand|měsíc|месяц/i;

/** A longer cell is not a period. */
const MOST_OF_PERIOD = 20;

/** Collects whether a column's cells are months or quarters, all in one pattern. */
class PeriodEvidence implements CellEvidence {
  private candidates: typeof PERIODS;
  /** Whether each cell is a year and the next one, as school years are written: 2001-02. */
  areSpans = true;

  constructor(patterns: typeof PERIODS) {
    this.candidates = patterns;
  }

  add(text: string): string | undefined {
    const fitting =
      text.length > MOST_OF_PERIOD
        ? []
        : this.candidates.filter(({ read }) => read(text) !== undefined);
    if (fitting.length === 0) return 'is no month or quarter';
    this.candidates = fitting;
    const [, year, next] = /^(\d{4})[-/](\d\d)$/.exec(text) ?? [];
    if (year === undefined || (Number(year) + 1) % 100 !== Number(next)) this.areSpans = false;
    return undefined;
  }

  /** The pattern that all cells fit. */
  get format(): string {
    return this.candidates[0]?.format ?? '';
  }
}
