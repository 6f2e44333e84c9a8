import type { MapDrawing, Picture } from '../block/manifest.ts';
import type { ColumnSummary } from './summarise-columns.ts';

/** A list of blocks holds a picture of each, so one is at most this long. */
export const MOST_PICTURE_LENGTH = 3000;

/** The widths of the grids that a map's points are moved to: the finest that is short enough. */
const GRIDS = [64, 48, 32, 24, 16];

/**
 * Draws a dataset for the list of blocks: its map, or else how the values of the first field that
 * shows something are spread. `columns` are in the order of a table's.
 */
export function drawPicture(
  map: MapDrawing | undefined,
  columns: readonly (ColumnSummary | undefined)[],
): Picture | undefined {
  return (map && drawSmallMap(map)) ?? drawBars(columns);
}

function drawSmallMap(map: MapDrawing): Picture | undefined {
  const texts = map.kind === 'regions' ? Object.values(map.shapes) : [map.others];
  const lines = texts.flatMap((text) => text.split('M').slice(1)).map(pointsIn);
  for (const width of GRIDS) {
    const onGrid = ([x, y]: Point): Point => [
      Math.round((x * width) / map.width),
      Math.round((y * width) / map.width),
    ];
    const drawn = lines.map((points) =>
      map.kind === 'regions' ? areaOf(points.map(onGrid)) : dotAt(points.map(onGrid)),
    );
    const path = [...new Set(drawn)].join('');
    if (path === '' || path.length > MOST_PICTURE_LENGTH) continue;
    const kind = map.kind === 'regions' ? 'areas' : 'dots';
    return { kind, width, height: Math.ceil((map.height * width) / map.width), path };
  }
  return undefined;
}

type Point = readonly [number, number];

function pointsIn(line: string): Point[] {
  return [...line.matchAll(/(-?[\d.]+)[ ,](-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

function dotAt([point]: readonly Point[]): string {
  return point === undefined ? '' : `M${point.join(' ')}h0`;
}

/** A ring without the points that add nothing to it; nothing where too few are left. */
function areaOf(ring: readonly Point[]): string {
  const apart = ring.filter((point, i) => `${point}` !== `${ring[i - 1]}`);
  const corners = apart.filter(([x, y], i) => {
    const [fromX, fromY] = apart.at(i - 1) as Point;
    const [toX, toY] = apart[(i + 1) % apart.length] as Point;
    return (toX - fromX) * (y - fromY) !== (toY - fromY) * (x - fromX);
  });
  const [first, ...others] = corners;
  if (first === undefined || others.length < 2) return '';
  const steps = others.map(([x, y], i) => {
    const [fromX, fromY] = corners[i] as Point;
    return `${x - fromX} ${y - fromY}`;
  });
  return `M${first.join(' ')}l${steps.join(' ')}z`.replaceAll(' -', '-');
}

/** The height of the highest bar. */
const BAR_HEIGHT = 24;

/** The fewest bars that show how values are spread. */
const LEAST_BARS = 3;

function drawBars(columns: readonly (ColumnSummary | undefined)[]): Picture | undefined {
  const spreads = columns.map((column) => column?.histogram ?? countsOfFew(column));
  const bars = spreads.find((counts) => counts.filter((count) => count > 0).length >= LEAST_BARS);
  if (bars === undefined) return undefined;
  const most = Math.max(...bars);
  const path = bars
    .map((count, i) => {
      const height = Math.ceil((BAR_HEIGHT * count) / most);
      return height === 0 ? '' : `M${2 * i} ${BAR_HEIGHT}v-${height}h1.6v${height}z`;
    })
    .join('');
  return { kind: 'bars', width: 2 * bars.length, height: BAR_HEIGHT, path };
}

/** The counts of a text's values, if these are all: names would be bars of the same height. */
function countsOfFew(column: ColumnSummary | undefined): readonly number[] {
  const { counts = [], statistics } = column ?? {};
  return statistics !== undefined && statistics.distinct <= counts.length ? counts : [];
}
