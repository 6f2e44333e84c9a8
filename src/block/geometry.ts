/** Fields that hold a place in degrees (WGS 84), by their names. */
export type PointFields = { readonly longitude: string; readonly latitude: string };

/** Where a dataset's rows are on a map: at points, or within regions that have a centre too. */
export type Geometry =
  | ({ readonly kind: 'points' } & PointFields)
  | ({
      readonly kind: 'regions';
      /** The text field whose value is a region's name. */
      readonly region: string;
    } & PointFields);

/** The shape of each region, by its name: GeoJSON geometries (RFC 7946) as JSON text. */
export type Boundaries = Readonly<Record<string, string>>;
