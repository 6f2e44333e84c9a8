import type { DatasetBlock } from '../block/block.ts';
import { rangeOf } from '../block/describe-block.ts';
import type { Manifest } from '../block/manifest.ts';
import type { ListedFile } from '../formats/files.ts';
import { numberText } from '../text/wording.ts';
import { addressesOf, type Publication } from './publication.ts';
import {
  distributionsOf,
  licenseAddress,
  licenseTitle,
  type PortalRecord,
  recordOf,
} from './record.ts';

/** Columns that a page describes to search engines. Croissant has all of them. */
const MOST_VARIABLES = 30;

/**
 * A dataset as JSON-LD (schema.org), for a `script` of its page: no text in it can end that element.
 * `root` is the service's public address.
 */
export function datasetScript(
  block: DatasetBlock,
  manifest: Manifest,
  publication: Publication,
  root: string,
  files: readonly ListedFile[] = [],
): string {
  const of = datasetLd(block, recordOf(block, manifest, files), manifest, root);
  const described = { '@context': 'https://schema.org/', ...of };
  const ofCatalog = { ...catalogLd(root, publication) };
  return scriptText({ ...described, includedInDataCatalog: ofCatalog });
}

/** JSON for a `script`, where `<` could begin its end tag or a comment (HTML, section 4.12.1.3). */
function scriptText(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function datasetLd(
  block: DatasetBlock,
  record: PortalRecord,
  manifest: Manifest,
  root: string,
): object {
  const { page, croissant } = addressesOf(root, block.name);
  return {
    ...describedLd(record, page),
    inLanguage: block.lang,
    spatialCoverage: record.box === undefined ? undefined : placeLd(record.box),
    variableMeasured: variablesOf(block, manifest, croissant),
    distribution: distributionsOf(record, root).map(({ title, mediaType, url, bytes }) => ({
      '@type': 'DataDownload',
      name: title,
      encodingFormat: mediaType,
      contentUrl: url,
      contentSize: sizeOf(bytes),
    })),
  };
}

/** A length as schema.org has it. */
export function sizeOf(bytes: number | undefined): string | undefined {
  return bytes === undefined ? undefined : `${bytes} B`;
}

/** What schema.org and Croissant say of a dataset in the same words. */
export function describedLd(record: PortalRecord, page: string): object {
  const { title, description, version, sources, licenses } = record;
  const [source] = sources;
  const terms = licenses.flatMap(
    (license) => licenseAddress(license) ?? licenseTitle(license) ?? [],
  );
  const basedOn = sources.flatMap(({ path }) => path ?? []);
  return {
    '@type': 'Dataset',
    '@id': page,
    name: title,
    description,
    url: page,
    version,
    license: terms.length === 0 ? undefined : oneOrMore(terms),
    publisher: organizationLd(source?.publisher),
    dateModified: source?.date,
    isBasedOn: basedOn.length === 0 ? undefined : oneOrMore(basedOn),
  };
}

function oneOrMore(texts: readonly string[]): string | readonly string[] {
  return texts.length === 1 ? (texts[0] as string) : texts;
}

function placeLd([west, south, east, north]: NonNullable<PortalRecord['box']>): object {
  const box = `${south} ${west} ${north} ${east}`;
  return { '@type': 'Place', geo: { '@type': 'GeoShape', box } };
}

function variablesOf({ fields }: DatasetBlock, manifest: Manifest, croissant: string) {
  const first = fields.slice(0, MOST_VARIABLES).map((field) => {
    const { name, title, unit } = field;
    const range = rangeOf(field, manifest.fields[name]);
    const ends = typeof range?.min === 'number' ? { minValue: range.min, maxValue: range.max } : {};
    return {
      '@type': 'PropertyValue',
      name,
      alternateName: title === name ? undefined : title,
      unitText: unit,
      ...ends,
    };
  });
  const left = fields.length - first.length;
  return left === 0 ? first : [...first, `and ${numberText(left)} more columns: ${croissant}`];
}

function catalogLd(root: string, { publisher, publisherUrl }: Publication): object {
  return {
    '@type': 'DataCatalog',
    '@id': root,
    url: root,
    publisher: organizationLd(publisher, publisherUrl),
  };
}

function organizationLd(name: string | undefined, url?: string): object | undefined {
  return name === undefined ? undefined : { '@type': 'Organization', name, url };
}
