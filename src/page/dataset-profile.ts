/** What a page shows of a dataset beside its rows: made at import, read when a page is. */
export type DatasetProfile = {
  /** By range field: how many rows have a value in each bin, of equal widths from min to max. */
  readonly histograms: Readonly<Record<string, readonly number[]>>;
  /** By text field: values that a filter on it may be, the commonest first. */
  readonly suggestions: Readonly<Record<string, readonly string[]>>;
  readonly map?: MapDrawing;
};

/** A map without its marks, in units of its own; north is up. */
export type MapDrawing = { readonly width: number; readonly height: number } & (
  | {
      readonly kind: 'regions';
      /** By region: the data of an SVG path. */
      readonly shapes: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'points';
      /** The frame's sides, in degrees. */
      readonly west: number;
      readonly east: number;
      readonly south: number;
      readonly north: number;
      /** Every place within the frame, faint behind the marks: the data of an SVG path. */
      readonly others: string;
    }
);
