import type { MarkName } from '../block/views.ts';
import { areas } from './areas.ts';
import { band } from './band.ts';
import { bars } from './bars.ts';
import { cells } from './cells.ts';
import { circles } from './circles.ts';
import { dots } from './dots.ts';
import { grouped } from './grouped.ts';
import { heat } from './heat.ts';
import { histogram } from './histogram.ts';
import { line } from './line.ts';
import type { MarkKind } from './mark.ts';
import { parts } from './parts.ts';
import { plots } from './plots.ts';
import { regions } from './regions.ts';
import { season } from './season.ts';
import { squares } from './squares.ts';

const MARKS = {
  line,
  band,
  plots,
  dots,
  cells,
  histogram,
  heat,
  bars,
  regions,
  parts,
  season,
  circles,
  squares,
  grouped,
  areas,
};

/** A mark by the name that callers use. To add one, name it in src/block/views.ts too. */
export const markOf = (name: MarkName): MarkKind =>
  (MARKS satisfies Record<MarkName, MarkKind>)[name];
