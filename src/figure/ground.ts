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
  /** Then where it is, in degrees. */
  readonly corners?: string;
  /** Outlines below the marks. */
  readonly shapes: readonly Shape[];
  /** Over the marks a scale bar, unless the outlines are whole. */
  readonly over: readonly Shape[];
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
    ...(isFramed ? { isFramed, corners: cornersOf(box, known.language) } : {}),
    isInside: (longitude: number, latitude: number) => {
      const turn = turned(longitude, box);
      return turn >= west && turn <= east && latitude >= south && latitude <= north;
    },
    transform: transformOf(map, { box, width: WIDTH, height }),
  };
  const measures = isFramed ? scaleBar(ground, known.language) : [];
  return { ...ground, shapes: outlinesOf(map, ground.transform), over: measures };
}

/** What a picture takes of its ground. */
export function sizeOf({ width, height, box: frame, isFramed, corners }: Ground) {
  return {
    width,
    height,
    frame,
    ...(isFramed ? { isFramed } : {}),
    ...(corners ? { corners } : {}),
  };
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

/** The side of a pale square, in pixels of the map. */
const MOST_OF_SQUARE = 24;

/** All places of the block, faint, below those that match. */
export function othersOf(
  { known: { map } }: Pick<Question, 'known'>,
  { transform, box }: Pick<Ground, 'transform' | 'box'>,
): Shape[] {
  if (map?.kind !== 'points' || map.others === '') return [];
  const { squareSide } = map;
  const look = squareSide === undefined ? 'other' : 'pale';
  // Squares that were made for a wider frame show nothing in this one.
  const pixels =
    ((squareSide ?? 0) / map.width) * ((map.east - map.west) / (box[2] - box[0])) * WIDTH;
  if (pixels > MOST_OF_SQUARE) return [];
  return [{ shape: 'area', look, path: map.others, transform }];
}

function outlinesOf(map: MapDrawing | undefined, transform: string): Shape[] {
  if (map === undefined) return [];
  const outline = map.kind === 'points' && map.outline !== undefined ? [map.outline.path] : [];
  const paths = map.kind === 'regions' ? Object.values(map.shapes) : outline;
  return paths.map((path) => ({ shape: 'area', look: 'land', path, transform }));
}

type Framed = Pick<Ground, 'box' | 'width' | 'height' | 'pixelsPerMetre'>;

/** The corners of a frame, in degrees: `90° N, 180° W`. */
function cornersOf([west, south, east, north]: Box, language: Language): string {
  const digits = Math.max(0, Math.min(5, 2 - Math.floor(Math.log10(east - west))));
  const degrees = (at: number, side: keyof typeof SIDES) => {
    const [plus, less] = SIDES[side];
    const value = at > 180 ? at - 360 : at < -180 ? at + 360 : at;
    const number = asWritten(Math.abs(value).toFixed(digits), language);
    return language.say(value < 0 ? less : plus, { degrees: number });
  };
  const corner = (x: number, y: number) => `${degrees(y, 'latitude')}, ${degrees(x, 'longitude')}`;
  return language.say('From {from} to {to}', {
    ...{ from: corner(west, north), to: corner(east, south) },
  });
}

/** A scale bar, of a part of the world that nothing else shows. */
function scaleBar({ width, height, pixelsPerMetre }: Framed, language: Language): Shape[] {
  const metres = roundBelow(width / 4 / pixelsPerMetre);
  const px = (at: number): At => [0, at];
  return [
    {
      ...{ shape: 'rect', look: 'tk', x: px(8), y: px(height - 12) },
      ...{ width: px(metres * pixelsPerMetre), height: px(3) },
    },
    {
      ...{ shape: 'text', look: 'degrees', x: px(8), y: px(height - 18), anchor: 'start' },
      runs: [{ text: lengthText(metres, language) }],
    },
  ];
}

const SIDES = {
  latitude: ['{degrees}° N', '{degrees}° S'],
  longitude: ['{degrees}° E', '{degrees}° W'],
} as const;

/** A round length: `500 m`, `2 km`. */
export function lengthText(metres: number, { number }: Language): string {
  return metres >= 1000 ? `${number(metres / 1000)} km` : `${metres} m`;
}

/** The greatest number of one digit, 1, 2 or 5, that is at most this one. */
export function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([5, 2, 1].find((n) => n * power <= value) ?? 1) * power;
}
