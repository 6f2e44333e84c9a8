import type { HttpBindings } from '@hono/node-server';

/**
 * Whether a request that came in over a loopback address asks for a host of another name: a page
 * whose name was made to point at this machine (DNS rebinding). No Host is no browser's.
 */
export function isRebound(host: string | undefined, env: unknown): boolean {
  if (host === undefined) return false;
  const { incoming } = env as Partial<HttpBindings>;
  const arrivedAt = incoming?.socket.localAddress ?? '';
  if (!/^(?:::ffff:)?127\.|^::1$/.test(arrivedAt)) return false;
  const address = `http://${host}`;
  const hostname = URL.canParse(address) ? new URL(address).hostname : '';
  return !/^(?:(?:.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
