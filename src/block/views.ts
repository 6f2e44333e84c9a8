/** What a page can show of a block. */
export const VIEWS = ['chart', 'map', 'table', 'columns', 'api'] as const;
export type ViewName = (typeof VIEWS)[number];
