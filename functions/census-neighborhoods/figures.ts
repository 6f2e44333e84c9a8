/** Figures of one area by column; null where the source has none. */
export type Figures = Readonly<Record<string, number | null>>;
