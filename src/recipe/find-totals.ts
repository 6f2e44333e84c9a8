import {
  type BadRow,
  SeedError,
  type SourceRecord,
  type SourceTable,
} from '../files/source-table.ts';
import { type CalledTotal, calledTotal, isNamed, isTotalWord } from '../files/totals.ts';
import { isOfIds, wordsOf } from './column-names.ts';
import { DecimalSum, readUnits, type Units } from './decimal-sum.ts';

/** A row that is called a total, which is kept apart until it is decided what it is. */
export type TotalRow = CalledTotal &
  Pick<SourceRecord, 'cells' | 'line' | 'types'> & {
    /** Set if it is too short to be a row. */
    readonly bad?: BadRow;
  };

/** All rows that are called the same in the same column. */
export type FoundTotals = {
  readonly column: number;
  readonly is: string;
  readonly rows: readonly TotalRow[];
  /** `level`: the word is a value, one for each group of the other columns. */
  readonly stands: 'end' | 'elsewhere' | 'level';
  /** In how many of the columns that can be added all of them add up. */
  readonly addsUp: 'all' | 'some' | 'none';
};

/** Rows of a file that are called totals. If there are more, the word is a value. */
const MOST_TOTALS = 1000;

/** Rows that are called totals of groups by their names; more are names of other things. */
const MOST_NAMED = 300;

/** Sums that are kept of all columns, at the places of all these rows. */
const MOST_SUMS = 200_000;

/** Characters of all rows that are kept apart. */
const MOST_CHARACTERS = 16_000_000;

/** Keeps the rows apart that are called totals, while a file is read. */
export class TotalsApart {
  #rows: TotalRow[] = [];
  #named: TotalRow[] = [];
  #characters = 0;
  /** Set once the rows are too many, and their words are values. */
  areValues = false;
  /** The same of those that are called by the name of a group. */
  areNames = false;

  /** Whether a row is kept apart; a row that is too short may be. */
  add({ cells, line, types, bad }: SourceRecord): boolean {
    if (this.areValues || (bad !== undefined && bad.reason !== 'too-few-cells')) return false;
    const called = calledTotal(cells);
    if (called === undefined || (isNamed(called) && this.areNames)) return false;
    const more = {
      ...(types === undefined ? {} : { types }),
      ...(bad === undefined ? {} : { bad }),
    };
    (isNamed(called) ? this.#named : this.#rows).push({ ...called, cells, line, ...more });
    for (const cell of cells) this.#characters += cell.length;
    return true;
  }

  /** Those that turn out to be too many, once; they are rows like the others. */
  takeTooMany(): readonly TotalRow[] {
    const isTooLong = this.#characters > MOST_CHARACTERS;
    this.areValues ||= isTooLong || this.#rows.length > MOST_TOTALS;
    this.areNames ||= this.areValues || this.#named.length > MOST_NAMED;
    if (this.areValues) return this.take();
    return this.areNames ? this.#named.splice(0) : [];
  }

  /** Those that are kept, which are then forgotten, in the order of the file. */
  take(): readonly TotalRow[] {
    const all = [...this.#rows.splice(0), ...this.#named.splice(0)];
    return all.sort((a, b) => a.line - b.line);
  }
}

/**
 * Tells what rows are that are called totals: where they stand, and whether they add up what is
 * above or below them. Goes once through the file's rows, if there is anything to tell.
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
    const [{ column, is }] = group as [TotalRow];
    const found = { column, is, rows: group };
    if (levels.has(group)) return { ...found, stands: 'level', addsUp: 'none' };
    const fits = group.map((row) => sums.addsUp(row));
    const stands = group.every((row) => sums.isAtEnd(row)) ? 'end' : 'elsewhere';
    if (fits.every((fit) => fit === 'all')) return { ...found, stands, addsUp: 'all' };
    return { ...found, stands, addsUp: fits.every((fit) => fit === 'none') ? 'none' : 'some' };
  });
}

/** Whether a word is a value: it stands once for each group that the other columns make. */
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

/** Words of headers above numbers that nobody adds up, in some languages. */
const NO_SUM_WORD =
  /^(?:percent|percentage|pct|rate|rates|ratio|share|average|avg|mean|median|min|max|minimum|maximum|per|index|rank|year|age|lat|lon|lng|latitude|longitude|anteil|prozent|quote|durchschnitt|mittelwert|jahr|alter|taux|moyenne|m\u00e9diane|ann\u00e9e|porcentaje|tasa|promedio|media|a\u00f1o|anno|ano|percentuale|jaar|gemiddelde)$/;

const MARKS = ['.', ','] as const;

/** The sums of columns at each place where a total stands: of all rows above it. */
class RunningSums {
  /** Whether there are not too many of them. */
  readonly isBounded: boolean;
  readonly #rows: readonly TotalRow[];
  readonly #lines: ReadonlySet<number>;
  /** The columns in which a total has a number, and that can be added. */
  readonly #columns: readonly number[];
  /** By row and column, in both notations: the sums of what is above it; of all rows at the end. */
  readonly #above: (readonly Addends[])[] = [];
  readonly #running: Addends[];
  /** How many rows stand above each total, and how many there are. */
  readonly #rowsAbove: number[] = [];
  #rowCount = 0;

  constructor(rows: readonly TotalRow[], headers: readonly string[]) {
    this.#rows = rows;
    this.#lines = new Set(rows.map(({ line }) => line));
    const [{ cells } = { cells: [] as readonly string[] }] = rows;
    this.#columns = [...cells.keys()].filter((column) => {
      const header = headers[column] ?? '';
      if (isOfIds(header) || /%/.test(header)) return false;
      if (wordsOf(header).some((word) => NO_SUM_WORD.test(word))) return false;
      return rows.some((row) => isToAdd((row.cells[column] ?? '').trim(), column, row));
    });
    this.#running = this.#columns.map(() => new Addends());
    this.isBounded = (rows.length + 1) * this.#columns.length <= MOST_SUMS;
  }

  async read(records: AsyncIterable<SourceRecord>): Promise<void> {
    try {
      let at = 0;
      for await (const { cells, line, bad } of records) {
        if (this.#lines.has(line)) {
          if (this.#rows[at]?.line === line) this.#keep(at++);
          continue;
        }
        if (bad !== undefined) continue;
        this.#rowCount++;
        for (const [i, column] of this.#columns.entries()) {
          (this.#running[i] as Addends).add(cells[column] ?? '');
        }
      }
    } catch (error) {
      // A record that does not fit: then the file is refused, whatever its totals are.
      if (!(error instanceof SeedError)) throw error;
    }
  }

  #keep(row: number): void {
    this.#above[row] = this.#running.map((one) => one.copy());
    this.#rowsAbove[row] = this.#rowCount;
  }

  isAtEnd(row: TotalRow): boolean {
    return this.#rowsAbove[this.#rows.indexOf(row)] === this.#rowCount;
  }

  /** Whether a total is the sum of the rows above it, below it, or to the next total on one side. */
  addsUp(row: TotalRow): 'all' | 'some' | 'none' {
    const at = this.#rows.indexOf(row);
    const above = this.#above[at];
    if (above === undefined) return 'none';
    const before = this.#above[at - 1];
    const behind = this.#above[at + 1];
    const fits = this.#columns.flatMap((column, i) => {
      const cell = (row.cells[column] ?? '').trim();
      const [here, all] = [above[i] as Addends, this.#running[i] as Addends];
      // A column of years has the same one in each row; so has a total.
      if (!isToAdd(cell, column, row) || all.areYears) return [];
      // What stands in a column of texts is none of its sums, unless it is a number.
      if (all.count === 0 && !isNumber(cell)) return [];
      const spans = [
        [undefined, here],
        [before?.[i], here],
        [here, all],
        [here, behind?.[i] ?? all],
        [undefined, all],
      ] as const;
      return [spans.map(([from, to]) => isSum(cell, from, to as Addends))];
    });
    const spans = fits[0]?.map((_, span) => fits.map((of) => of[span] as Fit)) ?? [];
    // A total is the sum of one span, in each of its columns.
    const isAll = spans.some((of) => of.includes('sum') && of.every((fit) => fit !== 'other'));
    if (isAll) return 'all';
    return spans.some((of) => of.includes('sum')) ? 'some' : 'none';
  }
}

/** Whether a total's cell should be a sum, as far as the cell tells. */
function isToAdd(cell: string, column: number, row: TotalRow): boolean {
  if (column === row.column || cell === '' || cell.includes('%')) return false;
  return !isTotalWord(cell) && !NOTHING.test(cell);
}

/** What stands in a total where nothing is added. */
const NOTHING = /^(?:n\/?a|n\.a\.|null|all|[-\u2013\u2014.?/*x]+)$/i;

function isNumber(cell: string): boolean {
  return MARKS.some((mark) => readUnits(cell, mark) !== undefined);
}

/** Whether a total is a sum; `zero` if it is nothing, of nothing. */
type Fit = 'sum' | 'zero' | 'other';

function isSum(cell: string, from: Addends | undefined, to: Addends): Fit {
  let best: Fit = 'other';
  for (const mark of MARKS) {
    const total = asWritten(readUnits(cell, mark));
    const span = to.since(from, mark);
    if (total === undefined || span === undefined) continue;
    if (total.units === 0n) {
      if (span.sum.isZero && best === 'other') best = 'zero';
    } else if (span.count > 1 && span.sum.roundsTo(total)) best = 'sum';
  }
  return best;
}

/** Digits of a number that a program writes of a binary one, of which the last are chance. */
const SURE_DIGITS = 15;

/** The number without the digits beyond those that binary64 is sure of. */
function asWritten(number: Units | undefined): Units | undefined {
  if (number === undefined) return undefined;
  const digits = String(number.units).replace('-', '').length;
  const beyond = Math.min(digits - SURE_DIGITS, number.decimals);
  if (beyond <= 0) return number;
  const power = 10n ** BigInt(beyond);
  const half = number.units < 0n ? -power / 2n : power / 2n;
  return { units: (number.units + half) / power, decimals: number.decimals - beyond };
}

/** The numbers of a column so far, in both notations. */
class Addends {
  readonly #sums: Record<
    (typeof MARKS)[number],
    { count: number; sum: DecimalSum; isWhole: boolean }
  >;
  #areYears: boolean;
  /** How many numbers there are, in any notation. */
  count: number;

  constructor(of?: Addends) {
    const copy = (mark: (typeof MARKS)[number]) => {
      const { count = 0, sum, isWhole = true } = of === undefined ? {} : of.#sums[mark];
      return { count, sum: new DecimalSum(sum), isWhole };
    };
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
    const read: (Units | undefined)[] = MARKS.map((mark) => readUnits(text, mark));
    if (read.every((one) => one === undefined)) return;
    this.count++;
    if (!YEAR.test(text)) this.#areYears = false;
    for (const [i, mark] of MARKS.entries()) {
      const one = read[i];
      const sums = this.#sums[mark];
      // A number that this mark cannot have written: the column has the other.
      if (one === undefined) sums.isWhole = false;
      else {
        sums.count++;
        sums.sum.add(one);
      }
    }
  }

  /** How many numbers there are since an earlier state, and their sum; undefined if one is not in this notation. */
  since(
    from: Addends | undefined,
    mark: (typeof MARKS)[number],
  ): { readonly count: number; readonly sum: DecimalSum } | undefined {
    const here = this.#sums[mark];
    if (!here.isWhole) return undefined;
    if (from === undefined) return here;
    const before = from.#sums[mark];
    return { count: here.count - before.count, sum: here.sum.minus(before.sum) };
  }
}
