/** A question that a publisher chose, whose figure tells a part of what the data say. */
export type BlockFigure = {
  /** What the figure says, of all rows: `Cars are back, buses are furthest behind`. */
  readonly title: string;
  /** More of that, in a sentence or two. If absent, the figure's own sentences say it. */
  readonly text?: string;
  /** The question, as the query of the page's address: `_group=date.month&_measure=avg:buses`. */
  readonly ask: string;
};

/** How many figures a block may have. More is no story, and each is read for one page. */
export const FIGURES_OF_BLOCK = { least: 3, most: 6 } as const;

/** The arguments of a question, as a query has them. A name that repeats has a list. */
export function askedBy({ ask }: Pick<BlockFigure, 'ask'>): Record<string, string | string[]> {
  const query = new URLSearchParams(ask);
  const names = [...new Set(query.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? (values[0] as string) : values];
    }),
  );
}
