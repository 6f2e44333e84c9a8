/** Sums the numbers of each column, to tell whether a row below them is their total. */
export class ColumnSums {
  readonly #columns: Sums[] = [];

  add(cells: readonly string[]): void {
    for (const [i, cell] of cells.entries()) {
      const read = MARKS.map((mark) => readNumber(cell, mark));
      if (read.every((one) => one === undefined)) continue;
      const sums = this.#columns[i] ?? MARKS.map(() => ({ count: 0, sum: 0, size: 0 }));
      this.#columns[i] = sums;
      for (const [at, one] of read.entries()) {
        const sum = sums[at] as Sums[number];
        sum.count++;
        // A number that this mark cannot have written: the column has the other.
        sum.sum += one?.value ?? Number.NaN;
        sum.size += Math.abs(one?.value ?? 0);
      }
    }
  }

  /** Whether one of a row's numbers is the sum of two or more above it, but for rounding. */
  isTotal(cells: readonly string[]): boolean {
    return cells.some((cell, i) =>
      MARKS.some((mark, at) => {
        const sum = this.#columns[i]?.[at];
        const total = readNumber(cell, mark);
        if (sum === undefined || total === undefined || sum.count < 2) return false;
        // No numbers but 0 add up to 0, whatever the row is.
        if (total.value === 0) return false;
        const rounding = 0.5 * 10 ** -total.decimals + SLACK * sum.size;
        return Math.abs(sum.sum - total.value) <= rounding;
      }),
    );
  }
}

/** By the character before decimals. */
type Sums = { count: number; sum: number; size: number }[];

const MARKS = ['.', ','] as const;

/** Doubles are off by 1e-16 of what is added; a file has less than a million times as many rows. */
const SLACK = 1e-10;

type ReadNumber = { readonly value: number; readonly decimals: number };

/** A cell's number as it would be read with this character before decimals. */
function readNumber(cell: string, mark: (typeof MARKS)[number]): ReadNumber | undefined {
  if (cell.length > MOST_OF_NUMBER) return undefined;
  const [, sign = '', digits = '', decimals = '', exponent = ''] =
    PATTERNS[mark].exec(cell.trim()) ?? [];
  if (digits === '' && decimals === '') return undefined;
  const value = Number(`${digits.replace(/\D/g, '')}.${decimals || '0'}${exponent}`);
  const places = decimals.length - Number(exponent.slice(1));
  return { value: /[-−(]/.test(sign) ? -value : value, decimals: places };
}

const MOST_OF_NUMBER = 60;

/** Numbers with a unit, or none, on one side. */
const PATTERNS = { '.': patternOf('.', ','), ',': patternOf(',', '.') };

function patternOf(mark: string, other: string): RegExp {
  const group = `[ \\u00a0\\u202f'’${other}]`;
  const digits = `\\d{1,3}(?:${group}\\d{2,3})*${group}\\d{3}|\\d+`;
  const unit = '(?:\\p{Sc}|[A-Z]{3})? ?';
  return new RegExp(
    `^(?:${unit})([-+−(]?)${unit}(${digits})?(?:[${mark}](\\d+))?(e[-+]?\\d+)? ?(?:%|\\p{Sc}|\\p{L}{1,4})?\\)?$`,
    'iu',
  );
}
