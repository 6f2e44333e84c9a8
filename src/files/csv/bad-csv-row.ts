import { type Dialect, nameOfDelimiter } from '../../block/declaration.ts';
import { numberText } from '../../text/wording.ts';
import type { TextSource } from '../decode-text.ts';
import { type RecordFault, SeedError } from '../source-table.ts';
import { columnName } from './column-name.ts';
import { MOST_OF_RECORD, type ParsedRecord } from './record-parser.ts';

/** Says why a record cannot be cut, and in which column. */
export function faultOf(
  { cells, line, fault, faultLine = line }: ParsedRecord,
  {
    source,
    headers,
    dialect,
  }: {
    readonly source: Pick<TextSource, 'file'>;
    readonly headers: readonly string[];
    readonly dialect: Dialect;
  },
): SeedError {
  const { quoteChar = '"', escapeChar = quoteChar ?? '' } = dialect;
  const name = headers[cells.length]?.trim() ?? '';
  const where = { line: faultLine, column: name === '' ? undefined : columnName(name) };
  const goOn = headers.length === 0 ? `; ${BARE_QUOTES}` : `; ${GO_ON}`;
  const most = numberText(MOST_OF_RECORD);
  const reasons: Readonly<Record<RecordFault, string>> = {
    'text-behind-quote': `text behind a closing quote; write a quote in a cell as ${escapeChar}${quoteChar}`,
    'quote-in-cell': 'a quote in a cell that does not begin with one',
    'needless-escape': `${escapeChar} before a character that needs none`,
    'open-quote': 'a quote is opened here and never closed',
    'too-long-quote': `a quote is opened here and not closed within ${most} characters`,
    'too-long': `a record begins here that does not end within ${most} characters`,
  };
  const at = fault === 'too-long' ? { line } : where;
  return new SeedError(source.file, `${reasons[fault as RecordFault]}${goOn}`, at);
}

/** The fix if single rows are bad. */
const GO_ON =
  "--bad-rows mend (in block.json, the dialect's badRows) mends such rows or leaves them out";

/** The fix if the fault is in the header or above it. */
const BARE_QUOTES =
  "--quote none (in block.json, the dialect's quoteChar: null) reads quotes as signs like others; --header-line N says in which line the header is, if this is above it";

type RaggedRow = { readonly line: number; readonly cells: number };

/** Reports rows whose cells are not as many as the columns: the first few, and how many more. */
export function raggedFault(
  file: string,
  rows: RaggedRows,
  { delimiter = ',', header }: Dialect,
): SeedError {
  const { columns, first, count } = rows;
  const [{ line, cells }, ...others] = first as [RaggedRow, ...RaggedRow[]];
  const model = header === false ? 'usual row' : 'header';
  const expected = `the ${model} has ${numberText(columns)} columns, this row ${numberText(cells)}`;
  const named = others.map((other) => `${other.line} (${numberText(other.cells)})`).join(', ');
  const more = count - first.length;
  const and = more > 0 ? `, and ${numberText(more)} more` : '';
  const also = others.length === 0 ? '' : `; likewise line ${named}${and}`;
  const fix = rows.areAllShort
    ? "; if the cells that it lacks are blank, give --short-rows blank (in block.json, the dialect's fillsShortRows)"
    : `; a cell with a ${nameOfDelimiter(delimiter)} in it must be in quotes`;
  return new SeedError(file, `${expected}${also}${fix}; ${GO_ON}`, { line });
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

  add(cells: number, line: number): void {
    this.count++;
    if (cells > this.columns) this.areAllShort = false;
    if (this.first.length < NAMED) this.first.push({ line, cells });
  }
}

/** Ragged rows that an error names. The others are counted. */
const NAMED = 5;
