import type { Place } from '../figure/ground.ts';
import { numberText } from '../text/wording.ts';
import type { Row } from '../values/field-type.ts';
import { type PointFields, placeOfRow } from '../values/places.ts';

/** Places that are looked at; of more, some in each part of the file. */
const MOST_LOOKED_AT = 200;

/** Of fewer places, all may lie anywhere. */
const LEAST_PLACES = 5;

/** The part of the places that lie in the sea as they are, and on land the other way round. */
const LEAST_IN_SEA = 0.95;
const LEAST_ON_LAND = 0.75;

/** The latitude below which there is land, but hardly data. */
const ANTARCTIC = -60;

/**
 * Says that latitude and longitude may be exchanged, if places lie in the sea or in Antarctica, and
 * would lie on land the other way round. GeoJSON has the longitude first (RFC 7946, section 3.1.1),
 * but many files have not.
 */
export async function noteOfExchanged(
  rows: Iterable<Row>,
  geometry: PointFields,
  count: number,
): Promise<string | undefined> {
  const { hasPlace, landIn } = await import('../figure/earth/outlines.ts');
  const land = landIn('near');
  const isOnLand = (place: Place) => place[1] > ANTARCTIC && hasPlace(land, place);
  const step = Math.max(1, Math.ceil(count / MOST_LOOKED_AT));
  const most = (1 - LEAST_IN_SEA) * Math.min(count, MOST_LOOKED_AT);
  let [at, all, there, exchanged] = [0, 0, 0, 0];
  for (const row of rows) {
    if (at++ % step !== 0) continue;
    const place = placeOfRow(row, geometry);
    if (place === undefined) continue;
    all++;
    if (isOnLand(place) && ++there > most) return undefined;
    const [longitude, latitude] = place;
    if (Math.abs(longitude) <= 90 && isOnLand([latitude, longitude])) exchanged++;
  }
  if (all < LEAST_PLACES || there > (1 - LEAST_IN_SEA) * all || exchanged < LEAST_ON_LAND * all) {
    return undefined;
  }
  const of = all < count ? ` of ${numberText(all)} looked at` : '';
  return `${numberText(all - there)} places${of} lie in the sea or in Antarctica, and ${numberText(exchanged)} would lie on land if latitude and longitude were exchanged: look at the map, and if they are, exchange them in the file, or add GeoJSON with --axis-order lat-lon`;
}
