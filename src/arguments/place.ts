import type { ArgumentType } from '../fields/field-type.ts';
import { axesOf, coordinatesType, faultOfCoordinates } from './coordinates.ts';

const AXES = axesOf(1);
const EXPECTED =
  'longitude,latitude in degrees, such as -73.99,40.68: a longitude from -180 to 180, then a latitude from -90 to 90';

/** A place on the map: its longitude, then its latitude. */
export const place: ArgumentType = {
  ...coordinatesType(AXES, EXPECTED),
  fault: (value, { name }, expected) => faultOfCoordinates(value, name, AXES, expected),
};
