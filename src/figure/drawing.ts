import type { MapDrawing } from '../block/manifest.ts';
import type { Language } from '../languages/language.ts';
import { extentOf, fitted, narrowing, turned, withLeast, withRoom } from './frame.ts';
import {
  type Ground,
  lengthText,
  METRES_PER_DEGREE,
  type Pixel,
  type Place,
  roundBelow,
} from './ground.ts';
import { degreesText } from './map-words.ts';
import type { Known, Question } from './question.ts';
import type { At, Box, Shape } from './shape.ts';

/** A drawing has this width, in pixels of its own. */
const WIDTH = 560;

/** Whether a block has a drawing of its own to lie under its marks. */
export function hasDrawing(map: MapDrawing | undefined): boolean {
  return map?.kind === 'regions' || map?.outline !== undefined;
}

/** Makes the ground of some places: framed by what was asked for, else as the block is drawn. */
export function groundOf(
  {
    known,
    frame,
    here,
    earth,
    addresses = [],
  }: Pick<Question, 'known' | 'frame' | 'here' | 'earth' | 'addresses'>,
  places: readonly Place[],
): Ground {
  const { map, language } = known;
  const sides = map === undefined || here !== undefined ? undefined : sidesOf(map);
  const asked = frame ?? sides ?? extentOfPlaces(here === undefined ? places : [...places, here]);
  if (earth === undefined || hasDrawing(map)) {
    return drawingOf(known, fitted(asked), asked === sides);
  }
  const isOfUs = asked === sides && map?.kind === 'points' && map.isOfUs === true;
  return earth.groundOf({ box: withLeast(asked), isOfUs, places, addresses, map, language });
}

/** The drawing of a block's publisher. It is linear. */
function drawingOf({ map, language }: Known, box: Box, isOwnFrame: boolean): Ground {
  const [west, south, east, north] = box;
  const height = Math.round((WIDTH * (north - south)) / ((east - west) * narrowing(box)));
  const at = (longitude: number, latitude: number): Pixel | undefined => {
    const turn = turned(longitude, box);
    if (turn < west || turn > east || latitude < south || latitude > north) return undefined;
    return [
      ((turn - west) / (east - west)) * WIDTH,
      ((north - latitude) / (north - south)) * height,
    ];
  };
  const pixelsPerMetre = height / ((north - south) * METRES_PER_DEGREE);
  const isWhole = map?.kind === 'points' && map.outline?.isWhole === true && isOwnFrame;
  const isFramed = map?.kind !== 'regions' && !isWhole;
  const transform = transformOf(map, { box, width: WIDTH, height });
  const ground = { width: WIDTH, height, box, pixelsPerMetre };
  const measures = isFramed ? scaleBar(ground, language) : [];
  return {
    ...ground,
    kind: 'drawing',
    at,
    spot: (x, y) => ({ x: [0, x], y: [0, y] }),
    scaleAt: () => 1,
    ring: (place, metres) => {
      const [x = 0, y = 0] = at(...place) ?? [];
      const radius = Number((metres * pixelsPerMetre).toFixed(1));
      return { shape: 'circle', look: 'ring', x: [0, x], y: [0, y], radius };
    },
    part: ([left, top, right, bottom]) => {
      const [across, up] = [(east - west) / WIDTH, (north - south) / height];
      const wide = (right - left) * across;
      if (wide >= 360) return undefined;
      const [foot, head] = [north - bottom * up, north - top * up];
      return [west + left * across, Math.max(-90, foot), west + right * across, Math.min(90, head)];
    },
    isFramed: isFramed || undefined,
    corners: isFramed ? cornersOf(box, language) : undefined,
    transform,
    under: () => outlinesOf(map, transform),
    over: () => measures,
  };
}

/** What a picture takes of its ground. */
export function sizeOf(ground: Ground) {
  const { width, height, ratio, box: frame, isFramed, corners, credit, mesh } = ground;
  const around = (times: number) =>
    ground.part([
      ((1 - times) / 2) * width,
      ((1 - times) / 2) * height,
      ((1 + times) / 2) * width,
      ((1 + times) / 2) * height,
    ]);
  const moves = { closer: around(0.5), wider: around(2) };
  return {
    width,
    height,
    ratio,
    frame,
    isFramed,
    corners,
    credit,
    mesh,
    ...moves,
  };
}

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
  { transform, box, width }: Pick<Ground, 'transform' | 'box' | 'width'>,
): Shape[] {
  if (map?.kind !== 'points' || map.others === '' || transform === undefined) return [];
  const { squareSide } = map;
  const look = squareSide === undefined ? 'other' : 'pale';
  // Squares that were made for a wider frame show nothing in this one.
  const pixels =
    ((squareSide ?? 0) / map.width) * ((map.east - map.west) / (box[2] - box[0])) * width;
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
  const degrees = (at: number, side: 'latitude' | 'longitude') =>
    degreesText(at > 180 ? at - 360 : at < -180 ? at + 360 : at, side, digits, language);
  const corner = (x: number, y: number) => `${degrees(y, 'latitude')}, ${degrees(x, 'longitude')}`;
  return language.say('From {from} to {to}', {
    from: corner(west, north),
    to: corner(east, south),
  });
}

/** A scale bar, of a part of the world that nothing else shows. */
function scaleBar({ width, height, pixelsPerMetre }: Framed, language: Language): Shape[] {
  const metres = roundBelow(width / 4 / pixelsPerMetre);
  const px = (at: number): At => [0, at];
  return [
    {
      shape: 'rect',
      look: 'tk',
      x: px(8),
      y: px(height - 12),
      width: px(metres * pixelsPerMetre),
      height: px(3),
    },
    {
      shape: 'text',
      look: 'degrees',
      x: px(8),
      y: px(height - 18),
      anchor: 'start',
      runs: [{ text: lengthText(metres, language) }],
    },
  ];
}
