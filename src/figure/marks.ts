import { bars } from './bars.ts';
import { cells } from './cells.ts';
import { dots } from './dots.ts';
import { heat } from './heat.ts';
import { histogram } from './histogram.ts';
import { line } from './line.ts';
import type { MarkKind } from './mark.ts';
import { parts } from './parts.ts';
import { regions } from './regions.ts';

/** All marks, by the names that callers use. An answer is drawn by the first one that fits. */
export const MARKS = { line, dots, cells, histogram, heat, bars, regions, parts };

export type MarkName = keyof typeof MARKS;

export const MARK_NAMES = Object.keys(MARKS) as MarkName[];

export const markOf = (name: MarkName): MarkKind => MARKS[name];
