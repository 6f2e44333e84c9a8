import { isSurelyPoint } from './written-point.ts';

/** Well-Known Text of any shape; two degrees with decimals; GeoJSON's geometry. */
const SHAPE =
  /^(?:SRID\s*=\s*\d+\s*;\s*)?(?:MULTI)?(?:POINT|LINESTRING|POLYGON|GEOMETRYCOLLECTION)(?:\s*(?:ZM?|M))?\s*(?:\(|EMPTY)/i;
const PAIR = /^[([]?\s*[+-]?\d{1,3}\.\d+(?:\s*[,;]\s*|\s+)[+-]?\d{1,3}\.\d+\s*[)\]]?$/;
const GEOJSON = /^\{[\s\S]*"coordinates"\s*:\s*\[/;

/** Characters of a text that are looked at. What tells a shape stands at its beginning. */
const MOST_READ = 200;

/** Whether a text is a place or a shape as machines write it, which names nothing to people. */
export function isPlaceText(text: string): boolean {
  const begins = text.slice(0, MOST_READ).trim();
  return (
    SHAPE.test(begins) ||
    GEOJSON.test(begins) ||
    (text.length <= MOST_READ && (PAIR.test(begins) || isSurelyPoint(begins)))
  );
}
