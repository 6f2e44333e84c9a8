import os from 'node:os';
import { type AllowOrigin, readOrigins } from '../http/allow-origin.ts';

/** Who may ask a service that runs on somebody's own machine. */
export type LocalAccess = {
  /** Whether a request asks for a host that is not this machine, by where it came to. */
  readonly isForeignHost: (host: string | undefined, arrivedAt: string | undefined) => boolean;
  readonly allowOrigin: AllowOrigin;
};

/**
 * By default requests for this machine's own names alone, and only its own pages may read answers:
 * else any page in a browser here could read what is served for one person (by CORS, or by a name
 * of its own that points here: DNS rebinding). `host` is the
 * name that is listened on; the other texts are those of `ALLOW_HOST` and `ALLOW_ORIGIN`. Throws an Error of one line for what they cannot be.
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
  // From another machine, by an address: no name was needed, so that none can be made to point here.
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
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, origin: written } = new URL(origin);
  return written === origin && /^https?:$/.test(protocol) && isLoopback(hostname);
}

/** A Host without its port and a last dot, in lower case; undefined where it is none. */
function hostnameOf(host: string): string | undefined {
  const address = `http://${host}`;
  if (!URL.canParse(address)) return undefined;
  const { hostname, href } = new URL(address);
  // Else it held more than a host.
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
