import type { DatasetDeclaration, Example } from '../block/block.ts';
import type { BlockFigure } from '../block/block-figure.ts';
import type { AreaKind, BadRowCounts, Origin } from '../block/manifest.ts';
import type { WrittenFile } from '../files/file-format.ts';
import type { FileFormatName } from '../files/file-formats.ts';
import type { Field } from '../values/field-types.ts';
import type { Geometry } from '../values/places.ts';
import type { Spelling } from '../values/spelling.ts';

/** A file in `seed-data/`, and what must still be true of it. */
export type DataFile = Origin & {
  readonly file: string;
  /** `sha256:` and the hash of its bytes, in hex. */
  readonly hash?: string;
  readonly rows?: number;
};

/** A file of rows, its format, and how it is written. */
export type TableFile = WrittenFile & {
  /** `csv` if absent. */
  readonly format?: FileFormatName;
  /** The counts of its bad rows, and the file in `seed-data/` that lists them. */
  readonly badRows?: BadRowCounts & { readonly file?: string };
};

/** A field, and how the file writes its values. */
export type FileField = Field &
  Spelling & {
    /** The header of its column, if the name is not made from it. */
    readonly header?: string;
  };

/**
 * How a file becomes the rows of a dataset: how it is written, and its columns as fields. `propose`
 * makes it, and `readRows` follows it.
 */
export type Recipe = TableFile & {
  readonly fields: readonly FileField[];
  /** Cells of any column that mean nothing is there, like blank ones. */
  readonly missingValues?: readonly string[];
};

/** Areas: of a GeoJSON file, or those that are known by their names. */
export type BoundariesFile = Partial<DataFile> & {
  /** The property that names each area of the file. Absent for outlines below points. */
  readonly property?: string;
  /** The areas, if these are known. Without them, there is a file. */
  readonly areas?: AreaKind;
  /** The field whose values name the areas. Absent of regions, which their geometry names. */
  readonly field?: string;
  /** The US state of counties whose names have none beside them. */
  readonly within?: string;
};

/**
 * The content of a data block's `block.json`: a recipe and words. Members have the names of Data
 * Package v2 and Table Schema where these have one.
 */
export type BlockFile = DataFile &
  Recipe & {
    readonly $schema?: string;
    /** `name` and `id` are the folder's name if absent. */
    readonly name?: string;
    readonly id?: string;
    /** Its short name in chat and on the command line. */
    readonly alias?: string;
    readonly title: string;
    readonly description: string;
    readonly lang?: string;
    readonly noun?: string;
    /**
     * The address from which the file is fetched again. A source's `path` may be a page about it.
     */
    readonly downloadUrl?: string;
    /** The file to take from a zip archive, if the next one holds several. */
    readonly innerPath?: string;
    readonly keyFields?: readonly string[];
    readonly primaryKey?: string | readonly string[];
    readonly geometry?: Geometry;
    readonly boundaries?: BoundariesFile;
    readonly examples: readonly Example[];
    /** The arguments with which the block's page opens. If absent, they follow from the data. */
    readonly first?: Example['arguments'];
    /** The figures with which it opens instead. */
    readonly figures?: readonly BlockFigure[];
  };

/** What a block file declares about its block. The function needs no more. */
export function declarationOf(file: BlockFile, folder: string): DatasetDeclaration {
  const { name = folder, id = name, alias, title, description, lang, noun } = file;
  const { keyFields, fields, primaryKey, geometry, examples, first, sources, licenses } = file;
  const { figures, boundaries } = file;
  return {
    id,
    name,
    title,
    description,
    alias,
    lang,
    noun,
    keyFields,
    fields: fields.map(fieldOf),
    primaryKey: primaryKey === undefined ? undefined : [primaryKey].flat(),
    geometry,
    areaField: boundaries?.field,
    examples,
    first,
    figures,
    origin: { sources, licenses },
  };
}

/** The members of a field that are only about its file. */
const OF_THE_FILE: ReadonlySet<string> = new Set<Exclude<keyof FileField, keyof Field>>([
  'header',
  'decimalChar',
  'groupChar',
  'indianGroups',
  'bareNumber',
  'minus',
  'apostrophe',
  'textFormulas',
  'trueValues',
  'falseValues',
  'format',
  'cutTime',
  'monthLanguage',
  'calendar',
  'typedTimes',
  'missingValues',
  'nearestNumber',
  'point',
  'pointForm',
  'oddCells',
]);

/** A field as the block declares it, without how its file is written. */
function fieldOf(field: FileField): Field {
  const members = Object.entries(field).filter(([member]) => !OF_THE_FILE.has(member));
  return Object.fromEntries(members) as Field;
}
