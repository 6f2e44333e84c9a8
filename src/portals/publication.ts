import { parseUrl } from '../text/path.ts';
import { sha256 } from '../work/sha256.ts';

/** What a service calls itself. */
export const SERVICE = 'blockyard';
export const SERVICE_DESCRIPTION = 'Data to look at, take and call';

/** What the operator of a service states for portals. They are told nothing of what he leaves out. */
export type Publication = {
  /** The service's public address, if it is known: with a slash at its end, and no query. */
  readonly address?: () => string | undefined;
  /** Who publishes this catalogue. */
  readonly publisher?: string;
  readonly publisherUrl?: string;
  /** The e-mail address for questions about the data here. */
  readonly contact?: string;
  /** Whether everything needs a key, so that search engines are to stay away. */
  readonly isKeyed?: true;
};

/** The settings of the environment that say so; a deployment's options have the same names. */
export type PublicationSettings = Readonly<
  Partial<Record<(typeof PUBLICATION_SETTINGS)[number], string | undefined>>
>;

export const PUBLICATION_SETTINGS = [
  'PUBLIC_URL',
  'PUBLISHER',
  'PUBLISHER_URL',
  'PUBLISHER_EMAIL',
] as const;

/** Reads the settings; blank ones count as absent. Throws an Error of one line if one is not valid. */
export function publicationOf(settings: PublicationSettings): Publication {
  const given = (name: keyof PublicationSettings) => settings[name]?.trim() || undefined;
  const checked = (name: keyof PublicationSettings, read: ReadSetting, expected: string) => {
    const text = given(name);
    if (text === undefined) return undefined;
    const value = read(text);
    if (value !== undefined) return value;
    throw new Error(`${name} is ${JSON.stringify(text)}; expected ${expected}.`);
  };
  const address = checked('PUBLIC_URL', readPublicUrl, PUBLIC_URL_FORM);
  const publisher = given('PUBLISHER');
  const publisherUrl = checked('PUBLISHER_URL', readWebAddress, WEB_ADDRESS_FORM);
  const contact = checked('PUBLISHER_EMAIL', readEmail, EMAIL_FORM);
  return {
    address: address === undefined ? undefined : () => address,
    publisher,
    publisherUrl,
    contact,
  };
}

/** A mark that differs where portals are told something else; blank if nothing is set. */
export function markOf({ address, ...said }: Publication = {}): string {
  const all = JSON.stringify([address?.(), said]);
  return all === '[null,{}]' ? '' : `-${sha256(all, 'hex').slice(0, 8)}`;
}

type ReadSetting = (text: string) => string | undefined;

export const PUBLIC_URL_FORM = 'an address such as https://data.example.org, without a query';

/** The address with a slash at its end; undefined if it is not an address of a service. */
export function readPublicUrl(text: string): string | undefined {
  const address = readWebAddress(text);
  if (address === undefined || /[?#]/.test(address)) return undefined;
  return address.endsWith('/') ? address : `${address}/`;
}

export const WEB_ADDRESS_FORM = 'an address such as https://example.org';

export function readWebAddress(text: string): string | undefined {
  const url = parseUrl(text);
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username === '';
  return isPlain ? url.href : undefined;
}

export const EMAIL_FORM = 'an e-mail address';

export function readEmail(text: string): string | undefined {
  return /^[^\s@<>"]+@[^\s@<>".]+(?:\.[^\s@<>".]+)+$/.test(text) ? text : undefined;
}

/** The addresses of a block's documents, each absolute. */
export function addressesOf(root: string, block: string) {
  const page = `${root}api_v2/blocks/${block}`;
  return {
    page,
    openapi: `${page}/openapi.json`,
    croissant: `${page}/${CROISSANT}`,
    dataPackage: `${page}/datapackage.json`,
    /** All rows in a format, as an answer. */
    answer: (format: string) => `${page}?_format=${format}${format === 'csv' ? '&_raw=true' : ''}`,
    /** The same as a file that programs open in place. */
    file: (extension: string) => `${page}.${extension}`,
  };
}

/** The file of a dataset's description in Croissant, below its block's address. */
export const CROISSANT = 'croissant.json';
