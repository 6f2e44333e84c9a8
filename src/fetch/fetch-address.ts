import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { parseUrl } from '../text/path.ts';
import { withinSignal } from '../work/waiting.ts';

/** The addresses that DNS gives for a host. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Asks DNS in the way of this machine's other programs. */
export const resolveHost: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** A URL's host without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/**
 * Returns the addresses of a URL's host. Throws a FetchError if any of them is out of reach: a
 * private address among a name's public ones is a mistake or an attack.
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

/** Where a fetch may go. Each redirect's target must comply too. */
export type Reach = {
  readonly protocols: readonly string[];
  /** Whether ports other than the protocol's default are allowed. */
  readonly anyPort: boolean;
  readonly takesAddress: (address: string) => boolean;
};

/** https on port 443 of the public internet. */
export const PUBLIC_REACH: Reach = {
  protocols: ['https:'],
  anyPort: false,
  takesAddress: isPublicAddress,
};

/** Throws a FetchError if a URL must not be asked, whatever addresses its host has. */
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

/** Parses an address that a person gave. Throws a FetchError if it is no URL. */
export function readUrl(text: string): URL {
  const url = parseUrl(text);
  if (url !== undefined) return url;
  // The address is not shown if it may hold a password.
  const shown = text.includes('@') ? 'the address' : JSON.stringify(text.slice(0, 100));
  throw new FetchError(
    'bad-address',
    shown,
    'not an address; expected one such as https://data.example.org/file.csv',
  );
}

/**
 * IANA's registry of special-purpose IPv4 addresses, multicast, and an address at which Azure
 * answers its own machines
 * (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16). The list
 * includes special addresses that are reachable worldwide, because no website uses them.
 */
const SPECIAL_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24'],
  ...['192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32'],
];

/** Special-purpose IPv6 addresses within `GLOBAL_IPV6`. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

/** The IPv6 addresses that IANA has given out for the internet. */
const GLOBAL_IPV6 = '2000::/3';

/** An IPv6-only network writes an IPv4 address after this prefix (RFC 6052). */
const NAT64 = '64:ff9b::';

const special = {
  4: blockList(SPECIAL_IPV4),
  6: blockList([...SPECIAL_IPV6, ...SPECIAL_IPV4.map(asNat64)]),
};
const global = { 4: blockList(['0.0.0.0/0']), 6: blockList([GLOBAL_IPV6, asNat64('0.0.0.0/0')]) };

/** Whether an address, as DNS or a URL's host writes it, is on the public internet. */
export function isPublicAddress(address: string): boolean {
  return isIn(global, address) && !isIn(special, address);
}

// One list for each version: a single list would find `::ffff:10.0.0.1` among IPv4's ranges.
function isIn(lists: { readonly 4: BlockList; readonly 6: BlockList }, address: string): boolean {
  const version = isIP(address);
  // An address with a zone (`%eth0`) belongs to this machine's own links.
  if ((version !== 4 && version !== 6) || address.includes('%')) return false;
  return lists[version].check(address, version === 4 ? 'ipv4' : 'ipv6');
}

function asNat64(range: string): string {
  const [address, bits] = range.split('/');
  return `${NAT64}${address}/${96 + Number(bits)}`;
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** Says to programs what is wrong. */
type FetchErrorCode =
  | 'bad-address'
  | 'not-public'
  | 'no-such-host'
  | 'no-connection'
  | 'bad-certificate'
  | 'too-slow'
  | 'too-large'
  | 'too-many-redirects'
  | 'refused'
  | 'bad-answer'
  | 'broken-off';

/** An error of a fetch. Its message says in one line what is wrong, where, and the likely fix. */
export class FetchError extends Error {
  readonly code: FetchErrorCode;

  constructor(code: FetchErrorCode, place: string, reason: string, cause?: unknown) {
    super(`${place}: ${reason}`, cause === undefined ? {} : { cause });
    this.code = code;
  }
}

/** The fix where a browser may get more than we do, by cookies, a login or a proxy. */
export const SAVE_IT = 'save the file with a browser and give that file';

/** Characters of an address that errors show. */
const MOST_SHOWN = 200;

/** An address as errors show it: without user and query, because these may hold secrets. */
export function shownAddress({ protocol, host, pathname }: URL): string {
  const address = `${protocol}//${host}${pathname}`;
  return address.length > MOST_SHOWN ? `${address.slice(0, MOST_SHOWN)}…` : address;
}

type Failure = readonly [FetchErrorCode, reason: string];

const LOOK_UP = 'check the name, and that this machine is online';
const TELL = 'tell who runs the server';
const UNKNOWN_ISSUER: Failure = [
  'bad-certificate',
  "no authority known here has signed the server's certificate, or the server leaves out one " +
    "between; one's own authority goes into NODE_EXTRA_CA_CERTS",
];

/**
 * Failures by the codes of node:dns, node:net, node:tls (OpenSSL's X509_V_ERR_…), node:http and
 * node:zlib.
 */
const FAILURES: Readonly<Record<string, Failure>> = {
  ENOTFOUND: ['no-such-host', `there is no host of this name; ${LOOK_UP}`],
  EAI_AGAIN: ['no-such-host', `the host's name cannot be looked up now; ${LOOK_UP}`],
  ECONNREFUSED: ['no-connection', 'the host takes no connection; try again later'],
  ETIMEDOUT: ['no-connection', 'the host does not answer; try again later'],
  ECONNRESET: ['broken-off', 'the connection broke off; try again'],
  Z_BUF_ERROR: ['broken-off', 'the gzip data end too early; try again'],
  CERT_HAS_EXPIRED: ['bad-certificate', `the server's certificate has expired; ${TELL}`],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'bad-certificate',
    `the server's certificate is for another name; check the name, or ${TELL}`,
  ],
  CERT_NOT_YET_VALID: [
    'bad-certificate',
    "the server's certificate is not valid yet; check this machine's clock",
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_ISSUER,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
  HPE_HEADER_OVERFLOW: ['bad-answer', `the answer's headers are too long; ${SAVE_IT}`],
};

/** Turns a failure of Node's network code into a FetchError. Returns any other error as it is. */
export function networkFailure(error: unknown, place: string): unknown {
  if (error instanceof FetchError) return error;
  const code = (error as { code?: unknown } | undefined)?.code;
  if (typeof code !== 'string') return error;
  const [kind, reason] = FAILURES[code] ?? failureLike(code);
  return new FetchError(kind, place, reason, error);
}

function failureLike(code: string): Failure {
  if (/^HPE_/.test(code)) return ['bad-answer', `what answers does not speak HTTP (${code})`];
  if (/^Z_/.test(code)) return ['bad-answer', `the answer is not gzip, as it says (${code})`];
  if (/^(?:CERT_|CRL_|HOSTNAME_|INVALID_CA$|UNABLE_TO_)/.test(code)) {
    return ['bad-certificate', `the server's certificate is not valid (${code}); ${TELL}`];
  }
  if (/^(?:EPROTO$|ERR_SSL_|ERR_TLS_)/.test(code)) {
    return ['bad-answer', `no encrypted connection can be made (${code}); ${SAVE_IT}`];
  }
  return ['no-connection', `the connection failed (${code}); try again later`];
}
