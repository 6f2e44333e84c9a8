import { count, distinct } from './counts.ts';
import { max, min } from './extremes.ts';
import type { MeasureKind } from './measure.ts';
import { median } from './median.ts';
import { avg, sum } from './sums.ts';

/** Every measure, by the name that callers use. */
const ALL = { count, distinct, sum, avg, min, max, median };

export type MeasureName = keyof typeof ALL;

export const MEASURES: Readonly<Record<MeasureName, MeasureKind>> = ALL;

export const MEASURE_NAMES = Object.keys(ALL) as MeasureName[];
