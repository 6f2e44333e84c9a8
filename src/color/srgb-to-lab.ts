// Read once for speed under Jest, as in `ciede2000`.
const { cbrt } = Math;

/** CIELAB under D65: L from 0 to 100, a and b in the same unit, about -110 to 100 in sRGB. */
export type Lab = readonly [L: number, a: number, b: number];

/** sRGB channels, whole numbers from 0 to 255. */
export type Rgb = readonly [r: number, g: number, b: number];

/**
 * sRGB, 8 bits a channel, to CIELAB.
 *
 * Source: CSS Color Module Level 4, section 18 "Sample code for color conversions": its
 * linearisation, its sRGB to XYZ matrix (as fractions) and its D65 white from the chromaticities
 * 0.3127, 0.3290. Lab itself is CIE 15:2004, with the white left at D65 (no adaptation to D50).
 *
 * A row of the matrix sums exactly to the white's X, Y or Z, so X/Xn is a weighted mean of the
 * three channels; it is computed as `b + wr(r - b) + wg(g - b)`. A grey then has a and b exactly 0.
 * Summing the three products instead leaves 1e-14, and with it a meaningless hue that reaches
 * the sixth decimal of a CIEDE2000 distance.
 */
export function srgbToLab([r, g, b]: Rgb): Lab {
  const red = LINEAR[r] as number;
  const green = LINEAR[g] as number;
  const blue = LINEAR[b] as number;
  const fx = lightnessRoot(blue + X_RED * (red - blue) + X_GREEN * (green - blue));
  const fy = lightnessRoot(blue + Y_RED * (red - blue) + Y_GREEN * (green - blue));
  const fz = lightnessRoot(blue + Z_RED * (red - blue) + Z_GREEN * (green - blue));
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

const LINEAR = Float64Array.from({ length: 256 }, (_, channel) => {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

const WHITE_X = 3127 / 3290;
const WHITE_Z = 3583 / 3290;
const X_RED = 506752 / 1228815 / WHITE_X;
const X_GREEN = 87881 / 245763 / WHITE_X;
const Y_RED = 87098 / 409605;
const Y_GREEN = 175762 / 245763;
const Z_RED = 7918 / 409605 / WHITE_Z;
const Z_GREEN = 87881 / 737289 / WHITE_Z;

const EPSILON = 216 / 24389;
const KAPPA = 24389 / 27;

function lightnessRoot(t: number): number {
  return t > EPSILON ? cbrt(t) : (KAPPA * t + 16) / 116;
}
