import { MOST_FACET_VALUES, MOST_FACETS } from '../block/grouping.ts';
import type { Manifest } from '../block/manifest.ts';
import { isFilterable } from '../block/parameter.ts';
import { type Field, typeOf } from '../values/field-types.ts';

/** Counting the values of larger datasets takes too long for each page. */
const MOST_COUNTED_ROWS = 1_000_000;

/** The fields with so few values that a page offers all of them, with their counts. */
export function countedFields(fields: readonly Field[], manifest: Manifest): string[] {
  if (manifest.rows > MOST_COUNTED_ROWS) return [];
  const few = fields.filter((field) => {
    const known = manifest.fields[field.name];
    if (known === undefined || !isFilterable(field) || typeOf(field).isOrdered) return false;
    return known.distinct > 1 && known.distinct <= MOST_FACET_VALUES;
  });
  return few.slice(0, MOST_FACETS).map(({ name }) => name);
}
