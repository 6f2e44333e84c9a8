import type { MapDrawing } from '../block/manifest.ts';
import type { PlainMessage } from '../languages/german.ts';
import type { Language } from '../languages/language.ts';
import { EARTH_RADIUS, RADIANS } from '../values/places.ts';
import type { At, Box, Shape } from './shape.ts';

/** A part of a map, in pixels of it. */
export type Rect = readonly [left: number, top: number, right: number, bottom: number];

/** Where something is on the earth, in degrees; and on a map, in pixels of it. */
export type Place = readonly [longitude: number, latitude: number];
export type Pixel = readonly [x: number, y: number];

/** The ground of a map: its frame, where a place is on it, and what lies under the marks. */
export type Ground = {
  /** The drawing of the block's publisher, or a part of the earth. */
  readonly kind: 'drawing' | 'world' | 'us' | 'region' | 'city';
  readonly width: number;
  readonly height: number;
  /** The class of its ratio, if that is one of a few. */
  readonly ratio?: string;
  /** The degrees that it shows, and more in the corners. */
  readonly box: Box;
  /** Where a place is, in pixels; undefined if it is not on the map. */
  at(longitude: number, latitude: number): Pixel | undefined;
  /** Where a shape is. */
  spot(x: number, y: number): { readonly x: At; readonly y: At };
  /** How many pixels a metre has in the middle, and how much fewer or more at a place. */
  readonly pixelsPerMetre: number;
  scaleAt(longitude: number, latitude: number): number;
  /** The name of the country or state that has a place; absent where no outlines tell. */
  areaAt?(longitude: number, latitude: number): string | undefined;
  /** All places at a distance from one. */
  ring(at: Place, metres: number): Shape;
  /** The box of degrees that has a part of the map, which may go beyond it; undefined if that is too wide. */
  part(rect: Rect): Box | undefined;
  /** The degrees of points along a grid over it, row by row; undefined where it goes beyond the earth. */
  readonly mesh?: readonly Place[];
  /** Outlines below the marks. */
  under(): readonly Shape[];
  /** What is written over the marks, where these are not: names, a scale bar. */
  over(taken: readonly Rect[]): readonly Shape[];
  /** Set unless the ground has outlines that are whole. */
  readonly isFramed?: true;
  /** Then where it is, in degrees. */
  readonly corners?: string;
  /** Whose outlines these are. */
  readonly credit?: string;
  /** What the caption says of it. */
  readonly note?: PlainMessage;
  /** Moves a path of the block's drawing into this frame; undefined where that cannot be. */
  readonly transform?: string;
};

/** What draws the ground of any part of the earth. It is loaded with the first map that needs it. */
export type Earth = {
  groundOf(asked: {
    readonly box: Box;
    /** Set if nearly all places are in the United States, and no part of these was asked for. */
    readonly isOfUs?: boolean;
    readonly places: readonly Place[];
    readonly addresses: readonly Address[];
    /** What the block's own drawing shows. */
    readonly map?: MapDrawing;
    readonly language: Language;
  }): Ground;
};

/** An address of a block, by which streets are drawn. */
export type Address = { readonly text: string; readonly place: Place };

/** The length of a degree of latitude. */
export const METRES_PER_DEGREE = EARTH_RADIUS * RADIANS;

/** A round length: `500 m`, `2 km`. */
export function lengthText(metres: number, { number }: Language): string {
  return metres >= 1000 ? `${number(metres / 1000)} km` : `${metres} m`;
}

/** The greatest number of one digit, 1, 2 or 5, that is at most this one. */
export function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([5, 2, 1].find((n) => n * power <= value) ?? 1) * power;
}
