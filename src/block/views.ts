/** What a page of rows can show, in the order in which it offers them. */
export const VIEWS = ['figures', 'chart', 'map', 'table', 'columns', 'api'] as const;
export type ViewName = (typeof VIEWS)[number];

/**
 * What the axis of a figure's numbers is: from 0, near the numbers, logarithmic, of lines that are
 * 100 in one period, or of shares of all. `src/figure/axis-kinds.ts` has an entry for each.
 */
export const AXIS_NAMES = ['zero', 'near', 'log', 'index', 'share'] as const;
export type AxisName = (typeof AXIS_NAMES)[number];

/** Options of how a page draws an answer. The answer's rows and numbers do not change with them. */
export const DRAWING_NAMES = ['_mark', '_axis', '_frame', '_as_one'] as const;

/** All options that mean something on a page alone. */
export const PAGE_NAMES = ['_view', ...DRAWING_NAMES, '_embed', '_lang'] as const;

/** How a figure can draw an answer: `src/figure` has a file for each. The first that fits is usual. */
export type MarkName =
  | 'season'
  | 'band'
  | 'line'
  | 'plots'
  | 'dots'
  | 'cells'
  | 'histogram'
  | 'grouped'
  | 'heat'
  | 'bars'
  | 'regions'
  | 'parts'
  | 'areas'
  | 'circles'
  | 'squares';
export const MARK_NAMES: readonly MarkName[] = [
  'season',
  'band',
  'line',
  'plots',
  'dots',
  'cells',
  'histogram',
  'grouped',
  'heat',
  'bars',
  'regions',
  'parts',
  'areas',
  'circles',
  'squares',
];
