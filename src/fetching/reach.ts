import { parseUrl } from '../values/link.ts';
import { FetchError, SAVE_IT, shownAddress } from './fetch-error.ts';
import { isPublicAddress, isPublicOrOwnAddress } from './public-address.ts';

/** Where a fetch may go: each redirect's target is held to it too. */
export type Reach = {
  readonly protocols: readonly string[];
  /** Whether ports other than the protocol's own are taken. */
  readonly anyPort: boolean;
  readonly takesAddress: (address: string) => boolean;
};

/** https on port 443 of the public internet. */
export const PUBLIC_REACH: Reach = {
  protocols: ['https:'],
  anyPort: false,
  takesAddress: isPublicAddress,
};

/** Also http, other ports and private addresses: only for who asked for their own network. */
export const OWN_NETWORK_REACH: Reach = {
  protocols: ['https:', 'http:'],
  anyPort: true,
  takesAddress: isPublicOrOwnAddress,
};

/** Throws a FetchError if an address is not to be asked, whatever its host's addresses. */
export function checkUrl(url: URL, reach: Reach, place = shownAddress(url)): void {
  const { protocol, username, password, port } = url;
  const bad = (reason: string) => new FetchError('bad-address', place, reason);
  if (!reach.protocols.includes(protocol)) {
    throw bad(
      protocol === 'http:'
        ? 'http is not encrypted; try the same address with https'
        : `${protocol} is not fetched; expected an address that begins with https://`,
    );
  }
  if (username !== '' || password !== '') {
    throw bad(`an address with a user or password in it is not fetched; ${SAVE_IT}`);
  }
  if (port !== '' && !reach.anyPort) {
    throw bad(`port ${port} is not fetched from, only https's own, 443; ${SAVE_IT}`);
  }
}

/** Reads an address that a person gave, or throws a FetchError. */
export function readUrl(text: string): URL {
  const url = parseUrl(text);
  if (url !== undefined) return url;
  // Not shown if it may hold a password.
  const shown = text.includes('@') ? 'the address' : JSON.stringify(text.slice(0, 100));
  throw new FetchError(
    'bad-address',
    shown,
    'not an address; expected one such as https://data.example.org/file.csv',
  );
}
