import { dataset as directorySource } from '../../functions/business-directory/dataset.ts';
import { dataset as censusSource } from '../../functions/census-neighborhoods/dataset.ts';
import type { Row } from '../../src/fields/field.ts';
import { importDataset } from '../../src/importer/import-dataset.ts';
import { type Random, seededRandom } from '../data/seeded-random.ts';
import { type Kind, SHAPES } from './dataset-shape.ts';

const SEED_DATA = new URL('../../seed-data', import.meta.url).pathname;
const SOURCES = { census: censusSource, directory: directorySource };

/**
 * So many rows of a block that ships: its own, over and over. Names, addresses and
 * numbers are changed from one to the next, but keep their length, so that an item keeps its size.
 */
export async function repeatedRows(kind: Kind, count: number): Promise<Row[]> {
  const { rows } = await importDataset(SHAPES[kind].block, SOURCES[kind], SEED_DATA);
  const random = seededRandom(count);
  return Array.from({ length: count }, (_, position) => {
    const { values } = rows[(position * STRIDE) % rows.length] as (typeof rows)[number];
    return CHANGES[kind](values, position, random);
  });
}

/** Coprime with both numbers of rows that ship, so that a part of a turn takes some of each. */
const STRIDE = 11;

const CHANGES: Record<Kind, (row: Row, position: number, random: Random) => Row> = {
  census: (row, position, random) => ({
    ...changedCounts(row, random),
    // The cases know how many rows it selects.
    total_population: row.total_population ?? null,
    neighborhood_1: renamed(row.neighborhood_1, position),
    neighborhood_2: position + 1,
  }),
  directory: (row, position, random) => ({
    ...row,
    business: renamed(row.business, position),
    location_1_location: renamed(row.location_1_location, Math.floor(random() * 26 ** 3)),
    phone_number: row.phone_number === null ? null : phoneNumber(position),
  }),
};

/** Another last digit for each whole number above 9. */
function changedCounts(row: Row, random: Random): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const isCount = Number.isInteger(value) && (value as number) > 9;
      if (!isCount) return [name, value];
      return [name, Math.floor((value as number) / 10) * 10 + 1 + Math.floor(random() * 9)];
    }),
  );
}

/** The same length, its last four characters a number in base 26: 456,976 different ones. */
function renamed(value: Row[string] | undefined, number: number): string {
  const text = String(value);
  const letters = [3, 2, 1, 0].map((place) => {
    const digit = Math.floor(number / 26 ** place) % 26;
    return String.fromCharCode('a'.charCodeAt(0) + digit);
  });
  return `${text.slice(0, -4)}${letters.join('')}`.slice(-Math.max(4, text.length));
}

function phoneNumber(position: number): string {
  const digits = String(position).padStart(7, '0');
  return `718-${digits.slice(0, 3)}-${digits.slice(3)}`;
}
