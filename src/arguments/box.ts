import type { ArgumentType } from '../fields/field-type.ts';
import { axesOf, coordinatesType, faultOfCoordinates } from './coordinates.ts';

const AXES = axesOf(2);
const EXPECTED =
  'west,south,east,north in degrees, such as -74,40.67,-73.99,40.69: longitudes from -180 to 180, latitudes from -90 to 90';

/** A box on the map: west, south, east and north, in the order of RFC 7946. */
export const box: ArgumentType = {
  ...coordinatesType(AXES, EXPECTED),
  fault: (value, { name }, expected) => faultOfCoordinates(value, name, AXES, expected),
};
