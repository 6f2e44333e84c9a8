/** The coordinates of a point, as they are written, in the order of RFC 7946. */
export type WrittenPlace = { readonly longitude: string; readonly latitude: string };

const NUMBER = '[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?';

/** Well-Known Text (OGC 06-103r4), with the reference system that PostGIS writes before it. */
const POINT = new RegExp(
  `^(?:SRID\\s*=\\s*4326\\s*;\\s*)?POINT(?:\\s*(?:ZM?|M))?\\s*\\(\\s*(${NUMBER})\\s+(${NUMBER})(?:\\s+${NUMBER}){0,2}\\s*\\)$`,
  'i',
);
const EMPTY = /^(?:SRID\s*=\s*4326\s*;\s*)?POINT(?:\s*(?:ZM?|M))?\s*EMPTY$/i;

/** A text that may be a point. Four numbers with all digits are shorter. */
const MOST_CHARACTERS = 200;

/**
 * The place in a text such as `POINT(-76.61 39.29)` or `SRID=4326;POINT Z (-76.61 39.29 5)`: null if
 * the point is empty, undefined if the text is no point in degrees. Its numbers may be out of range.
 */
export function wktPoint(text: string): WrittenPlace | null | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const [, longitude, latitude] = POINT.exec(text) ?? [];
  if (longitude !== undefined && latitude !== undefined) return { longitude, latitude };
  return EMPTY.test(text) ? null : undefined;
}
