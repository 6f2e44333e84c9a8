import { isUnfilled } from './periods.ts';
import { isAmount } from './question.ts';
import { isTold, keysIn, type Lines, stepOf } from './series.ts';
import type { Shape } from './shape.ts';

/**
 * Columns in one of several plots over time: an amount of each period, as the rain of a month is below
 * its temperatures.
 */

/** More periods than this are a line: their columns would be as thin as one. */
const MOST_COLUMNS = 120;

/** A column, as a part of the way from one period to the next. */
const WIDTH = 0.72;

/** Whether a plot among several has columns: it is of one amount. */
export function areColumns({ measure, series, areEnds, base }: Lines, panels: number): boolean {
  if (panels < 2 || series.length !== 1 || areEnds || base !== undefined) return false;
  return isAmount(measure) && keysIn(series).length <= MOST_COLUMNS;
}

/** The columns of a plot, from 0 on. Of a period that the data do not fill, it is pale. */
export function columnShapes(
  { series, extent }: Lines,
  look: string,
  { x, y }: { x(key: number): number; y(value: number): number },
): Shape[] {
  const points = series.flatMap((one) => one.points.filter(isTold));
  const step = stepOf(points.map(({ key }) => key));
  return points.map(({ key, value }): Shape => {
    const width = WIDTH * Math.min(Math.abs(x(key + step) - x(key)), WIDEST);
    const [left, right] = [Math.max(0, x(key) - width / 2), Math.min(1, x(key) + width / 2)];
    const [top, foot] = [y(Math.max(0, value)), y(Math.min(0, value))];
    const open = isUnfilled(extent, key) ? 'open ' : '';
    return {
      shape: 'rect',
      look: `col ${open}${look}`,
      x: left,
      y: top,
      width: right - left,
      height: foot - top,
    };
  });
}

/** One period alone has no next one. */
const WIDEST = 0.1;
