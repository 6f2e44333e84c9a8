/** What a page shows of a dataset beside its rows: made at import, loaded with the first page. */
export type DatasetProfile = {
  /** The number of rows in each bin, by range field; bins have equal widths from min to max. */
  readonly histograms: Readonly<Record<string, readonly number[]>>;
  /** Values to suggest for a filter, by text field, the most common first. */
  readonly suggestions: Readonly<Record<string, readonly string[]>>;
  readonly map?: MapDrawing;
  readonly picture?: Picture;
};

/** A small drawing of a dataset for a list of blocks: one SVG path, in its own units. */
export type Picture = {
  readonly kind: 'areas' | 'dots' | 'bars';
  readonly width: number;
  readonly height: number;
  readonly path: string;
};

/** A map's size in its own units and its sides in degrees, both of which are linear; north is up. */
export type MapFrame = {
  readonly width: number;
  readonly height: number;
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
};

/** A map without its marks. */
export type MapDrawing = MapFrame &
  (
    | {
        readonly kind: 'regions';
        /** The data of an SVG path, by region. */
        readonly shapes: Readonly<Record<string, string>>;
      }
    | {
        readonly kind: 'points';
        /** The data of an SVG path of all places within the frame, drawn faintly behind the marks. */
        readonly others: string;
      }
  );
