import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { withinSignal } from '../work/waiting.ts';
import { FetchError, SAVE_IT } from './fetch-error.ts';
import type { Reach } from './reach.ts';

/** A host's addresses, as DNS answers. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Asks DNS as other programs of this machine do. */
export const resolveHost: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** A URL's host without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/**
 * The addresses of a URL's host. Throws a FetchError if one of them is out of reach: a name with a
 * private address among its public ones is a mistake or an attack.
 */
export async function checkedAddresses(
  url: URL,
  reach: Reach,
  resolve: Resolve,
  place: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const host = hostOf(url);
  const addresses = isIP(host) === 0 ? await withinSignal(resolve(host), signal) : [host];
  if (addresses.length === 0) {
    throw new FetchError('no-such-host', place, 'the host has no address; check its spelling');
  }
  const refused = addresses.find((address) => !reach.takesAddress(address));
  if (refused !== undefined) {
    const where = refused === host ? '' : ` (${host} is at ${JSON.stringify(refused)})`;
    throw new FetchError(
      'not-public',
      place,
      `not an address of the public internet${where}; ${SAVE_IT}`,
    );
  }
  return addresses;
}
