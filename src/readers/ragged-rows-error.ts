import { type Dialect, nameOfDelimiter } from '../block/declaration.ts';
import { numberText } from '../values/wording.ts';
import { SeedError } from './seed-error.ts';

export type RaggedRow = { readonly line: number; readonly cells: number };

/** Rows that have another number of cells than the file has columns: the first few, and how many. */
export class RaggedRowsError extends SeedError {
  /** True if every such row is too short: then its last cells may have been left out as blank. */
  readonly areAllShort: boolean;

  constructor(file: string, rows: RaggedRows, { delimiter = ',', header }: Dialect) {
    const { columns, first, count } = rows;
    const [{ line, cells }, ...others] = first as [RaggedRow, ...RaggedRow[]];
    const model = header === false ? 'first row' : 'header';
    const expected = `the ${model} has ${numberText(columns)} columns, this row ${numberText(cells)}`;
    const named = others.map((other) => `${other.line} (${numberText(other.cells)})`).join(', ');
    const more = count - first.length;
    const and = more > 0 ? `, and ${numberText(more)} more` : '';
    const also = others.length === 0 ? '' : `; likewise line ${named}${and}`;
    const fix = rows.areAllShort
      ? "; if the cells that it lacks are blank, give --short-rows blank (in block.json, the dialect's fillsShortRows)"
      : `; a cell with a ${nameOfDelimiter(delimiter)} in it must be in quotes`;
    super(file, `${expected}${also}${fix}`, { line });
    this.areAllShort = rows.areAllShort;
  }
}

/** Gathers ragged rows while a file is read. */
export class RaggedRows {
  readonly columns: number;
  readonly first: RaggedRow[] = [];
  count = 0;
  areAllShort = true;

  constructor(columns: number) {
    this.columns = columns;
  }

  add(cells: number, line: () => number): void {
    this.count++;
    if (cells > this.columns) this.areAllShort = false;
    if (this.first.length < NAMED) this.first.push({ line: line(), cells });
  }
}

/** So many rows are named; the others are counted. */
const NAMED = 5;
