import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SetName } from '../data/generated-set.ts';

/** The set that this process was started to serve. */
export function setToServe(): SetName {
  const [kind, size] = process.argv.slice(2);
  return { kind: kind as SetName['kind'], size: Number(size) };
}

/** Listens on this machine alone, tells the parent where, and ends with it. */
export function announce(server: Server): void {
  process.on('disconnect', () => process.exit());
  server.listen({ port: 0, host: '127.0.0.1', backlog: 2000 }, () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
}
