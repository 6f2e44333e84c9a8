import type { MapDrawing } from '../block/manifest.ts';
import type { Language } from '../languages/language.ts';
import { EARTH_RADIUS, RADIANS } from '../values/places.ts';
import { extentOf, fitted, narrowing, turned, withRoom } from './frame.ts';
import { asWritten } from './numbers.ts';
import type { Question } from './question.ts';
import type { At, Box, Shape } from './shape.ts';

/** The ground of a map: its frame, where a place is on it, and what lies under the marks. */
export type Ground = {
  readonly width: number;
  readonly height: number;
  readonly box: Box;
  /** Returns where a place is, in pixels. */
  at(longitude: number, latitude: number): readonly [x: number, y: number];
  isInside(longitude: number, latitude: number): boolean;
  /** How many pixels a metre has in the middle. */
  readonly pixelsPerMetre: number;
  /** Set unless the ground has outlines that are whole. */
  readonly isFramed?: true;
  /** Outlines below the marks; unless they are whole, a scale bar and the frame's degrees. */
  readonly shapes: readonly Shape[];
  /** Moves a path of the block's drawing into this frame. */
  readonly transform: string;
};

/** A map has this width, in pixels of its own. */
export const WIDTH = 560;

type Place = readonly [longitude: number, latitude: number];

/** Makes the ground of some places: framed by what was asked for, else as the block is drawn. */
export function groundOf(
  { known, frame, here }: Pick<Question, 'known' | 'frame' | 'here'>,
  places: readonly Place[],
): Ground {
  const { map } = known;
  const sides = map === undefined || here !== undefined ? undefined : sidesOf(map);
  const asked = frame ?? sides;
  const box = fitted(asked ?? extentOfPlaces(here === undefined ? places : [...places, here]));
  const [west, south, east, north] = box;
  const height = Math.round((WIDTH * (north - south)) / ((east - west) * narrowing(box)));
  const at = (longitude: number, latitude: number): readonly [number, number] => [
    ((turned(longitude, box) - west) / (east - west)) * WIDTH,
    ((north - latitude) / (north - south)) * height,
  ];
  const pixelsPerMetre = height / ((north - south) * METRES_PER_DEGREE);
  const isWhole =
    map?.kind === 'points' &&
    map.outline?.isWhole === true &&
    asked !== undefined &&
    asked === sides;
  const isFramed = map?.kind !== 'regions' && !isWhole;
  const ground = {
    ...{ width: WIDTH, height, box, at, pixelsPerMetre },
    ...(isFramed ? { isFramed } : {}),
    isInside: (longitude: number, latitude: number) => {
      const turn = turned(longitude, box);
      return turn >= west && turn <= east && latitude >= south && latitude <= north;
    },
    transform: transformOf(map, { box, width: WIDTH, height }),
  };
  const measures = isFramed ? measuresOf(ground, known.language) : [];
  return { ...ground, shapes: [...outlinesOf(map, ground.transform), ...measures] };
}

/** What a picture takes of its ground. */
export function sizeOf({ width, height, box: frame, isFramed }: Ground) {
  return { width, height, frame, ...(isFramed ? { isFramed } : {}) };
}

const METRES_PER_DEGREE = EARTH_RADIUS * RADIANS;

function sidesOf({ west, south, east, north }: MapDrawing): Box {
  return [west, south, east, north];
}

function extentOfPlaces(places: readonly Place[]): Box {
  const all = [0, 1].map((i) => places.map((place) => place[i as 0 | 1]));
  const [longitudes = [], latitudes = []] = all;
  return withRoom(extentOf(longitudes, latitudes) ?? [-180, -85, 180, 85]);
}

/** Both frames are linear, so a path is moved by a scale and a shift. */
function transformOf(
  map: MapDrawing | undefined,
  { box, width, height }: Pick<Ground, 'box' | 'width' | 'height'>,
): string {
  if (map === undefined) return '';
  const [west, south, east, north] = box;
  const [across, up] = [width / (east - west), height / (north - south)];
  // The drawing may be a turn of the earth away from the frame.
  const turn = 360 * Math.round(((west + east) / 2 - (map.west + map.east) / 2) / 360);
  const [a, d] = [
    ((map.east - map.west) / map.width) * across,
    ((map.north - map.south) / map.height) * up,
  ];
  const [left, top] = [(map.west + turn - west) * across, (north - map.north) * up];
  return `matrix(${[a, 0, 0, d, left, top].map((n) => Number(n.toFixed(4))).join(' ')})`;
}

function outlinesOf(map: MapDrawing | undefined, transform: string): Shape[] {
  if (map === undefined) return [];
  const outline = map.kind === 'points' && map.outline !== undefined ? [map.outline.path] : [];
  const paths = map.kind === 'regions' ? Object.values(map.shapes) : outline;
  return paths.map((path) => ({ shape: 'area', look: 'land', path, transform }));
}

type Framed = Pick<Ground, 'box' | 'width' | 'height' | 'pixelsPerMetre'>;

/** Of a part of the world that nothing else shows: a scale bar, and the degrees of the frame. */
function measuresOf({ box, width, height, pixelsPerMetre }: Framed, language: Language): Shape[] {
  const [west, south, east, north] = box;
  const metres = roundBelow(width / 4 / pixelsPerMetre);
  const long = metres * pixelsPerMetre;
  const text = lengthText(metres);
  const digits = Math.max(0, Math.min(5, 2 - Math.floor(Math.log10(east - west))));
  const degrees = (at: number, side: keyof typeof SIDES) => {
    const [plus, less] = SIDES[side];
    const value = at > 180 ? at - 360 : at < -180 ? at + 360 : at;
    const number = asWritten(Math.abs(value).toFixed(digits), language);
    return language.say(value < 0 ? less : plus, { degrees: number });
  };
  const px = (at: number): At => [0, at];
  const label = (x: number, y: number, anchor: 'start' | 'end', said: string): Shape => ({
    ...{ shape: 'text', look: 'degrees', x: px(x), y: px(y), anchor },
    runs: [{ text: said }],
  });
  return [
    label(8, 20, 'start', `${degrees(north, 'latitude')}, ${degrees(west, 'longitude')}`),
    label(
      width - 8,
      height - 10,
      'end',
      `${degrees(south, 'latitude')}, ${degrees(east, 'longitude')}`,
    ),
    { shape: 'rect', look: 'tk', x: px(8), y: px(height - 12), width: px(long), height: px(3) },
    label(8, height - 20, 'start', text),
  ];
}

const SIDES = {
  latitude: ['{degrees}° N', '{degrees}° S'],
  longitude: ['{degrees}° E', '{degrees}° W'],
} as const;

/** A round length: `500 m`, `2 km`. */
export function lengthText(metres: number): string {
  return metres >= 1000 ? `${metres / 1000} km` : `${metres} m`;
}

/** The greatest number of one digit, 1, 2 or 5, that is at most this one. */
export function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([5, 2, 1].find((n) => n * power <= value) ?? 1) * power;
}
