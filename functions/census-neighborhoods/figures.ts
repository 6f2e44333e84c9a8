/** Figures of one area by column; null if the source has none. */
export type Figures = Readonly<Record<string, number | null>>;
