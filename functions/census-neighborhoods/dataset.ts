import type { DatasetSource } from '../../src/importer/dataset-source.ts';
import { compileNeighborhoods } from './compile-neighborhoods.ts';

/** Census tracts; the neighborhoods are compiled from them at import. */
export const dataset: DatasetSource = {
  file: 'baltimore-2010-sf1-tracts.csv',
  toRows: compileNeighborhoods,
  boundaries: { file: 'baltimore-neighborhoods.geojson', property: 'neighborhood' },
};
