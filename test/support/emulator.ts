import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

/** It has no types. */
const dynalite = createRequire(import.meta.url)('dynalite');

export type Emulator = { readonly endpoint: string; stop(): Promise<void> };

/** A DynamoDB that is not a server's own: it takes requests of anybody, with any keys. */
export async function startEmulator(): Promise<Emulator> {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
