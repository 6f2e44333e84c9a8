import { textCell } from '../importer/cells.ts';
import type { CsvRow } from '../readers/read-csv.ts';
import { SeedError } from '../readers/seed-error.ts';
import { MOST_TEXT_LENGTH } from '../values/field-type.ts';
import { fold } from '../values/fold.ts';
import { showCell } from '../values/wording.ts';

/** A file of rows, and its name in messages. */
export type RowsOf = { readonly file: string; readonly rows: readonly CsvRow[] };

/**
 * Joins tracts to the grouping that names each one's neighborhood. Returns a tract's neighborhood.
 * Throws a SeedError unless each tract has exactly one.
 */
export function groupTracts(tracts: RowsOf, groups: RowsOf): (tract: CsvRow) => string {
  const lines = linesOf(tracts);
  const grouped = linesOf(groups);
  const names = new Map<string, string>();
  const spellings = new Map<string, { readonly name: string; readonly line: number }>();
  for (const group of groups.rows) {
    const { line } = group;
    const [tract, name] = [needed(group, TRACT, groups), needed(group, 'neighborhood', groups)];
    if (!lines.has(tract)) {
      const reason = `${tracts.file} has no tract ${showCell(tract)}${fixOf(tract, lines)}`;
      throw new SeedError(groups.file, reason, { line, column: TRACT });
    }
    if (name.length > MOST_TEXT_LENGTH) {
      const reason = `over ${MOST_TEXT_LENGTH} characters, which nobody can ask for; shorten the name`;
      throw new SeedError(groups.file, reason, { line, column: 'neighborhood' });
    }
    const same = spellings.get(fold(name)) ?? { name, line };
    if (same.name !== name) {
      const reason = `${showCell(name)} is ${showCell(same.name)} in line ${same.line}; write both alike`;
      throw new SeedError(groups.file, reason, { line, column: 'neighborhood' });
    }
    spellings.set(fold(name), same);
    names.set(tract, name);
  }
  for (const [tract, line] of lines) {
    if (names.has(tract)) continue;
    const reason = `${groups.file} has no line for the tract ${showCell(tract)}; add it there with its neighborhood, or take the tract out here${fixOf(tract, grouped)}`;
    throw new SeedError(tracts.file, reason, { line, column: TRACT });
  }
  return (tract) => names.get(needed(tract, TRACT, tracts)) as string;
}

/** The column with a tract's number, in both files. */
const TRACT = 'geoid';

/** The line of each tract, which a file may name once only. */
function linesOf(from: RowsOf): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const row of from.rows) {
    const tract = needed(row, TRACT, from);
    const first = lines.get(tract);
    if (first !== undefined) {
      const reason = `the tract ${showCell(tract)} is in line ${first} already; keep one of the lines`;
      throw new SeedError(from.file, reason, { line: row.line, column: TRACT });
    }
    lines.set(tract, row.line);
  }
  return lines;
}

function needed(row: CsvRow, column: string, { file }: RowsOf): string {
  const text = textCell(row, column, file);
  if (text !== null) return text;
  throw new SeedError(file, 'blank', { line: row.line, column });
}

/** A tract's number has 11 digits, of which a spreadsheet drops the first if it is a 0. */
function fixOf(tract: string, known: ReadonlyMap<string, number>): string {
  const padded = tract.padStart(11, '0');
  const bare = tract.replace(/^0/, '');
  const other = [padded, bare].find((one) => one !== tract && known.has(one));
  if (other !== undefined) {
    return `; there is ${showCell(other)}: a spreadsheet has dropped the first 0, so make the column a text`;
  }
  if (!/^\d+\.?\d*E\+\d+$/i.test(tract)) return '';
  return '; a spreadsheet has rounded the number, so make the column a text and fill it anew';
}
