import { readTable } from '../importer/read-table.ts';
import { nameColumns } from '../inference/column-names.ts';
import { roomForColumns } from '../inference/distinct-texts.ts';
import { ColumnEvidence } from '../inference/infer-column.ts';
import { PlaceEvidence, placeColumns } from '../inference/infer-places.ts';
import type { FoundPlaces } from '../inference/propose-roles.ts';
import type { GeoJsonTable } from '../readers/read-geojson.ts';
import { SeedError } from '../readers/seed-error.ts';
import type { SourceTable } from '../readers/source-table.ts';
import { numberText } from '../values/wording.ts';
import type { OpenedFile } from './open-file.ts';

/** A column of a file, and what all its cells tell of it. */
export type ReadColumn = {
  readonly name: string;
  readonly header: string;
  /** Why the name is not made of the header alone. */
  readonly why?: string;
  readonly evidence: ColumnEvidence;
};

/** Everything that was learned from one reading of the whole file. */
export type ReadColumns = {
  readonly columns: readonly ReadColumn[];
  readonly places?: FoundPlaces;
  readonly rows: number;
  /** What the numbers of its places count. */
  readonly counts: SourceTable['counts'];
  /** Whether every row has an area, in a format that has geometries. */
  readonly areAreas: boolean;
  readonly notes: readonly string[];
};

/** Progress is told each time so many rows more were read. */
const ROWS_A_STEP = 100_000;

/** Reads every cell of a file. Throws a SeedError if a row does not fit its header. */
export async function readColumns(
  { folder, table: source }: OpenedFile,
  tell: (line: string) => void,
): Promise<ReadColumns> {
  const table = await readTable(source, folder);
  const room = roomForColumns();
  const columns = nameColumns(table.headers).map((column) => ({
    ...column,
    evidence: new ColumnEvidence(column.header, room),
  }));
  const evidence = columns.map((column) => column.evidence);
  const at = placeColumns(table.headers);
  const { counts } = table;
  const places = at && { columns: at, evidence: new PlaceEvidence(at), counts };
  let rows = 0;
  for await (const { cells, line } of table.records) {
    const number = line();
    for (let i = 0; i < evidence.length; i++) {
      (evidence[i] as ColumnEvidence).add(cells[i] as string, number);
    }
    places?.evidence.add(cells, number);
    rows++;
    if (rows % ROWS_A_STEP === 0) tell(`${numberText(rows)} rows read`);
  }
  if (columns.length === 0) throw new SeedError(source.file, 'has rows without any value');
  if (rows === 0) throw new SeedError(source.file, 'has a header and no rows');
  const types = 'geometryTypes' in table ? (table as GeoJsonTable).geometryTypes : undefined;
  return {
    columns,
    ...(places === undefined ? {} : { places }),
    rows,
    counts,
    areAreas: types !== undefined && [...types.keys()].every((type) => /Polygon$/.test(type)),
    notes: table.notes,
  };
}
