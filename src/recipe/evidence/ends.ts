import type { CountedCell } from './column-decision.ts';
import type { PlainCell } from './plain-cell.ts';

/** A number of a column that is farthest to one side, how often it occurs, and the next to it. */
type End = {
  /** Absent if it is as the number is written. */
  cell?: string | undefined;
  line: number;
  count: number;
  value: number;
  next: number;
};

function cellOf(end: End): string {
  end.cell ??= String(end.value);
  return end.cell;
}

function shownEnd(end: End | undefined): (End & CountedCell) | undefined {
  return end && { ...end, cell: cellOf(end) };
}

/** Finds the least and the greatest number of a column. */
export class Ends {
  #least: End | undefined;
  #greatest: End | undefined;
  #areNumbers = true;

  /** Counts cells of a text that may have been added before. */
  count(text: string, times: number): void {
    const [least, greatest] = [this.#least, this.#greatest];
    if (!this.#areNumbers || least === undefined || greatest === undefined) return;
    if (text === cellOf(least)) least.count += times;
    if (text === cellOf(greatest)) greatest.count += times;
  }

  /** Whether `addPlain` takes a cell: a number between the ends, or a whole one. */
  areClear(cell: PlainCell): boolean {
    if (!this.#areNumbers) return true;
    const { codes, start, end, number: value } = cell;
    // Three digits may be a group.
    if (end - start < 9 && codes[end - 4] === POINT) return false;
    return this.#isBetween(value) || (Number.isInteger(value) && !cell.hasPoint);
  }

  /** Takes a cell for which the ends are clear. Without a line, it was added before. */
  addPlain({ number: value }: PlainCell, line: number | undefined): void {
    if (!this.#areNumbers || this.#isBetween(value)) return;
    const [least, greatest] = [this.#least, this.#greatest];
    if (line !== undefined && least !== undefined && greatest && value > greatest.value) {
      // So ids grow row by row.
      if (value < least.next) least.next = value;
      greatest.next = greatest.value;
      greatest.value = value;
      greatest.cell = undefined;
      greatest.line = line;
      greatest.count = 1;
      return;
    }
    const text = String(value);
    this.count(text, 1);
    if (line !== undefined) this.add(text, line);
  }

  #isBetween(value: number): boolean {
    const [least, greatest] = [this.#least, this.#greatest];
    if (least === undefined || greatest === undefined) return false;
    return value >= least.next && value <= greatest.next;
  }

  /** Takes a cell. With one that is no plain number, the column has no ends. */
  add(text: string, line: number): void {
    if (!this.#areNumbers) return;
    const value = plainNumber(text);
    const [least, greatest] = [this.#least, this.#greatest];
    this.#areNumbers = !Number.isNaN(value);
    if (least === undefined || value < least.value) {
      const next = least?.value ?? Number.POSITIVE_INFINITY;
      this.#least = { cell: copyOf(text, value), line, count: 1, value, next };
    } else if (value > least.value && value < least.next) least.next = value;
    if (greatest === undefined || value > greatest.value) {
      const next = greatest?.value ?? Number.NEGATIVE_INFINITY;
      this.#greatest = { cell: copyOf(text, value), line, count: 1, value, next };
    } else if (value < greatest.value && value > greatest.next) greatest.next = value;
  }

  get least(): (End & CountedCell) | undefined {
    return this.#areNumbers ? shownEnd(this.#least) : undefined;
  }

  get greatest(): (End & CountedCell) | undefined {
    return this.#areNumbers ? shownEnd(this.#greatest) : undefined;
  }
}

/** Copies a number's text, mostly by writing the number: ids that grow are copied row by row. */
function copyOf(text: string, value: number): string {
  const written = String(value);
  return written === text ? written : Buffer.from(text).toString();
}

/** Reads a number without groups. NaN for others, and if three digits may be a group. */
function plainNumber(text: string): number {
  const comma = text.indexOf(',');
  const mark = comma < 0 ? text.indexOf('.') : comma;
  if (mark >= 0 && mark <= 4 && text.length - mark === 4) return Number.NaN;
  return Number(comma < 0 ? text : text.replace(',', '.'));
}

const POINT = 0x2e;
