import type { MapFrame } from '../block/manifest.ts';
import { BBOX, NEAR, WITHIN } from '../block/parameter.ts';
import { metresIn } from '../values/places.ts';
import { onMap, radiiOnMap } from './map-frame.ts';

/** The box, the place and the distance that were asked for, drawn on a map. */
export function AskedPlace(props: { map: MapFrame; values: Readonly<Record<string, unknown>> }) {
  const { map, values } = props;
  const [west, south, east, north] = degreesIn(values[BBOX]);
  const [longitude, latitude] = degreesIn(values[NEAR]);
  const at =
    longitude === undefined || latitude === undefined ? undefined : onMap(map, longitude, latitude);
  return (
    <>
      {west !== undefined && north !== undefined && (
        <AskedBox
          from={onMap(map, west, north)}
          // A box over the antimeridian goes on to the east of it.
          to={onMap(map, (east ?? 0) + ((east ?? 0) < west ? 360 : 0), south ?? 0)}
        />
      )}
      {at !== undefined && typeof values[WITHIN] === 'string' && (
        <ellipse
          class="asked"
          cx={at.x.toFixed(1)}
          cy={at.y.toFixed(1)}
          {...rounded(radiiOnMap(map, latitude ?? 0, metresIn(values[WITHIN])))}
        />
      )}
      {at !== undefined && (
        <path class="asked" d={`M${at.x.toFixed(1)} ${at.y.toFixed(1)}m-9 0h18m-9-9v18`} />
      )}
    </>
  );
}

type Corner = { readonly x: number; readonly y: number };

function AskedBox({ from, to }: { from: Corner; to: Corner }) {
  const size = { width: to.x - from.x, height: to.y - from.y };
  return <rect class="asked" {...rounded({ x: from.x, y: from.y, ...size })} />;
}

function degreesIn(text: unknown): number[] {
  return typeof text === 'string' ? text.split(',').map(Number) : [];
}

function rounded<Name extends string>(sizes: Readonly<Record<Name, number>>) {
  return Object.fromEntries(
    Object.entries<number>(sizes).map(([name, size]) => [name, size.toFixed(1)]),
  );
}
