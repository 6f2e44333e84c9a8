import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

export type EmbeddedDynamodb = { readonly endpoint: string; stop(): Promise<void> };

/**
 * Starts a DynamoDB (dynalite) in this process, on 127.0.0.1, with its tables in memory. It answers
 * any program of this machine. Only a checkout has dynalite.
 */
export async function startEmbeddedDynamodb(): Promise<EmbeddedDynamodb> {
  const server = dynalite()({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function dynalite() {
  try {
    // It has no types.
    return createRequire(import.meta.url)('dynalite');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw cause;
    throw new Error(
      '--dynamodb is for a checkout of blockyard, which has an embedded DynamoDB; DYNAMODB_ENDPOINT takes the address of another.',
    );
  }
}
