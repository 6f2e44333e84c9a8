import os from 'node:os';
import { type AllowOrigin, readOrigins } from '../http/allow-origin.ts';
import { parseUrl } from '../text/parse-url.ts';

/** Who may ask a service that runs on somebody's own machine. */
export type LocalAccess = {
  /** Whether the host asked for is not this machine, given the local address it came to. */
  readonly isForeignHost: (host: string | undefined, arrivedAt: string | undefined) => boolean;
  readonly allowOrigin: AllowOrigin;
};

/**
 * By default only requests for this machine's own names are answered, and only its own pages may
 * read answers. Otherwise any page in a browser here could read data that are served for one person
 * (by CORS, or by DNS rebinding: a name of its own that points here). `host` is the name that the
 * server listens on; the other texts are `ALLOW_HOST` and `ALLOW_ORIGIN`. Throws an Error of one
 * line if they are not valid.
 */
export function localAccess({
  host = '',
  allowHost = '',
  allowOrigin = '',
}: {
  readonly host?: string;
  readonly allowHost?: string;
  readonly allowOrigin?: string;
} = {}): LocalAccess {
  const hosts = [host.toLowerCase(), ...hostsIn(allowHost)];
  const origins = originsIn(allowOrigin);
  return {
    isForeignHost: (asked, arrivedAt = '') =>
      asked !== undefined && !isOurs(asked, arrivedAt, hosts),
    allowOrigin: origins === '*' ? '*' : (origin) => isOwnPage(origin) || origins(origin),
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
