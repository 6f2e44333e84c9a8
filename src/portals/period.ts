import type { FieldStatistics } from '../block/manifest.ts';
import { type Field, keysOfDay, typeOf } from '../values/field-types.ts';

/** The first and the last date or time of some data, as their field writes them. */
export type Period = { readonly first: string; readonly last: string };

/** The extent of the first field of dates or times that has any value. */
export function periodIn(
  fields: readonly Field[],
  statistics: Readonly<Record<string, FieldStatistics>>,
): Period | undefined {
  for (const field of fields) {
    const { min, max } = statistics[field.name] ?? {};
    if (keysOfDay(field) === undefined || min === undefined || max === undefined) continue;
    const type = typeOf(field);
    return {
      first: String(type.valueOf(min, field)),
      last: String(type.valueOf(max, field)),
    };
  }
  return undefined;
}
