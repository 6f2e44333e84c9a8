import type { CsvRow } from '../../src/files/csv/named-rows.ts';
import { SeedError } from '../../src/files/source-table.ts';
import { numberCell, textCell } from '../../src/import/cells.ts';
import type { MadeRows } from '../../src/import/seed-files.ts';

/** Reads rows in the file's order from a Socrata export with either spelling of its headers. */
export function toRows(csvRows: readonly CsvRow[], file: string): MadeRows {
  const odd: string[] = [];
  const rows = csvRows.map((csvRow) => {
    const text = (column: string) => textCell(csvRow, column, file);
    const location = parseLocation(text('location_1'), file, csvRow.line);
    const houseNumber = text('parsed_address');
    const isNumber = houseNumber !== null && /^[0-9]+$/.test(houseNumber);
    if (!isNumber) odd.push(`line ${csvRow.line} (${houseNumber ?? 'blank'})`);
    return {
      business: text('business'),
      category: text('category'),
      city_state: text('city_state'),
      location_1_city: location.city,
      location_1_location: location.street,
      location_1_state: location.state,
      location_1_zip: location.zip,
      phone_number: text('phone_number'),
      type_of_business: text('type_of_business'),
      parsed_address: isNumber ? Number(houseNumber) : null,
      zip_code: numberCell(csvRow, 'zip_code', file),
      latitude: location.latitude,
      longitude: location.longitude,
    };
  });
  const few = `${odd.slice(0, 5).join(', ')}${odd.length > 5 ? ', …' : ''}`;
  return { rows, notes: odd.length === 0 ? [] : [`no all-digit house number: ${few}`] };
}

type Location = {
  readonly street: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
};

const NOWHERE: Location = {
  street: null,
  city: null,
  state: null,
  zip: null,
  latitude: null,
  longitude: null,
};

const COORDINATES = /^\((-?\d+(?:\.\d+)?),\s*(-?\d+(?:\.\d+)?)\)$/;

const CITY = /^(.+?),\s*([A-Za-z]{2})(?:\s+(\d{5}(?:-\d{4})?))?$/;

/**
 * Parses Socrata's Location cell: street, `CITY, ST 12345` and `(latitude, longitude)` in degrees,
 * each optional and on its own line. Throws a SeedError for any other line.
 */
export function parseLocation(cell: string | null, file: string, line: number): Location {
  if (cell === null) return NOWHERE;
  const lines = cell.split(/\r?\n/).map((text) => text.trim());
  const rest = lines.filter((text) => text !== '');
  const coordinates = COORDINATES.exec(rest.at(-1) ?? '');
  if (coordinates) rest.pop();
  const city = CITY.exec(rest.at(-1) ?? '');
  if (city) rest.pop();
  if (rest.length > 1) {
    const reason = `${JSON.stringify(rest.at(-1))} is neither "CITY, ST 12345" nor "(lat, lon)"`;
    throw new SeedError(file, reason, { line, column: 'location_1' });
  }
  const [latitude, longitude] = coordinates ? coordinates.slice(1).map(Number) : [];
  if (Math.abs(latitude ?? 0) > 90 || Math.abs(longitude ?? 0) > 180) {
    throw new SeedError(file, 'coordinates off the globe', { line, column: 'location_1' });
  }
  return {
    street: rest[0] ?? null,
    city: city?.[1] ?? null,
    state: city?.[2] ?? null,
    zip: city?.[3] ?? null,
    latitude: latitude ?? null,
    longitude: longitude ?? null,
  };
}
