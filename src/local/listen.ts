import { type AddressInfo, createServer, type Server } from 'node:net';
import { CONNECTION_BOUNDS } from './connections.ts';

/** Where a server listens: a port or, if it is taken, one of so many after it. Port 0 is a free one. */
type HostAndPorts = { readonly host: string; readonly port: number; readonly others?: number };

const LAST_PORT = 65_535;

/** Listens; returns the port. Throws the error of the last port that was tried. */
export async function listen(
  server: Server,
  { host, port, others = 0 }: HostAndPorts,
): Promise<number> {
  for (let tried = port; ; tried++) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        // Node's own backlog of 511 would make those who come together try again after seconds.
        server.listen({ port: tried, host, backlog: CONNECTION_BOUNDS.connections }, () => {
          server.off('error', reject);
          resolve();
        });
      });
      return (server.address() as AddressInfo).port;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || tried >= Math.min(port + others, LAST_PORT)) throw error;
    }
  }
}

/** Throws unless there is a place to listen at now: before much is read, to be served there. */
export async function checkPlace(place: HostAndPorts): Promise<void> {
  const probe = createServer();
  await listen(probe, place);
  await new Promise((closed) => probe.close(closed));
}
