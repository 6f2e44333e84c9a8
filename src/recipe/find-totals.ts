import {
  type BadRow,
  SeedError,
  type SourceRecord,
  type SourceTable,
} from '../files/source-table.ts';
import {
  type CalledTotal,
  calledAtEnd,
  calledTotal,
  isFigure,
  isNamed,
  isTotalWord,
  NOTHING,
} from '../files/totals.ts';
import { type ExactDecimal, plus, unitsAt } from '../text/decimal.ts';
import { isOfIds, wordsOf } from './column-names.ts';
import { readUnits } from './read-units.ts';

/** A row that is called a total. It is kept apart until its meaning is decided. */
export type TotalRow = CalledTotal &
  Pick<SourceRecord, 'cells' | 'line' | 'types'> & {
    /** Set if the row has too few cells. */
    readonly bad?: BadRow;
  };

/** All rows with the same word for a total in the same column. */
export type FoundTotals = {
  readonly column: number;
  readonly is: string;
  readonly rows: readonly TotalRow[];
  /** `level`: the word is a value, once for each group of the other columns. */
  readonly stands: 'end' | 'elsewhere' | 'level';
  /** Whether all these rows add up: in all columns that can be added, in some, or in none. */
  readonly addsUp: 'all' | 'some' | 'none';
  /** How many blank cells above them lack the label of their group, as in a pivot table. */
  readonly lacksLabels: number;
};

/** Rows of a file that are called totals. With more, the word is a value. */
const MOST_TOTALS = 1000;

/**
 * Rows whose names say that they are totals of groups. With more, these are names of other things.
 */
const MOST_NAMED = 300;

/** Sums that are kept, for all columns and all totals. */
const MOST_SUMS = 200_000;

/** Rows at a file's end that may sum up the others. More are ordinary rows. */
const MOST_AT_END = 20;

/** Characters of all rows that are kept apart. */
const MOST_CHARACTERS = 16_000_000;

/** Keeps rows apart that are called totals, while a file is read. */
export class TotalsApart {
  #rows: TotalRow[] = [];
  #named: TotalRow[] = [];
  #characters = 0;
  /** Rows that may sum up the others if no ordinary row follows. */
  readonly #atEnd: TotalRow[] = [];
  /** Rows that were kept apart and turned out to be ordinary. */
  #ordinary: TotalRow[] = [];
  /** Whether there are ordinary rows, and in which columns these have a word for a figure. */
  #hasRows = false;
  readonly #ofFigures = new Set<number>();
  /** Set if there are too many such rows: their words are then values. */
  areValues = false;
  /** Set if too many rows are called totals by the name of a group. */
  areNames = false;

  /**
   * Keeps a row apart if it may be a total, even if it has too few cells. Returns whether it did.
   * Other rows may then have turned out to be ordinary.
   */
  add({ cells, line, types, bad }: SourceRecord): boolean {
    const isShort = bad?.reason === 'too-few-cells';
    const found = bad === undefined || isShort ? this.#called(cells) : undefined;
    const called = found ?? (bad === undefined || isShort ? calledAtEnd(cells) : undefined);
    // A short row without a word is a bad one.
    if (called === undefined || (isShort && called.is === '')) {
      this.passOrdinary();
      return false;
    }
    const row = { ...called, cells, line, types, bad };
    if (found === undefined) {
      // Only the last of such rows can be the sum of the others.
      const [before] = this.#atEnd;
      if (called.is === '' && before?.is === '') this.#release(this.#atEnd.length);
      if (this.#atEnd.push(row) > MOST_AT_END) this.#release(1);
      return true;
    }
    (isNamed(found) ? this.#named : this.#rows).push(row);
    for (const cell of cells) this.#characters += cell.length;
    this.#releaseTooMany();
    return true;
  }

  /** Notes that rows which are no totals come next. */
  passOrdinary(): void {
    this.#hasRows = true;
    if (this.#atEnd.length > 0) this.#release(this.#atEnd.length);
  }

  #called(cells: readonly string[]): CalledTotal | undefined {
    const called = this.areValues ? undefined : calledTotal(cells);
    return called !== undefined && isNamed(called) && this.areNames ? undefined : called;
  }

  /** The first rows at the end are ordinary. */
  #release(count: number): void {
    const rows = this.#atEnd.splice(0, count);
    for (const row of rows) if (isFigure(row)) this.#ofFigures.add(row.column);
    this.#hasRows = true;
    this.#ordinary.push(...rows);
  }

  #releaseTooMany(): void {
    const isTooLong = this.#characters > MOST_CHARACTERS;
    this.areValues ||= isTooLong || this.#rows.length > MOST_TOTALS;
    this.areNames ||= this.areValues || this.#named.length > MOST_NAMED;
    if (this.areValues) this.#ordinary.push(...this.#rows.splice(0));
    if (this.areNames) this.#ordinary.push(...this.#named.splice(0));
    this.#ordinary.sort((a, b) => a.line - b.line);
  }

  /** Returns, and forgets, rows that were kept apart and turned out to be ordinary. */
  takeOrdinary(): readonly TotalRow[] {
    return this.#ordinary.length === 0 ? NO_ROWS : this.#ordinary.splice(0);
  }

  /** Returns, and forgets, the rows that were kept apart, in the order of the file. */
  take(): readonly TotalRow[] {
    const atEnd = this.#atEnd.splice(0);
    // A word for a figure is a value if other rows have one in its column, or if there are none.
    const isApart = (row: TotalRow) =>
      this.#hasRows && areNumbers(row) && !(isFigure(row) && this.#ofFigures.has(row.column));
    this.#ordinary.push(...atEnd.filter((row) => !isApart(row)));
    const all = [...this.#rows.splice(0), ...this.#named.splice(0), ...atEnd.filter(isApart)];
    return all.sort((a, b) => a.line - b.line);
  }
}

const NO_ROWS: readonly TotalRow[] = [];

/** Whether all values of a row but its word are numbers. */
function areNumbers({ cells, column }: TotalRow): boolean {
  return cells.every((cell, i) => {
    const text = cell.trim();
    if (i === column || text === '' || NOTHING.test(text)) return true;
    return isNumber(text.replace(/ ?%$/, ''));
  });
}

/**
 * Finds out what the rows are that are called totals: where they stand, and whether they add up the
 * rows above or below. Reads the file's rows once if there are such rows.
 */
export async function judgeTotals(
  rows: readonly TotalRow[],
  headers: readonly string[],
  openTable: () => Promise<Pick<SourceTable, 'records'>>,
): Promise<readonly FoundTotals[]> {
  const byWord = new Map<string, TotalRow[]>();
  for (const row of rows) {
    const word = `${row.column} ${row.is}`;
    byWord.set(word, [...(byWord.get(word) ?? []), row]);
  }
  const groups = [...byWord.values()];
  const levels = new Set(groups.filter((group) => areLevel(group, headers)));
  const judged = groups.filter((group) => !levels.has(group)).flat();
  const sums = new RunningSums(judged, headers);
  if (judged.length > 0 && sums.isBounded) await sums.read((await openTable()).records);
  return groups.map((group): FoundTotals => {
    const [{ column: called, is }] = group as [TotalRow];
    const column = is === '' ? (sums.label ?? called) : called;
    const found = { column, is, rows: group, lacksLabels: sums.lacksLabels(column, is) };
    if (levels.has(group)) return { ...found, stands: 'level', addsUp: 'none' };
    const fits = group.map((row) => sums.addsUp(row));
    const stands = group.every((row) => sums.isAtEnd(row)) ? 'end' : 'elsewhere';
    if (fits.every((fit) => fit === 'all')) return { ...found, stands, addsUp: 'all' };
    return { ...found, stands, addsUp: fits.every((fit) => fit === 'none') ? 'none' : 'some' };
  });
}

/** Whether a word is a value: it occurs once for each group that the other columns make. */
function areLevel(rows: readonly TotalRow[], headers: readonly string[]): boolean {
  const [first] = rows;
  if (first === undefined || rows.length < 2 || isNamed(first)) return false;
  const keys = rows.map(({ cells, column }) => {
    const others = cells.flatMap((cell, i) => {
      const text = cell.trim();
      if (i === column || text === '' || isTotalWord(text)) return [];
      const isKey =
        readUnits(text, '.') === undefined || YEAR.test(text) || isOfIds(headers[i] ?? '');
      return isKey ? [`${i} ${text}`] : [];
    });
    return others.join('\n');
  });
  return !keys.includes('') && new Set(keys).size === rows.length;
}

const YEAR = /^(?:1[5-9]|20|21)\d\d$/;

/** Words in headers of numbers that nobody adds up, in several languages. */
const NO_SUM_WORD =
  /^(?:percent|percentage|pct|rate|rates|ratio|share|average|avg|mean|median|min|max|minimum|maximum|per|index|rank|year|age|lat|lon|lng|latitude|longitude|anteil|prozent|quote|durchschnitt|mittelwert|jahr|alter|taux|moyenne|m\u00e9diane|ann\u00e9e|porcentaje|tasa|promedio|media|a\u00f1o|anno|ano|percentuale|jaar|gemiddelde)$/;

const MARKS = ['.', ','] as const;

/** The sums of columns above each total. */
class RunningSums {
  /** Whether the sums are few enough to keep. */
  readonly isBounded: boolean;
  readonly #rows: readonly TotalRow[];
  /** The index of the total in a line. */
  readonly #lines: ReadonlyMap<number, number>;
  /** The columns that can be added and in which a total has a number. */
  readonly #columns: readonly number[];
  /**
   * By total and column, in both notations: the sums of the rows above. After the last total, all
   * rows.
   */
  readonly #above: (readonly Addends[])[] = [];
  readonly #running: Addends[];
  /** The columns in which a total without a word is blank, and no row is. */
  #labels: readonly number[];
  /** Whether a total without a word has an id: it is then a thing like the others. */
  readonly #hasId: boolean;
  /** How many rows are above each total, and how many there are. */
  readonly #rowsAbove: number[] = [];
  /** The labels above totals of groups, by their columns. */
  readonly #labelsAbove = new Map<number, GroupLabels>();
  #rowCount = 0;

  constructor(rows: readonly TotalRow[], headers: readonly string[]) {
    this.#rows = rows;
    this.#lines = new Map(rows.map(({ line }, at) => [line, at]));
    const [{ cells } = { cells: [] as readonly string[] }] = rows;
    this.#columns = [...cells.keys()].filter((column) => {
      const header = headers[column] ?? '';
      if (isOfIds(header) || /%/.test(header)) return false;
      if (wordsOf(header).some((word) => NO_SUM_WORD.test(word))) return false;
      return rows.some((row) => isToAdd((row.cells[column] ?? '').trim(), column, row));
    });
    this.#running = this.#columns.map(() => new Addends());
    const nameless = rows.find(({ is }) => is === '')?.cells ?? [];
    const isBlank = (column: number) => nameless[column]?.trim() === '';
    this.#labels = [...nameless.keys()].filter(isBlank);
    this.#hasId = nameless.some((_, column) => !isBlank(column) && isOfIds(headers[column] ?? ''));
    for (const { column, is } of rows.filter(isNamed)) {
      this.#labelsAbove.set(column, new GroupLabels(is));
    }
    this.isBounded = (rows.length + 1) * this.#columns.length <= MOST_SUMS;
  }

  async read(records: AsyncIterable<SourceRecord>): Promise<void> {
    try {
      for await (const { cells, line, bad } of records) {
        const at = this.#lines.get(line);
        if (at !== undefined) {
          this.#keep(at);
          const { column, is } = this.#rows[at] as TotalRow;
          if (isNamed({ is })) this.#labelsAbove.get(column)?.addTotal(cells[column] ?? '');
          continue;
        }
        if (bad !== undefined) continue;
        this.#rowCount++;
        for (const [column, labels] of this.#labelsAbove) labels.add(cells[column] ?? '');
        if (this.#labels.some((column) => (cells[column] ?? '').trim() === '')) {
          this.#labels = this.#labels.filter((column) => (cells[column] ?? '').trim() !== '');
        }
        for (const [i, column] of this.#columns.entries()) {
          (this.#running[i] as Addends).add(cells[column] ?? '');
        }
      }
    } catch (error) {
      // A record that does not fit. The file is then refused whatever its totals are.
      if (!(error instanceof SeedError)) throw error;
    }
  }

  #keep(row: number): void {
    this.#above[row] = this.#running.map((one) => one.copy());
    this.#rowsAbove[row] = this.#rowCount;
  }

  /** How many cells above totals of groups, so called in a column, lack a label. */
  lacksLabels(column: number, is: string): number {
    const labels = this.#labelsAbove.get(column);
    return labels?.is === is && labels.areOnce ? labels.blank : 0;
  }

  /** The column in which a total without a word lacks one. */
  get label(): number | undefined {
    return this.#labels[0];
  }

  isAtEnd(row: TotalRow): boolean {
    return this.#rowsAbove[this.#rows.indexOf(row)] === this.#rowCount;
  }

  /**
   * Whether a total is the sum of all rows above or below it, of those to the next total on one
   * side, or of all.
   */
  addsUp(row: TotalRow): 'all' | 'some' | 'none' {
    const at = this.#rows.indexOf(row);
    const above = this.#above[at];
    const isNameless = row.is === '';
    const isThing = isNameless && (this.#hasId || this.label === undefined);
    if (above === undefined || isFigure(row) || isThing) return 'none';
    const before = this.#above[at - 1];
    const behind = this.#above[at + 1];
    const fits = this.#columns.flatMap((column, i) => {
      const cell = (row.cells[column] ?? '').trim();
      const [here, all] = [above[i] as Addends, this.#running[i] as Addends];
      // A column of years has the same year in every row, and so has a total.
      if (!isToAdd(cell, column, row) || all.areYears) return [];
      // A column of texts has no sum, unless the total has a number there.
      if (all.count === 0 && !isNumber(cell)) return [];
      if (isNameless) return [[isSum(cell, undefined, here, 'nonzero')]];
      const spans = [
        [undefined, here],
        [before?.[i], here],
        [here, all],
        [here, behind?.[i] ?? all],
        [undefined, all],
      ] as const;
      return [spans.map(([from, to]) => isSum(cell, from, to as Addends, 'count'))];
    });
    const spans = fits[0]?.map((_, span) => fits.map((of) => of[span] as Fit)) ?? [];
    // A total is the sum of a single span in all its columns.
    const isAll = spans.some((of) => of.includes('sum') && of.every((fit) => fit !== 'other'));
    if (isAll) return 'all';
    return spans.some((of) => of.includes('sum')) ? 'some' : 'none';
  }
}

/** The labels of groups in a column, each of which may stand once, above the total of its group. */
class GroupLabels {
  readonly is: string;
  /** Whether each group's first row has its label, the others none, and its total is called so. */
  areOnce = true;
  blank = 0;
  #label: string | undefined;

  constructor(is: string) {
    this.is = is;
  }

  add(cell: string): void {
    const text = cell.trim();
    if (this.#label === undefined) this.#label = text;
    else if (text === '') this.blank++;
    else this.areOnce = false;
    this.areOnce &&= this.#label !== '';
  }

  addTotal(cell: string): void {
    this.areOnce &&= this.is.replace('*', () => this.#label ?? '') === cell.trim();
    this.#label = undefined;
  }
}

/** Whether a total's cell should be a sum, judging by the cell. */
function isToAdd(cell: string, column: number, row: TotalRow): boolean {
  if (column === row.column || cell === '' || cell.includes('%')) return false;
  return !isTotalWord(cell) && !NOTHING.test(cell);
}

function isNumber(cell: string): boolean {
  return MARKS.some((mark) => readUnits(cell, mark) !== undefined);
}

/** How a total's cell fits a span: `zero` is the sum of no more than zeros. */
type Fit = 'sum' | 'zero' | 'other';

/** Numbers that a sum has at least. Without a word, two have their sum below them by chance. */
const LEAST = { count: 2, nonzero: 3 };

function isSum(cell: string, from: Addends | undefined, to: Addends, of: keyof typeof LEAST): Fit {
  let best: Fit = 'other';
  for (const mark of MARKS) {
    const total = asWritten(readUnits(cell, mark));
    const span = to.since(from, mark);
    if (total === undefined || span === undefined) continue;
    if (total.units === 0n) {
      if (span.sum.units === 0n && best === 'other') best = 'zero';
    } else if (span[of] >= LEAST[of] && roundsTo(span.sum, total)) best = 'sum';
  }
  return best;
}

/** Whether a sum, rounded to the decimals of a number, is that number. */
function roundsTo(sum: ExactDecimal, number: ExactDecimal): boolean {
  const { units, power } = minus(sum, number);
  const difference = units < 0n ? -units : units;
  // The sum may differ by half of the number's last digit.
  const last = power === number.power ? 0n : unitsAt({ units: 1n, power: number.power }, power);
  return difference * 2n <= last;
}

function minus(sum: ExactDecimal, { units, power }: ExactDecimal): ExactDecimal {
  return plus(sum, { units: -units, power });
}

/**
 * Significant digits of a decimal number that binary64 keeps. Programs write more, which are
 * chance.
 */
const SURE_DIGITS = 15;

/** Rounds a number to the digits that binary64 is sure of. */
function asWritten(number: ExactDecimal | undefined): ExactDecimal | undefined {
  if (number === undefined) return undefined;
  const digits = String(number.units).replace('-', '').length;
  const beyond = Math.min(digits - SURE_DIGITS, -number.power);
  if (beyond <= 0) return number;
  const by = 10n ** BigInt(beyond);
  const half = number.units < 0n ? -by / 2n : by / 2n;
  return { units: (number.units + half) / by, power: number.power + beyond };
}

type Added = { count: number; nonzero: number; sum: ExactDecimal; isWhole: boolean };

const NONE: Added = { count: 0, nonzero: 0, sum: { units: 0n, power: 0 }, isWhole: true };

/** The numbers of a column so far, in both notations. */
class Addends {
  readonly #sums: Record<(typeof MARKS)[number], Added>;
  #areYears: boolean;
  /** How many numbers there are, in either notation. */
  count: number;

  constructor(of?: Addends) {
    const copy = (mark: (typeof MARKS)[number]) => ({
      ...(of === undefined ? NONE : of.#sums[mark]),
    });
    this.#sums = { '.': copy('.'), ',': copy(',') };
    this.#areYears = of === undefined || of.#areYears;
    this.count = of?.count ?? 0;
  }

  get areYears(): boolean {
    return this.#areYears && this.count > 0;
  }

  copy(): Addends {
    return new Addends(this);
  }

  add(cell: string): void {
    const text = cell.trim();
    if (text === '') return;
    const read: (ExactDecimal | undefined)[] = MARKS.map((mark) => readUnits(text, mark));
    if (read.every((number) => number === undefined)) return;
    this.count++;
    if (!YEAR.test(text)) this.#areYears = false;
    for (const [i, mark] of MARKS.entries()) {
      const number = read[i];
      const sums = this.#sums[mark];
      // This decimal character cannot have written the number, so the column has the other.
      if (number === undefined) sums.isWhole = false;
      else {
        sums.count++;
        if (number.units !== 0n) sums.nonzero++;
        sums.sum = plus(sums.sum, number);
      }
    }
  }

  /**
   * The count and sum of numbers since an earlier state. Undefined if one is not in this notation.
   */
  since(
    from: Addends | undefined,
    mark: (typeof MARKS)[number],
  ): Readonly<Omit<Added, 'isWhole'>> | undefined {
    const now = this.#sums[mark];
    if (!now.isWhole) return undefined;
    if (from === undefined) return now;
    const before = from.#sums[mark];
    const [count, nonzero] = [now.count - before.count, now.nonzero - before.nonzero];
    return { count, nonzero, sum: minus(now.sum, before.sum) };
  }
}
