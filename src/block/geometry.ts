/** The names of the fields that hold a position in degrees (WGS 84). */
export type PointFields = { readonly longitude: string; readonly latitude: string };

/** Where a dataset's rows are on a map: at points, or in regions, which also have a centre. */
export type Geometry =
  | ({ readonly kind: 'points' } & PointFields)
  | ({
      readonly kind: 'regions';
      /** The text field that holds the region's name. */
      readonly region: string;
    } & PointFields);

/** Each region's shape by its name: GeoJSON geometries (RFC 7946) as JSON text. */
export type Boundaries = Readonly<Record<string, string>>;
