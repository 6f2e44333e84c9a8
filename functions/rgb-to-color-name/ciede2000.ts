// Read from Math once: under Jest each use of a global is so slow that this would take ten times as
// long, and the tests call it 50 million times.
const { PI, abs, atan2, cos, exp, sin, sqrt } = Math;

/**
 * The CIEDE2000 difference of two CIELAB colours, with kL = kC = kH = 1.
 *
 * Source: G. Sharma, W. Wu, E. N. Dalal, "The CIEDE2000 color-difference formula: implementation
 * notes, supplementary test data, and mathematical observations", Color Research and Application
 * 30 (2005), 21-30. Names follow the paper, with its angles in radians.
 */
export function ciede2000([L1, a1, b1]: Lab, [L2, a2, b2]: Lab): number {
  const meanC = (sqrt(a1 * a1 + b1 * b1) + sqrt(a2 * a2 + b2 * b2)) / 2;
  const scale = 1.5 - 0.5 * chromaWeight(meanC); // 1 + G

  const a1p = scale * a1;
  const a2p = scale * a2;
  const C1p = sqrt(a1p * a1p + b1 * b1);
  const C2p = sqrt(a2p * a2p + b2 * b2);
  const h1p = hueAngle(a1p, b1);
  const h2p = hueAngle(a2p, b2);

  // The paper treats a chroma of 0 separately. Then dHp is 0 whatever the angles, and the mean hue
  // only ever scales dHp, so the general case gives the same number.
  let dhp = h2p - h1p;
  let meanH = (h1p + h2p) / 2;
  if (abs(dhp) > PI) {
    dhp += dhp > 0 ? -TURN : TURN;
    meanH += meanH < PI ? PI : -PI;
  }

  const dLp = L2 - L1;
  const dCp = C2p - C1p;
  const dHp = 2 * sqrt(C1p * C2p) * sin(dhp / 2);

  const meanCp = (C1p + C2p) / 2;
  const l = dLp / lightnessScale((L1 + L2) / 2);
  const c = dCp / (1 + 0.045 * meanCp);
  const h = dHp / (1 + 0.015 * meanCp * hueWeight(meanH));
  const rotation = -2 * chromaWeight(meanCp) * hueRotation(meanH); // R_T
  return sqrt(l * l + c * c + h * h + rotation * c * h);
}

const TURN = 2 * PI;
const DEGREE = PI / 180;

/** The angle of (a, b) from 0 to 2 pi, 0 for a grey. */
function hueAngle(a: number, b: number): number {
  const angle = atan2(b, a);
  return angle < 0 ? angle + TURN : angle;
}

/** sqrt(C^7 / (C^7 + 25^7)): rises from 0 at grey towards 1. */
export function chromaWeight(C: number): number {
  const cube = C * C * C;
  const seventh = cube * cube * C;
  return sqrt(seventh / (seventh + 6103515625));
}

/** S_L: 1 at L = 50, larger on either side of it. */
export function lightnessScale(L: number): number {
  const square = (L - 50) * (L - 50);
  return 1 + (0.015 * square) / sqrt(20 + square);
}

/** T, the dependence of S_H on hue (radians). */
function hueWeight(h: number): number {
  return (
    1 -
    0.17 * cos(h - 30 * DEGREE) +
    0.24 * cos(2 * h) +
    0.32 * cos(3 * h + 6 * DEGREE) -
    0.2 * cos(4 * h - 63 * DEGREE)
  );
}

/** sin(2 dTheta): the tilt of the ellipses in the blues, sin 60 degrees at hue 275, 0 far from it. */
export function hueRotation(h: number): number {
  const offset = (h / DEGREE - 275) / 25;
  return sin(60 * DEGREE * exp(-offset * offset));
}

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
