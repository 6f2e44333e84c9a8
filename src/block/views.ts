/** What a page of rows can show, in the order in which it offers them. */
export const VIEWS = ['chart', 'map', 'table', 'columns', 'api'] as const;
export type ViewName = (typeof VIEWS)[number];

/** How a figure can draw an answer: `src/figure` has a file for each. The first that fits is usual. */
export type MarkName =
  | 'season'
  | 'band'
  | 'line'
  | 'plots'
  | 'dots'
  | 'cells'
  | 'histogram'
  | 'heat'
  | 'bars'
  | 'regions'
  | 'parts';
export const MARK_NAMES: readonly MarkName[] = [
  'season',
  'band',
  'line',
  'plots',
  'dots',
  'cells',
  'histogram',
  'heat',
  'bars',
  'regions',
  'parts',
];
