import type { DatasetBlock } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import type { ListedFile } from '../formats/files.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { describedLd, sizeOf } from './dataset-ld.ts';
import { addressesOf } from './publication.ts';
import { distributionsOf, recordOf } from './record.ts';

/**
 * A dataset in Croissant 1.0 (mlcommons.org): its files, and a record set of all columns with their
 * types. Its records are read from the Parquet file, which alone has types: a reader of CSV would
 * take a zip code for a number.
 */
export function croissantOf(
  block: DatasetBlock,
  manifest: Manifest,
  root: string,
  files: readonly ListedFile[] = [],
): object {
  const record = recordOf(block, manifest, files);
  const { page } = addressesOf(root, block.name);
  return {
    '@context': CONTEXT,
    ...describedLd(record, page),
    conformsTo: 'http://mlcommons.org/croissant/1.0',
    // The addresses answer with the version that is current; no checksum could be stated of it.
    isLiveDataset: true,
    distribution: distributionsOf(record, root).map(({ id, title, mediaType, url, bytes }) => ({
      '@type': 'cr:FileObject',
      '@id': id,
      name: title,
      contentUrl: url,
      contentSize: sizeOf(bytes),
      encodingFormat: ENCODING_FORMATS[id] ?? mediaType,
    })),
    recordSet: [
      {
        '@type': 'cr:RecordSet',
        '@id': 'rows',
        name: block.noun,
        key: block.primaryKey?.map((name) => ({ '@id': `rows/${name}` })),
        field: block.fields.map(fieldOf),
      },
    ],
  };
}

/** The names that Croissant's library knows. */
const ENCODING_FORMATS: Readonly<Partial<Record<string, string>>> = {
  parquet: 'application/x-parquet',
  ndjson: 'application/jsonlines',
};

function fieldOf(field: Field): object {
  const { name, title, description, unit } = field;
  const told = [title, description, unit === undefined ? undefined : `Unit: ${unit}.`];
  return {
    '@type': 'cr:Field',
    '@id': `rows/${name}`,
    name,
    description: told.filter((text) => text !== undefined && text !== name).join('. ') || title,
    dataType: dataTypeOf(field),
    source: { fileObject: { '@id': 'parquet' }, extract: { column: name } },
  };
}

function dataTypeOf(field: Field): string {
  const { json, format } = typeOf(field);
  if (format === 'date') return 'sc:Date';
  if (format === 'date-time') return 'sc:DateTime';
  if (json === 'boolean') return 'sc:Boolean';
  if (json === 'integer') return 'sc:Integer';
  if (json === 'number') return 'sc:Float';
  return format === 'uri' ? 'sc:URL' : 'sc:Text';
}

const names = (...terms: readonly string[]) =>
  Object.fromEntries(terms.map((term) => [term, `cr:${term}`]));

/** The context of the specification, whole: its library warns of any other. */
const CONTEXT = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  cr: 'http://mlcommons.org/croissant/',
  dct: 'http://purl.org/dc/terms/',
  rai: 'http://mlcommons.org/croissant/RAI/',
  sc: 'https://schema.org/',
  conformsTo: 'dct:conformsTo',
  data: { '@id': 'cr:data', '@type': '@json' },
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  examples: { '@id': 'cr:examples', '@type': '@json' },
  ...names('citeAs', 'column', 'equivalentProperty', 'extract', 'field', 'fileObject'),
  ...names('fileProperty', 'fileSet', 'format', 'includes', 'isLiveDataset', 'jsonPath', 'key'),
  ...names('md5', 'parentField', 'path', 'recordSet', 'references', 'regex', 'repeated'),
  ...names('replace', 'samplingRate', 'separator', 'source', 'subField', 'transform'),
};
