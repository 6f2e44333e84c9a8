import type { CsvRow } from '../../src/files/read-csv.ts';
import { numberCell, textCell } from '../../src/import/cells.ts';
import type { MadeRows } from '../../src/import/seed-files.ts';
import { parseLocation } from './parse-location.ts';

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
