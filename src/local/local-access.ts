import { BlockList, isIP } from 'node:net';
import os from 'node:os';
import { type AllowOrigin, readFrames, readOrigins } from '../http/allow-origin.ts';
import { parseUrl } from '../text/path.ts';

/** Who may ask a service that runs on somebody's own machine. */
export type LocalAccess = {
  /** Whether the host asked for is not this machine, given the local address it came to. */
  readonly isForeignHost: (host: string | undefined, arrivedAt: string | undefined) => boolean;
  readonly allowOrigin: AllowOrigin;
  readonly frameAncestors: string;
  /** Whether what a request from this address says in its X-Forwarded headers is believed. */
  readonly isTrustedProxy: (address: string | undefined) => boolean;
};

/**
 * By default only requests for this machine's own names are answered, only its own pages may read
 * answers or embed pages, and no proxy is believed. Otherwise any page in a browser here could read
 * data that are served for one person (by CORS, or by DNS rebinding: a name of its own that points
 * here). `host` is the name that the server listens on; the other texts are `ALLOW_HOST`,
 * `ALLOW_ORIGIN`, `ALLOW_FRAMES` and `TRUST_PROXY`. Throws an Error of one line if they are not
 * valid.
 */
export function localAccess({
  host = '',
  allowHost = '',
  allowOrigin = '',
  allowFrames = '',
  trustProxy = '',
}: {
  readonly host?: string;
  readonly allowHost?: string;
  readonly allowOrigin?: string;
  readonly allowFrames?: string;
  readonly trustProxy?: string;
} = {}): LocalAccess {
  const hosts = [host.toLowerCase(), ...hostsIn(allowHost)];
  const origins = originsIn(allowOrigin);
  const proxies = proxiesIn(trustProxy);
  return {
    isForeignHost: (asked, arrivedAt = '') =>
      asked !== undefined && !isOurs(asked, arrivedAt, hosts),
    allowOrigin: origins === '*' ? '*' : (origin) => isOwnPage(origin) || origins(origin),
    frameAncestors: framesIn(allowFrames),
    isTrustedProxy: (address = '') => {
      const family = isIP(address);
      return family !== 0 && proxies.check(address, family === 6 ? 'ipv6' : 'ipv4');
    },
  };
}

function isOurs(host: string, arrivedAt: string, hosts: readonly string[]): boolean {
  const name = hostnameOf(host);
  if (name === undefined) return false;
  if (hosts.includes('*') || hosts.includes(name) || isLoopback(name) || isOwnName(name))
    return true;
  // A request from another machine by IP address has no name that DNS rebinding could misuse.
  return !/^(?:::ffff:)?127\.|^::1$/.test(arrivedAt) && isAddress(name);
}

function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

function isAddress(hostname: string): boolean {
  return /^(?:\d+\.\d+\.\d+\.\d+|\[.*\])$/.test(hostname);
}

function isOwnName(hostname: string): boolean {
  const own = os.hostname().toLowerCase();
  return hostname === own || hostname === `${own}.local`;
}

function isOwnPage(origin: string): boolean {
  const url = parseUrl(origin);
  if (url === undefined) return false;
  const { protocol, hostname, origin: written } = url;
  return written === origin && /^https?:$/.test(protocol) && isLoopback(hostname);
}

/** A Host header's name in lower case, without port or trailing dot; undefined if not valid. */
function hostnameOf(host: string): string | undefined {
  const url = parseUrl(`http://${host}`);
  if (url === undefined) return undefined;
  const { hostname, href } = url;
  // Anything else means that the text held more than a host.
  return /^http:\/\/[^/@?#]+\/$/.test(href) ? hostname.replace(/\.$/, '') : undefined;
}

function hostsIn(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .filter((host) => host !== '')
    .map((host) => {
      const name = host === '*' ? host : hostnameOf(host);
      if (name !== undefined) return name;
      throw new Error(
        `ALLOW_HOST has ${JSON.stringify(host)}; expected names such as data.example.org, with commas between, or *.`,
      );
    });
}

function originsIn(text: string): AllowOrigin {
  if (text.trim() === '') return () => false;
  const origins = readOrigins(text);
  if (origins !== undefined) return origins;
  throw new Error(
    `ALLOW_ORIGIN is ${JSON.stringify(text)}; expected origins such as https://data.example.org, with commas between, or * alone.`,
  );
}

const OWN_FRAMES = "'self' http://localhost:* http://127.0.0.1:*";

function framesIn(text: string): string {
  if (text.trim() === '') return OWN_FRAMES;
  const frames = readFrames(text.trim(), OWN_FRAMES);
  if (frames !== undefined) return frames;
  throw new Error(
    `ALLOW_FRAMES is ${JSON.stringify(text)}; expected origins such as https://data.example.org, with commas between, * alone, or none.`,
  );
}

function proxiesIn(text: string): BlockList {
  const proxies = new BlockList();
  for (const proxy of text.split(/[\s,]+/).filter((one) => one !== '')) {
    const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(proxy) ?? [];
    const family = isIP(address);
    if (family === 0 || Number(bits ?? 0) > (family === 6 ? 128 : 32)) {
      throw new Error(
        `TRUST_PROXY has ${JSON.stringify(proxy)}; expected IP addresses such as 127.0.0.1 or 10.0.0.0/8, with commas between.`,
      );
    }
    const type = family === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) proxies.addAddress(address, type);
    else proxies.addSubnet(address, Number(bits), type);
  }
  return proxies;
}
