import type { Place } from '../ground.ts';

/**
 * An outline as text, in Google's encoding of polylines: each coordinate as its difference to the
 * one before, five bits a character, so that a corner takes four characters instead of twenty.
 */

/** The least character, and the bit that says that more follow. */
const FIRST = 63;
const MORE = 32;

/** Places for names are rounded to this part of a degree. */
export const SEAT_STEP = 0.1;

/** Rounds to steps of this many degrees. */
export function packedArc(places: readonly Place[], step: number): string {
  let text = '';
  let last: Place = [0, 0];
  for (const place of places) {
    const next = place.map((degrees) => Math.round(degrees / step)) as unknown as Place;
    // The ends of an arc stay, since others begin there.
    if (text !== '' && place !== places.at(-1) && next[0] === last[0] && next[1] === last[1]) {
      continue;
    }
    text += packed(next[0] - last[0]) + packed(next[1] - last[1]);
    last = next;
  }
  return text;
}

function packed(number: number): string {
  let rest = number < 0 ? ~(number << 1) : number << 1;
  let text = '';
  for (; rest >= MORE; rest >>= 5) text += String.fromCharCode(FIRST + (MORE | (rest & 31)));
  return text + String.fromCharCode(FIRST + rest);
}

export function unpackedArc(text: string, step: number): [number, number][] {
  const places: [number, number][] = [];
  let [x, y, number, bits] = [0, 0, 0, 0];
  let isLatitude = false;
  for (let at = 0; at < text.length; at++) {
    const five = text.charCodeAt(at) - FIRST;
    number |= (five & 31) << bits;
    bits += 5;
    if (five >= MORE) continue;
    const moved = number & 1 ? ~(number >> 1) : number >> 1;
    if (isLatitude) {
      y += moved;
      places.push([x * step, y * step]);
    } else x += moved;
    isLatitude = !isLatitude;
    number = 0;
    bits = 0;
  }
  return places;
}
