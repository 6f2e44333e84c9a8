import type { CsvRow } from '../files/read-csv.ts';
import { SeedError } from '../files/source-table.ts';
import { MOST_TEXT_LENGTH, type Row } from '../values/field-type.ts';
import { compareCodePoints, fold } from '../values/fold.ts';
import { numberText, showCell } from '../values/wording.ts';
import { numberCell, textCell } from './cells.ts';
import { assertIdentities, FIGURE_FIELDS, type Figures } from './neighborhood-fields.ts';
import type { MadeRows } from './seed-files.ts';

/** The columns of a tract to sum: those of 2010 SF1 (tables DP-1 and G001) under names of our own. */
const SUMMED = [
  ...FIGURE_FIELDS.flatMap(({ of }) => (typeof of === 'string' ? [of] : [])),
  ...['native_american_population', 'pacific_islander_population', 'other_race_population'],
  ...['two_or_more_races_population', 'pop_in_households', 'families', 'land_area_m2'],
];
const CENTRE = ['centerpoint_x', 'centerpoint_y'];

/** The columns of a file of tracts whose figures are read. */
export const TRACT_COLUMNS: readonly string[] = [...SUMMED, ...CENTRE];

/**
 * Compiles neighborhoods from their tracts: counts are sums, ratios are ratios of sums, and the
 * centre is the mean of the tracts' centres weighted by land. A sum with a null is null.
 */
export function compileNeighborhoods(
  tracts: readonly CsvRow[],
  file: string,
  nameOf: (tract: CsvRow) => string,
): MadeRows {
  const areas = new Map<string, Figures[]>();
  for (const tract of tracts) {
    const name = nameOf(tract);
    const figures = readTract(tract, file);
    assertIdentities(figures, (reason) => new SeedError(file, reason, { line: tract.line }));
    const others = areas.get(name);
    if (others === undefined) areas.set(name, [figures]);
    else others.push(figures);
  }
  const names = [...areas.keys()].sort((a, b) => compareCodePoints(fold(a), fold(b)));
  return {
    rows: names.map((name, i) => {
      const sums = sumTracts(areas.get(name) as Figures[]);
      assertIdentities(sums, (reason) => new SeedError(file, `${name}: ${reason}`));
      return { neighborhood_1: name, ...fieldsOf(sums), neighborhood_2: i + 1 };
    }),
    notes: [
      `${numberText(names.length)} neighborhoods compiled from ${numberText(tracts.length)} tracts`,
    ],
  };
}

function readTract(tract: CsvRow, file: string): Figures {
  const cells = TRACT_COLUMNS.map((column) => [column, numberCell(tract, column, file)]);
  const figures: Figures = Object.fromEntries(cells);
  return {
    ...figures,
    land_times_x: times(figures.centerpoint_x, figures.land_area_m2),
    land_times_y: times(figures.centerpoint_y, figures.land_area_m2),
  };
}

function sumTracts(tracts: readonly Figures[]): Figures {
  const sum = (column: string) =>
    tracts
      .map((tract) => tract[column] ?? null)
      .reduce((a, b) => (a === null || b === null ? null : a + b));
  const columns = [...SUMMED, 'land_times_x', 'land_times_y'];
  return Object.fromEntries(columns.map((column) => [column, sum(column)]));
}

function fieldsOf(sums: Figures): Row {
  return Object.fromEntries(
    FIGURE_FIELDS.map(({ field, of }) => [
      field.name,
      typeof of === 'string' ? (sums[of] ?? null) : of(sums),
    ]),
  );
}

function times(a: number | null | undefined, b: number | null | undefined): number | null {
  return a == null || b == null ? null : a * b;
}

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
