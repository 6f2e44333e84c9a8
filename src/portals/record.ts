import { type Block, datasetOf } from '../block/block.ts';
import type { Manifest, Origin } from '../block/manifest.ts';
import type { ListedFile } from '../formats/files.ts';
import { FORMATS, type Format, filesOfRows } from '../formats/formats.ts';
import { listInWords } from '../text/wording.ts';
import type { Geometry } from '../values/places.ts';
import { addressesOf, readWebAddress } from './publication.ts';

/** What portals are told of a block: what its declaration says, and what its import counted. */
export type PortalRecord = Pick<Block, 'name' | 'title' | 'description'> &
  Required<Origin> & {
    /** The version of its dataset; a block without one computes its answers. */
    readonly version?: string;
    readonly rows?: number;
    /** The formats of answers with all its rows. */
    readonly formats: readonly Format[];
    /** The files with all its rows that programs open in place, if it has any. */
    readonly files: readonly ListedFile[];
    /** The box around its rows: west, south, east, north, in degrees. */
    readonly box?: readonly [number, number, number, number];
  };

/** Reads a record from a block. What is not stated there is absent. */
export function recordOf(
  block: Block,
  manifest?: Manifest,
  files: readonly ListedFile[] = [],
): PortalRecord {
  const { name, title, description } = block;
  const { origin, geometry } = datasetOf(block) ?? {};
  const { sources: computedFrom = [] } = block.answers === 'value' ? block : {};
  return {
    name,
    title,
    description,
    sources:
      origin?.sources ??
      computedFrom.map(({ url, title, publisher }) => ({
        title,
        publisher,
        path: url,
      })),
    licenses: origin?.licenses ?? computedFrom.map(({ license }) => ({ title: license })),
    version: manifest?.version,
    rows: manifest?.rows,
    formats: manifest === undefined ? [] : filesOfRows(block.formats, manifest.rows),
    files,
    box: geometry && manifest && boxOf(geometry, manifest),
  };
}

/** Where all rows of a dataset are, in a format. */
type Distribution = {
  readonly format: Format;
  /** What tells it from the others. */
  readonly id: string;
  readonly title: string;
  readonly mediaType: string;
  readonly url: string;
  readonly bytes?: number | undefined;
};

/** All rows in each format: as files, or as answers if there are none. */
export function distributionsOf(
  { name, formats, files }: Pick<PortalRecord, 'name' | 'formats' | 'files'>,
  root: string,
): Distribution[] {
  const { answer, file } = addressesOf(root, name);
  if (files.length === 0) {
    return formats.map((format) => {
      const { title, accepted } = FORMATS[format];
      return { format, id: format, title, mediaType: accepted[0] ?? '', url: answer(format) };
    });
  }
  return files.map(({ format, title, extension, contentType, isPacked, bytes }) => ({
    ...{ format, id: extension, title, url: file(extension), bytes },
    mediaType: (isPacked ? contentType : FORMATS[format].accepted[0]) ?? '',
  }));
}

function boxOf(geometry: Geometry, { fields }: Manifest): PortalRecord['box'] {
  const [x, y] = [fields[geometry.longitude], fields[geometry.latitude]];
  if (x?.min === undefined || x.max === undefined) return undefined;
  if (y?.min === undefined || y.max === undefined) return undefined;
  return [x.min, y.min, x.max, y.max];
}

/**
 * The address of a licence's text: that which is stated, else that of a name whose text is known.
 * Undefined if nobody knows one.
 */
export function licenseAddress({ name, path }: Required<Origin>['licenses'][number]) {
  const stated = path === undefined ? undefined : readWebAddress(path);
  return stated ?? (name === undefined ? undefined : KNOWN_LICENSES.get(name.toUpperCase()));
}

/** What people call the terms. */
export function licenseTitle({ title, name, path }: Required<Origin>['licenses'][number]) {
  return title ?? name ?? path;
}

/** The licences that open data have most often, by their SPDX identifiers, with their stewards' pages. */
const KNOWN_LICENSES: ReadonlyMap<string, string> = new Map([
  ['CC0-1.0', 'https://creativecommons.org/publicdomain/zero/1.0/'],
  ['CC-BY-4.0', 'https://creativecommons.org/licenses/by/4.0/'],
  ['CC-BY-SA-4.0', 'https://creativecommons.org/licenses/by-sa/4.0/'],
  ['CC-BY-NC-4.0', 'https://creativecommons.org/licenses/by-nc/4.0/'],
  ['CC-BY-ND-4.0', 'https://creativecommons.org/licenses/by-nd/4.0/'],
  ['CC-BY-3.0', 'https://creativecommons.org/licenses/by/3.0/'],
  ['ODBL-1.0', 'https://opendatacommons.org/licenses/odbl/1-0/'],
  ['ODC-BY-1.0', 'https://opendatacommons.org/licenses/by/1-0/'],
  ['PDDL-1.0', 'https://opendatacommons.org/licenses/pddl/1-0/'],
]);

/** What a portal would miss of a block's file and of the service's settings, a sentence. */
export function missingForPortals(
  { sources, licenses }: Origin,
  { publisher, contact }: { readonly publisher?: string; readonly contact?: string },
): string | undefined {
  const missing = [
    ...(licenses === undefined ? ['a licence ("licenses")'] : []),
    ...(sources[0]?.publisher === undefined ? ['who publishes the data ("publisher")'] : []),
    ...(publisher === undefined ? ['who publishes the catalogue (PUBLISHER)'] : []),
    ...(contact === undefined ? ['a contact (PUBLISHER_EMAIL)'] : []),
  ];
  return missing.length === 0 ? undefined : `A portal would miss ${listInWords(missing, 'and')}.`;
}
