import { numberText } from '../text/wording.ts';
import { type BadRow, type Cells, SeedError } from './source-table.ts';

/** Counts the bad rows of a file, which are kept until a person decides. */
export class BadRowCount {
  #rows = 0;
  #characters = 0;

  /** Throws a SeedError once there are too many. */
  add({ text, detail }: BadRow, file: string, where: { line?: number }): void {
    this.#characters += text.length;
    if (++this.#rows <= MOST_BAD_ROWS && this.#characters <= MOST_BAD_CHARACTERS) return;
    const isMany = this.#rows > MOST_BAD_ROWS;
    const many = isMany
      ? `over ${numberText(MOST_BAD_ROWS)} rows`
      : `rows of over ${numberText(MOST_BAD_CHARACTERS)} characters`;
    const last = detail === undefined ? 'this one the last' : `this one the last (${detail})`;
    const reason = `${many} cannot be read as they stand, ${last}; is it such a table? ${detail === undefined ? '--delimiter and --quote say how it is written, --header-line in which line its header is' : 'mend them where the file is made'}`;
    throw new SeedError(file, reason, where);
  }
}

/** Bad rows of a file, and their characters. Then the file is refused. */
const MOST_BAD_ROWS = 10_000;
const MOST_BAD_CHARACTERS = 2 ** 26;

/** Returns the cells of a bad row if they fit their columns in exactly one way. */
export function sureCells(
  { ways, waysOfFirst = [] }: BadRow,
  fits: (cells: Cells) => boolean,
): Cells | undefined {
  if (waysOfFirst.some((way) => way.some(fits))) return undefined;
  const fitting = ways.flatMap((way) => {
    const cells = way.find(fits);
    return cells === undefined ? [] : [cells];
  });
  return fitting.length === 1 ? fitting[0] : undefined;
}
