import type { Dialect } from '../block/declaration.ts';
import { numberText } from '../text/wording.ts';

/**
 * Counts rows that are left out of a table as it is read: rows without a value, and repeated
 * headers.
 */
export class LeftOutRows {
  readonly #headers: readonly string[];
  readonly #dialect: Dialect;
  #blank = 0;
  #headersAgain = 0;

  constructor(headers: readonly string[], dialect: Dialect) {
    this.#headers = headers;
    this.#dialect = dialect;
  }

  /** Whether a record is left out. If so, counts it. */
  has(cells: readonly string[]): boolean {
    if (cells.every((cell) => cell.trim() === '')) {
      this.#blank++;
      return true;
    }
    if (!this.#isHeader(cells)) return false;
    this.#headersAgain++;
    return this.#dialect.keepsRepeatedHeaders === undefined;
  }

  #isHeader(cells: readonly string[]): boolean {
    const headers = this.#headers;
    return (
      this.#dialect.header !== false &&
      headers.length > 1 &&
      cells.every((cell, i) => cell.trim() === (headers[i] ?? '')) &&
      headers.slice(cells.length).every((header) => header === '')
    );
  }

  /** A clause for each kind of counted rows. */
  notes(): string[] {
    const [blank, again] = [this.#blank, this.#headersAgain];
    const rows = (count: number) => `${numberText(count)} ${count === 1 ? 'row' : 'rows'}`;
    const are = (count: number) => (count === 1 ? 'is' : 'are');
    const notes: string[] = [];
    if (blank > 0) notes.push(`${rows(blank)} without a value ${are(blank)} left out`);
    if (again === 0) return notes;
    const repeat = `${rows(again)} that ${again === 1 ? 'repeats' : 'repeat'} the header ${are(again)}`;
    const kept = `kept: ${again === 1 ? 'it' : 'they'} may be data; --header yes leaves such out`;
    notes.push(`${repeat} ${this.#dialect.keepsRepeatedHeaders ? kept : 'left out'}`);
    return notes;
  }
}
