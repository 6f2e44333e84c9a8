import type { Field } from '../fields/field-types.ts';
import { typeOf } from '../fields/field-types.ts';
import type { Geometry } from './geometry.ts';
import { isFilterable, type Parameter } from './parameter.ts';

/** The words that a row's texts must have. */
export const Q = '_q';

/** The place from which distances are told, and how far a row may be from it. */
export const NEAR = '_near';
export const WITHIN = '_within';

/** The box that a row's place must be in. */
export const BBOX = '_bbox';

/** Whether `_q` looks into a field: a text that filters take. */
export function isSearched(field: Field): boolean {
  return isFilterable(field) && typeOf(field).comparedBy === 'text';
}

/** The parameters that look into several fields of a row at once. */
export function searchParameters(
  fields: readonly Field[],
  geometry: Geometry | undefined,
): Parameter[] {
  return [
    ...(fields.some(isSearched) ? [WORDS] : []),
    ...(geometry === undefined ? [] : [PLACE, DISTANCE, BOX]),
  ];
}

const WORDS: Parameter = {
  type: 'words',
  name: Q,
  title: 'Words to look for',
  description: "Each must begin a word in some of the row's texts, in any order.",
};

const PLACE: Parameter = {
  type: 'place',
  name: NEAR,
  title: 'Near a place',
  description: 'longitude,latitude in degrees. Nearest first, with _distance in metres.',
};

const DISTANCE: Parameter = {
  type: 'distance',
  name: WITHIN,
  title: 'Distance from the place',
  description: 'At most this from _near: 500m, 1.5km, 2mi or 300ft.',
};

const BOX: Parameter = {
  type: 'box',
  name: BBOX,
  title: 'Box on the map',
  description: 'west,south,east,north in degrees.',
};
