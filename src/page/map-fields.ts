import { type DatasetBlock, fieldsInOrder } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import { isFilterable } from '../block/parameter.ts';
import { type Field, isNumeric, typeOf } from '../values/field-types.ts';

/** The field with the name of a row's place on a map. */
export function placeName({ fields, keyFields }: Pick<DatasetBlock, 'fields' | 'keyFields'>) {
  return keyFields.find((name) =>
    fields.some((field) => field.name === name && typeOf(field).isName),
  );
}

/** The number that shades a map of regions: the first that has values, key fields first. */
export function shadeField(
  block: Pick<DatasetBlock, 'fields' | 'keyFields'>,
  { fields: known }: Pick<Manifest, 'fields'>,
): Field | undefined {
  return fieldsInOrder(block).find(
    (one) => isFilterable(one) && isNumeric(one) && known[one.name]?.min !== undefined,
  );
}
