import type { Field } from '../fields/field.ts';
import type { DatasetDeclaration, Example } from './block.ts';
import type { Geometry } from './geometry.ts';
import type { Origin } from './manifest.ts';

/** A file in `seed-data/`, and what it must still be. */
export type DataFile = Origin & {
  readonly file: string;
  /** `sha256:` and the hash of its bytes, in hex. */
  readonly hash?: string;
  readonly rows?: number;
};

/** A GeoJSON file of regions' shapes, and the property that names each region. */
export type BoundariesFile = DataFile & { readonly property: string };

/**
 * The content of a data block's `block.json`. Its members have the names of Data Package v2 and of
 * Table Schema where these have one.
 */
export type BlockFile = DataFile & {
  readonly $schema?: string;
  /** Both are the folder's name if absent. */
  readonly name?: string;
  readonly id?: string;
  readonly title: string;
  readonly description: string;
  readonly noun?: string;
  readonly keyFields?: readonly string[];
  readonly fields: readonly Field[];
  readonly primaryKey?: string | readonly string[];
  readonly geometry?: Geometry;
  readonly boundaries?: BoundariesFile;
  readonly examples: readonly Example[];
};

/** What a block file declares of its block; its function needs no more. */
export function declarationOf(file: BlockFile, folder: string): DatasetDeclaration {
  const { name = folder, id = name, title, description, noun, keyFields } = file;
  const { fields, primaryKey, geometry, examples, sources, licenses } = file;
  return {
    ...{ id, name, title, description },
    ...(noun === undefined ? {} : { noun }),
    ...(keyFields === undefined ? {} : { keyFields }),
    fields,
    ...(primaryKey === undefined ? {} : { primaryKey: [primaryKey].flat() }),
    ...(geometry === undefined ? {} : { geometry }),
    examples,
    origin: { sources, ...(licenses === undefined ? {} : { licenses }) },
  };
}
