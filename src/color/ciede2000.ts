import type { Lab } from './srgb-to-lab.ts';

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
export function hueWeight(h: number): number {
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
