import { addressesOf, type Publication } from './publication.ts';
import { distributionsOf, licenseAddress, licenseTitle, type PortalRecord } from './record.ts';

/** What a catalogue is called, where nobody names it otherwise. */
export type CatalogTitle = { readonly title: string; readonly description: string };

/**
 * All blocks as a catalogue in DCAT-AP 3, JSON-LD: a dataset for each that has rows, with a file for
 * each format, and a data service for each block. What nobody stated is left out.
 */
export function dcatCatalog(
  { title, description }: CatalogTitle,
  records: readonly PortalRecord[],
  publication: Publication,
  root: string,
): object {
  const datasets = records.filter(({ version }) => version !== undefined);
  const publisher = agentOf(publication.publisher, publication.publisherUrl);
  return {
    '@context': CONTEXT,
    '@id': root,
    '@type': 'dcat:Catalog',
    'dct:title': title,
    'dct:description': description,
    'dct:publisher': publisher,
    'foaf:homepage': document(root),
    'dcat:dataset': datasets.map((record) => datasetOf(record, publication, root)),
    'dcat:service': records.map((record) => serviceOf(record, publication, root)),
  };
}

function agentOf(name: string | undefined, url?: string): object | undefined {
  return name === undefined ? undefined : { '@id': url, '@type': 'foaf:Agent', 'foaf:name': name };
}

function datasetOf(record: PortalRecord, publication: Publication, root: string): object {
  const { name, title, description, version, sources, box } = record;
  const { page } = addressesOf(root, name);
  const [source] = sources;
  const about = sources.flatMap(({ path }) => path ?? []);
  const changes = sources.flatMap((one) => one.changes ?? []);
  return {
    '@id': `${page}#dataset`,
    '@type': 'dcat:Dataset',
    'dct:title': title,
    'dct:description': description,
    'dct:identifier': page,
    'dcat:version': version,
    'dcat:landingPage': document(page),
    'dct:publisher': agentOf(source?.publisher),
    ...contactOf(publication),
    'dct:modified': source?.date === undefined ? undefined : dateOf(source.date),
    'foaf:page': about.length === 0 ? undefined : about.map(document),
    'dct:provenance':
      changes.length === 0
        ? undefined
        : changes.map((text) => ({
            '@type': 'dct:ProvenanceStatement',
            'rdfs:label': text,
          })),
    'dct:spatial': box === undefined ? undefined : placeOf(box),
    'dcat:distribution': distributionsOf(record, root).map((one) =>
      distributionOf(record, one, root),
    ),
  };
}

function contactOf({ contact, publisher }: Publication): object {
  if (contact === undefined) return {};
  return {
    'dcat:contactPoint': {
      '@type': 'vcard:Kind',
      'vcard:fn': publisher,
      'vcard:hasEmail': { '@id': `mailto:${contact}` },
    },
  };
}

/** A day, a month or a year, each with its own type. */
function dateOf(date: string): object {
  const type = { 10: 'xsd:date', 7: 'xsd:gYearMonth', 4: 'xsd:gYear' }[date.length] ?? 'xsd:string';
  return { '@type': type, '@value': date };
}

function placeOf([west, south, east, north]: NonNullable<PortalRecord['box']>): object {
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const box = `POLYGON((${corners.map((corner) => corner.join(' ')).join(', ')}))`;
  return {
    '@type': 'dct:Location',
    'dcat:bbox': { '@type': 'http://www.opengis.net/ont/geosparql#wktLiteral', '@value': box },
  };
}

function distributionOf(
  record: PortalRecord,
  { title, mediaType, url, bytes }: ReturnType<typeof distributionsOf>[number],
  root: string,
): object {
  const { page } = addressesOf(root, record.name);
  return {
    '@id': url,
    '@type': 'dcat:Distribution',
    'dct:title': title,
    'dcat:accessURL': { '@id': url, '@type': 'rdfs:Resource' },
    'dcat:downloadURL': { '@id': url, '@type': 'rdfs:Resource' },
    'dcat:mediaType': {
      '@id': `https://www.iana.org/assignments/media-types/${mediaType}`,
      '@type': 'dct:MediaType',
    },
    'dcat:byteSize':
      bytes === undefined
        ? undefined
        : { '@type': 'xsd:nonNegativeInteger', '@value': String(bytes) },
    ...termsOf(record),
    'dcat:accessService': { '@id': `${page}#service` },
  };
}

/** The main licence by its address, else the terms in words. */
function termsOf({ licenses: [license] }: PortalRecord): object {
  if (license === undefined) return {};
  const address = licenseAddress(license);
  const title = licenseTitle(license);
  const named = { 'rdfs:label': title === address ? undefined : title };
  return address === undefined
    ? { 'dct:rights': { '@type': 'dct:RightsStatement', ...named } }
    : { 'dct:license': { '@id': address, '@type': 'dct:LicenseDocument', ...named } };
}

function serviceOf(record: PortalRecord, publication: Publication, root: string): object {
  const { name, title, description, version } = record;
  const { page, openapi } = addressesOf(root, name);
  const publisher = agentOf(publication.publisher, publication.publisherUrl);
  return {
    '@id': `${page}#service`,
    '@type': 'dcat:DataService',
    'dct:title': title,
    'dct:description': description,
    'dct:publisher': publisher,
    ...contactOf(publication),
    'dcat:endpointURL': { '@id': page, '@type': 'rdfs:Resource' },
    'dcat:endpointDescription': { '@id': openapi, '@type': 'rdfs:Resource' },
    'dcat:servesDataset': version === undefined ? undefined : { '@id': `${page}#dataset` },
  };
}

function document(url: string): object {
  return { '@id': url, '@type': 'foaf:Document' };
}

/** Written out, since a reader need not fetch it. */
const CONTEXT = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
};
