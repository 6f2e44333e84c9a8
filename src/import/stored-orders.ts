import type { DatasetBlock } from '../block/block.ts';
import type { PackedColumns } from '../columns/encode-chunk.ts';
import { withCodes } from '../columns/pack-codes.ts';
import { withPlaces } from '../columns/pack-places.ts';
import { withWords } from '../columns/pack-words.ts';
import { type SearchedField, searchedFields } from '../query/predicate.ts';
import { typeOf } from '../values/field-types.ts';
import type { PointFields } from '../values/places.ts';

/** What finds the nearest rows, words and different texts without the columns of all rows. */
export type StoredOrders = {
  /** The fields of the places. */
  readonly places?: PointFields | undefined;
  readonly searched: readonly SearchedField[];
  /** The fields whose texts get codes. */
  readonly texts: readonly string[];
};

export function storedOrders({
  fields,
  geometry,
}: Pick<DatasetBlock, 'fields' | 'geometry'>): StoredOrders {
  const texts = fields.filter((field) => typeOf(field).comparedBy === 'text');
  return {
    places: geometry && { longitude: geometry.longitude, latitude: geometry.latitude },
    searched: searchedFields(fields),
    texts: texts.map(({ name }) => name),
  };
}

export function inOrders(
  packed: PackedColumns,
  { places, searched, texts }: StoredOrders,
): PackedColumns {
  const inPlace = places === undefined ? packed : withPlaces(packed, places);
  return withCodes(withWords(inPlace, searched), texts);
}
