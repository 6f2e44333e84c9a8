import { ownMember } from '../arguments/given.ts';
import type { DatasetBlock } from '../block/block.ts';
import type { MapDrawing } from '../block/manifest.ts';
import type { Row } from '../values/field-type.ts';
import { rowOnMap, scaleText, svgOfMap } from './map-frame.ts';

/** Where one row is, among all places of its dataset; nothing if it has no place on the map. */
export function PlaceFigure(props: {
  block: DatasetBlock;
  map: MapDrawing | undefined;
  row: Row;
  name: string;
}) {
  const { block, map, row, name } = props;
  const { geometry } = block;
  if (map === undefined || geometry === undefined) return null;
  const view = svgOfMap(map);
  if (map.kind === 'regions') {
    const region = geometry.kind === 'regions' ? (row[geometry.region] as string) : '';
    const shape = ownMember(map.shapes, region) as string | undefined;
    if (shape === undefined) return null;
    return (
      <figure class="map">
        <svg {...view} aria-label={`Map with ${name}`}>
          <path class="out" d={Object.values(map.shapes).join('')} />
          <path class="k4" d={shape} />
        </svg>
        <figcaption>
          {name} among all {block.noun}.
        </figcaption>
      </figure>
    );
  }
  const place = rowOnMap(map, geometry, row);
  if (place?.isInside !== true) return null;
  return (
    <figure class="map">
      <svg {...view} aria-label={`Map with ${name}`}>
        <rect class="ground" width={map.width} height={map.height} />
        <path class="others" d={map.others} />
        <circle cx={place.x.toFixed(1)} cy={place.y.toFixed(1)} r="12" />
      </svg>
      <figcaption>
        {name} among all {block.noun}, north up, {scaleText(map)} from side to side.
      </figcaption>
    </figure>
  );
}
