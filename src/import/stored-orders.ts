import type { DatasetBlock } from '../block/block.ts';
import type { PackedColumns } from '../columns/encode-chunk.ts';
import { withPlaces } from '../columns/pack-places.ts';
import { withWords } from '../columns/pack-words.ts';
import { type SearchedField, searchedFields } from '../query/predicate.ts';
import type { PointFields } from '../values/places.ts';

/** What finds the nearest rows and words without the columns of all rows. */
export type StoredOrders = {
  /** The fields of the places. */
  readonly places?: PointFields | undefined;
  readonly searched: readonly SearchedField[];
};

export function storedOrders({
  fields,
  geometry,
}: Pick<DatasetBlock, 'fields' | 'geometry'>): StoredOrders {
  return {
    places: geometry && { longitude: geometry.longitude, latitude: geometry.latitude },
    searched: searchedFields(fields),
  };
}

export function inOrders(packed: PackedColumns, { places, searched }: StoredOrders): PackedColumns {
  const inPlace = places === undefined ? packed : withPlaces(packed, places);
  return withWords(inPlace, searched);
}
