import { BlockList, isIP } from 'node:net';

/**
 * IANA's registry of special-purpose IPv4 addresses, multicast, and an address at which Azure
 * answers its own machines (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16).
 * No website has any of them, so those that are reachable worldwide are listed too.
 */
const SPECIAL_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24'],
  ...['192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32'],
];

/** The same for IPv6, as far as it lies in `GLOBAL_IPV6`. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

/** All IPv6 addresses that IANA has given out for the internet. */
const GLOBAL_IPV6 = '2000::/3';

/** An IPv6-only network writes an IPv4 address behind this prefix (RFC 6052). */
const NAT64 = '64:ff9b::';

/** What networks of their own have: loopback, private use (RFC 1918, 6598, 4193). */
const OWN_IPV4 = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'];
const OWN_IPV6 = ['::1/128', 'fc00::/7'];

/** Where clouds tell a machine its own secrets, as far as that is in these. */
const METADATA_IPV4 = ['100.100.100.200/32'];
const METADATA_IPV6 = ['fd00:ec2::254/128', 'fd20:ce::254/128'];

const special = {
  4: blockList(SPECIAL_IPV4),
  6: blockList([...SPECIAL_IPV6, ...SPECIAL_IPV4.map(asNat64)]),
};
const global = { 4: blockList(['0.0.0.0/0']), 6: blockList([GLOBAL_IPV6, asNat64('0.0.0.0/0')]) };
const own = { 4: blockList(OWN_IPV4), 6: blockList(OWN_IPV6) };
const metadata = { 4: blockList(METADATA_IPV4), 6: blockList(METADATA_IPV6) };

/** Tells whether an address, as DNS or a URL's host has it, is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  return isIn(global, address) && !isIn(special, address);
}

/** Tells whether it is public or of a network of one's own, and tells no machine its secrets. */
export function isPublicOrOwnAddress(address: string): boolean {
  return isPublicAddress(address) || (isIn(own, address) && !isIn(metadata, address));
}

// A list for each version: one list for both would find `::ffff:10.0.0.1` among IPv4's ranges.
function isIn(lists: { readonly 4: BlockList; readonly 6: BlockList }, address: string): boolean {
  const version = isIP(address);
  // An address with a zone (`%eth0`) is of this machine's own links.
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
