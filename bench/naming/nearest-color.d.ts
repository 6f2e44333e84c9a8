declare module 'nearest-color' {
  const nearestColor: {
    /** Of plain hex texts, the matcher answers with one of them. */
    from(hexes: readonly string[]): (rgb: { r: number; g: number; b: number }) => string;
  };
  export default nearestColor;
}
