import { numberCell } from '../importer/cells.ts';
import type { MadeRows } from '../importer/dataset-source.ts';
import type { CsvRow } from '../readers/read-csv.ts';
import { SeedError } from '../readers/seed-error.ts';
import type { Row } from '../values/field-type.ts';
import { compareCodePoints, fold } from '../values/fold.ts';
import { numberText } from '../values/wording.ts';
import { assertIdentities, type Figures } from './identities.ts';
import { FIGURE_FIELDS } from './neighborhood-fields.ts';

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
