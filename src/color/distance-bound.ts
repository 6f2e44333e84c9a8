import { chromaWeight, hueRotation, lightnessScale } from './ciede2000.ts';

// Read once for speed under Jest, as in `ciede2000`.
const { PI, abs, max } = Math;

/** A CIELAB colour with its chroma C and its hue h, in radians from -pi to pi. */
export interface LabPoint {
  readonly L: number;
  readonly a: number;
  readonly b: number;
  readonly C: number;
  readonly h: number;
}

/** The count of numbers in a box: the least and the greatest L, a, b, C and h of its colours. */
export const BOX_SIZE = 10;

/**
 * A lower bound of the SQUARE of the CIEDE2000 difference between a colour and every colour of a
 * box: the one at `offset` in `boxes`.
 *
 * Let 1 be the query, 2 any colour of the box, names as in Sharma, Wu and Dalal (2005). With
 * l = dL'/S_L, c = dC'/S_C, h = dH'/S_H the square is l² + c² + h² + R_T c h.
 *
 *  1. S_L grows with |meanL - 50|, so it is largest at an end of the mean lightness's interval.
 *     Hence l² >= (gap in L / that S_L)².
 *  2. G falls as the mean chroma rises, so g = 1 + G of the pair lies between its values at the
 *     box's greatest and least chroma, gLow <= g <= gHigh. Both colours are stretched by the same
 *     g: a' = g a. So C <= C' <= gHigh C, and dC'² + dH'², which is the squared distance of
 *     (a1', b1) and (a2', b2), is at least plane = gLow² (gap in a)² + (gap in b)².
 *  3. dH'² = 4 C1' C2' sin²(dh'/2) = 2 (C1' C2' - g² a1 a2 - b1 b2) does not fall as g grows: the
 *     derivative of C1' C2' by g² is (a1² C2'/C1' + a2² C1'/C2')/2 >= |a1 a2|. So it is at least
 *     its value at g = 1, 4 C1 C2 sin²(dh/2), dh being the shorter arc between the plain hues.
 *     That is at least the arc to the middle of the box's hues less half their width, and
 *     sin x >= x - x³/6 for x from 0 to pi/2. So dH'² >= turn = 4 C1 C2min (x - x³/6)², with x
 *     half that arc. A grey has no hue, but has C = 0, and so turn = 0.
 *  4. S_C <= sc = 1 + 0.045 C and S_H <= sh = 1 + 0.015 C * 1.93 < sc, where C is the greatest mean
 *     C' and 1.93 the sum of the coefficients of T. So c² + h² >= dC'²/sc² + dH'²/sh²
 *     = (dC'² + dH'²)/sc² + dH'² (1/sh² - 1/sc²), to which 2 and 3 apply.
 *  5. As |c h| <= (c² + h²)/2, c² + h² + R_T c h >= (1 - |R_T|/2)(c² + h²), and |R_T|/2 =
 *     chromaWeight(meanC') * hueRotation(meanH') rises with the chroma, and as the mean hue nears
 *     275 degrees. Stretching moves a hue by less than G/2: tan(h - h') is largest at
 *     tan h = sqrt(g), where it is G/(2 sqrt(g)). So while the arc to the box's far end, plus
 *     2 G/2, is under pi, the mean hue is the middle of that shorter arc, within a quarter of the
 *     box's width + G/2 of (query's hue + box's middle)/2; else it is taken to be 275 degrees.
 *     With a grey h is 0 and R_T does not matter.
 *
 * The bound of a box of one colour is close to the distance itself, except in the saturated blues.
 */
export function distanceBound(query: LabPoint, boxes: Float64Array, offset: number): number {
  const leastL = boxes[offset] as number;
  const greatestL = boxes[offset + 1] as number;
  const leastA = boxes[offset + 2] as number;
  const greatestA = boxes[offset + 3] as number;
  const leastB = boxes[offset + 4] as number;
  const greatestB = boxes[offset + 5] as number;
  const leastC = boxes[offset + 6] as number;
  const greatestC = boxes[offset + 7] as number;
  const leastH = boxes[offset + 8] as number;
  const greatestH = boxes[offset + 9] as number;

  // 1
  const sl = max(lightnessScale((query.L + leastL) / 2), lightnessScale((query.L + greatestL) / 2));
  const lightness = gap(query.L, leastL, greatestL) / sl;

  // 2
  const gLow = 1.5 - 0.5 * chromaWeight((query.C + greatestC) / 2);
  const gHigh = 1.5 - 0.5 * chromaWeight((query.C + leastC) / 2);
  const alongA = gLow * gap(query.a, leastA, greatestA);
  const alongB = gap(query.b, leastB, greatestB);
  const plane = alongA * alongA + alongB * alongB;

  // 3
  const halfWidth = (greatestH - leastH) / 2;
  const middle = shorterArc((leastH + greatestH) / 2 - query.h);
  const x = max(0, abs(middle) - halfWidth) / 2;
  const sine = x - (x * x * x) / 6;
  const turn = 4 * query.C * leastC * sine * sine;

  // 4
  const meanC = (gHigh * (query.C + greatestC)) / 2;
  const sc = 1 + 0.045 * meanC;
  const sh = 1 + 0.015 * 1.93 * meanC;
  const chromatic = (max(plane, turn) - turn) / (sc * sc) + turn / (sh * sh);

  // 5
  let fromBlue = 0;
  if (abs(middle) + halfWidth + gHigh - 1 < PI) {
    const off = abs(shorterArc(query.h + middle / 2 - BLUE));
    fromBlue = max(0, off - halfWidth / 2 - (gHigh - 1) / 2);
  }
  const rotation = chromaWeight(meanC) * hueRotation(BLUE_TURN + fromBlue);

  return lightness * lightness + (1 - rotation) * chromatic;
}

/** The hue at which R_T is strongest, as an angle from -pi to pi and from 0 to 2 pi. */
const BLUE = (-85 * PI) / 180;
const BLUE_TURN = (275 * PI) / 180;

/** How far a number is from an interval, 0 inside it. */
function gap(value: number, least: number, greatest: number): number {
  return value < least ? least - value : value > greatest ? value - greatest : 0;
}

/** Reduces an angle between -3 pi and 3 pi to the same direction between -pi and pi. */
function shorterArc(angle: number): number {
  if (angle > PI) return angle - 2 * PI;
  return angle < -PI ? angle + 2 * PI : angle;
}
