import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isPublicAddress } from '../../src/fetch/fetch-address.ts';

// As IANA's registries list them: https://www.iana.org/assignments/iana-ipv4-special-registry,
// iana-ipv6-special-registry, and the multicast ranges of both.
const IPV4_SPECIAL = [
  ['0.0.0.0', 8, 'this network'],
  ['0.0.0.0', 32, 'this host on this network'],
  ['10.0.0.0', 8, 'private use'],
  ['100.64.0.0', 10, 'shared address space'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link local'],
  ['172.16.0.0', 12, 'private use'],
  ['192.0.0.0', 24, 'IETF protocol assignments'],
  ['192.0.0.0', 29, 'IPv4 service continuity'],
  ['192.0.0.8', 32, 'dummy address'],
  ['192.0.0.9', 32, 'port control protocol anycast'],
  ['192.0.0.10', 32, 'TURN anycast'],
  ['192.0.0.170', 32, 'NAT64 discovery'],
  ['192.0.0.171', 32, 'NAT64 discovery'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.31.196.0', 24, 'AS112-v4'],
  ['192.52.193.0', 24, 'AMT'],
  ['192.88.99.0', 24, '6to4 relay anycast'],
  ['192.168.0.0', 16, 'private use'],
  ['192.175.48.0', 24, 'direct delegation AS112'],
  ['198.18.0.0', 15, 'benchmarking'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
  ['255.255.255.255', 32, 'limited broadcast'],
] as const;

const IPV6_SPECIAL = [
  ['::1', 128, 'loopback'],
  ['::', 128, 'unspecified'],
  ['::', 96, 'IPv4-compatible'],
  ['::ffff:0:0', 96, 'IPv4-mapped'],
  ['64:ff9b:1::', 48, 'local NAT64'],
  ['100::', 64, 'discard only'],
  ['100:0:0:1::', 64, 'dummy prefix'],
  ['2001::', 23, 'IETF protocol assignments'],
  ['2001::', 32, 'Teredo'],
  ['2001:1::1', 128, 'port control protocol anycast'],
  ['2001:1::2', 128, 'TURN anycast'],
  ['2001:1::3', 128, 'DNS-SD registration anycast'],
  ['2001:2::', 48, 'benchmarking'],
  ['2001:3::', 32, 'AMT'],
  ['2001:4:112::', 48, 'AS112-v6'],
  ['2001:10::', 28, 'ORCHID'],
  ['2001:20::', 28, 'ORCHIDv2'],
  ['2001:30::', 28, 'drone remote id'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, '6to4'],
  ['2620:4f:8000::', 48, 'direct delegation AS112'],
  ['3fff::', 20, 'documentation'],
  ['5f00::', 16, 'segment routing'],
  ['fc00::', 7, 'unique local'],
  ['fe80::', 10, 'link local'],
  ['ff00::', 8, 'multicast'],
] as const;

type Range = readonly [address: string, bits: number, use: string];

const RUNS = { seed: 14, numRuns: 200 };
const MANY = { seed: 15, numRuns: 5_000 };

const parse4 = (text: string) =>
  text.split('.').reduce((value, part) => value * 256n + BigInt(part), 0n);

function parse6(text: string): bigint {
  const [head = '', tail] = text.split('::');
  const parts = (side: string) => side.split(':').filter((part) => part !== '');
  const [before, after] = [parts(head), parts(tail ?? '')];
  const zeros = tail === undefined ? [] : Array(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].reduce(
    (value, part) => value * 65536n + BigInt(`0x${part}`),
    0n,
  );
}

const show4 = (value: bigint) =>
  [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');

/** The eight groups; the URL parser then writes them in their one short form. */
const groups = (value: bigint) =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) =>
    ((value >> shift) & 0xffffn).toString(16),
  );

const SPELLINGS: readonly ((value: bigint) => string)[] = [
  (value) => groups(value).join(':'),
  (value) =>
    groups(value)
      .map((group) => group.padStart(4, '0').toUpperCase())
      .join(':'),
  (value) => new URL(`http://[${groups(value).join(':')}]/`).hostname.slice(1, -1),
  (value) => `${groups(value).slice(0, 6).join(':')}:${show4(value & 0xffffffffn)}`,
];

const within = (value: bigint, first: bigint, bits: number, all: number) =>
  value >> BigInt(all - bits) === first >> BigInt(all - bits);

const inRange4 = ([address, bits]: Range) =>
  fc.bigInt(0n, 2n ** BigInt(32 - bits) - 1n).map((offset) => show4(parse4(address) + offset));

const inRange6 = ([address, bits]: Range) =>
  fc
    .tuple(fc.bigInt(0n, 2n ** BigInt(128 - bits) - 1n), fc.constantFrom(...SPELLINGS))
    .map(([offset, spell]) => spell(parse6(address) + offset));

const ofIpv4 = fc.bigInt(0n, 2n ** 32n - 1n);
const isSpecial4 = (value: bigint) =>
  IPV4_SPECIAL.some(([address, bits]) => within(value, parse4(address), bits, 32)) ||
  show4(value) === '168.63.129.16';

describe('of IPv4', () => {
  test.each<Range>(IPV4_SPECIAL)('%s/%d (%s) is refused', (...range) => {
    fc.assert(
      fc.property(inRange4(range), (address) => !isPublicAddress(address)),
      RUNS,
    );
  });

  test('what is in no special range is taken, and nothing else', () => {
    fc.assert(
      fc.property(ofIpv4, (value) => isPublicAddress(show4(value)) === !isSpecial4(value)),
      MANY,
    );
  });

  test.each<Range>(IPV4_SPECIAL)('%s/%d ends where the registry says', (address, bits) => {
    const first = parse4(address);
    const end = first + 2n ** BigInt(32 - bits);
    for (const value of [first - 1n, first, end - 1n, end]) {
      if (value < 0n || value >= 2n ** 32n) continue;
      expect([show4(value), isPublicAddress(show4(value))]).toEqual([
        show4(value),
        !isSpecial4(value),
      ]);
    }
  });
});

describe('of IPv6', () => {
  test.each<Range>(IPV6_SPECIAL)('%s/%d (%s) is refused', (...range) => {
    fc.assert(
      fc.property(inRange6(range), (address) => !isPublicAddress(address)),
      RUNS,
    );
  });

  test('what is in no special range of 2000::/3 is taken', () => {
    const isSpecial = (value: bigint) =>
      IPV6_SPECIAL.some(([address, bits]) => within(value, parse6(address), bits, 128));
    fc.assert(
      fc.property(
        fc.bigInt(0n, 2n ** 125n - 1n),
        fc.constantFrom(...SPELLINGS),
        (offset, spell) => {
          const value = parse6('2000::') + offset;
          return isPublicAddress(spell(value)) === !isSpecial(value);
        },
      ),
      MANY,
    );
  });

  test.each<Range>(IPV6_SPECIAL)('%s/%d ends where the registry says', (address, bits) => {
    const end = parse6(address) + 2n ** BigInt(128 - bits);
    for (const value of [parse6(address) - 1n, parse6(address), end - 1n, end]) {
      if (value < 0n || value >= 2n ** 128n) continue;
      const isSpecial = IPV6_SPECIAL.some(([from, size]) => within(value, parse6(from), size, 128));
      const isGlobal = within(value, parse6('2000::'), 3, 128);
      const [spelled] = SPELLINGS.map((spell) => spell(value));
      expect([spelled, isPublicAddress(spelled as string)]).toEqual([
        spelled,
        isGlobal && !isSpecial,
      ]);
    }
  });

  test('what IANA has not given out is refused', () => {
    const rest = fc.bigInt(2n ** 126n, 2n ** 128n - 1n);
    fc.assert(
      fc.property(rest, (value) => !isPublicAddress(groups(value).join(':'))),
      RUNS,
    );
  });

  test('behind the prefix of NAT64, an address is what the IPv4 address in it is', () => {
    fc.assert(
      fc.property(ofIpv4, fc.constantFrom(...SPELLINGS), (value, spell) => {
        const address = spell(parse6('64:ff9b::') + value);
        return isPublicAddress(address) === isPublicAddress(show4(value));
      }),
      MANY,
    );
  });

  test.each(IPV4_SPECIAL)('%s/%d behind the prefix of NAT64 is refused', (...range) => {
    fc.assert(
      fc.property(inRange4(range), (address) => !isPublicAddress(`64:ff9b::${address}`)),
      RUNS,
    );
  });
});

test.each([
  ...['', 'localhost', '127.1', '0x7f.1', '2130706433', '1.2.3.4/8', ' 8.8.8.8', '8.8.8.8 '],
  ...['fe80::1%eth0', '2606:4700::1%eth0', '[2606:4700::1]', '::ffff:8.8.8.8', '::8.8.8.8'],
])('%j is no public address', (text) => {
  expect(isPublicAddress(text)).toBe(false);
});

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['172.31.255.255', false],
  ['192.168.1.1', false],
  ['100.64.0.1', false],
  ['::1', false],
  ['fd12:3456::1', false],
  ['169.254.169.254', false],
  ['fd00:ec2::254', false],
  ['fd20:ce::254', false],
  ['100.100.100.200', false],
  ['168.63.129.16', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['fe80::1', false],
  ['::ffff:10.0.0.1', false],
  ['64:ff9b::10.0.0.1', false],
])('%s is public: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});
