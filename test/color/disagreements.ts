import type { Rgb } from '../../functions/rgb-to-color-name/ciede2000.ts';
import { indexColors, nearestColors } from '../../functions/rgb-to-color-name/color-index.ts';
import { readList } from './named-lists.ts';
import { lightnessScan, type Scan } from './nearest-by-scan.ts';

export const full = readList('full');
const fullIndex = indexColors(full.rgb);
export const fullScan = lightnessScan(full.rgb);

/** The colours for which the index and the scan differ in a position or in a bit of a distance. */
export function disagreements(
  rgb: Uint8Array,
  scan: Scan,
  colors: Iterable<Rgb>,
  count: number,
): Rgb[] {
  const index = rgb === full.rgb ? fullIndex : indexColors(rgb);
  return [...colors].filter((color) => {
    const found = nearestColors(index, color, count);
    const wanted = scan(color, count);
    return (
      found.length !== wanted.length ||
      wanted.some(
        (neighbor, rank) =>
          neighbor.position !== found[rank]?.position || neighbor.distance !== found[rank].distance,
      )
    );
  });
}
