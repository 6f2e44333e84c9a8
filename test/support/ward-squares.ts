/** A ward's shape: a square of one degree, `x` degrees east. */
export const wardAt = (x: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [x, 0],
      [x + 1, 0],
      [x + 1, 1],
      [x, 1],
      [x, 0],
    ],
  ],
});

/** The publisher's file of three wards, side by side. */
export const WARDS = JSON.stringify({
  type: 'FeatureCollection',
  features: ['North', 'South', 'East'].map((name, i) => ({
    type: 'Feature',
    properties: { name },
    geometry: wardAt(i),
  })),
});
