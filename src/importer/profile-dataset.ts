import type { DatasetBlock } from '../block/block.ts';
import type { Boundaries } from '../block/declaration.ts';
import type { DatasetProfile } from '../block/manifest.ts';
import { isFilterable } from '../block/parameter.ts';
import type { Row } from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import { drawMap } from './draw-map.ts';
import { drawPicture } from './draw-picture.ts';
import type { ColumnSummary } from './summarise-columns.ts';

/** Makes the data that a page shows about a dataset, once at import. */
export function profileDataset(
  { fields, geometry, keyFields }: DatasetBlock,
  columns: Readonly<Record<string, ColumnSummary>>,
  places: Iterable<Row>,
  boundaries?: Boundaries,
): DatasetProfile {
  const asked = fields.filter(isFilterable);
  const ranges = asked.filter((field) => typeOf(field).control === 'range');
  const texts = asked.filter((field) => typeOf(field).control === 'text');
  const map = geometry === undefined ? undefined : drawMap(geometry, places, boundaries);
  const inOrder = new Set([...keyFields, ...fields.map(({ name }) => name)]);
  const picture = drawPicture(
    map,
    [...inOrder].map((name) => columns[name]),
  );
  return {
    histograms: Object.fromEntries(
      ranges.flatMap(({ name }) => {
        const histogram = columns[name]?.histogram;
        return histogram === undefined ? [] : [[name, histogram]];
      }),
    ),
    suggestions: Object.fromEntries(
      texts.map(({ name }) => [name, columns[name]?.suggestions ?? []]),
    ),
    ...(map === undefined ? {} : { map }),
    ...(picture === undefined ? {} : { picture }),
  };
}
