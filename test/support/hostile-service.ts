import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { packedRows } from '../../src/columns/memory-rows.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { localServer } from '../../src/local/local-server.ts';
import { SETTINGS } from './ample.ts';
import { hostileBlock, hostileDataset } from './hostile-dataset.ts';

/** A server of the hostile dataset alone. */
export async function startHostile(): Promise<Server> {
  const store = packedRows(hostileBlock.fields, hostileDataset.columns);
  const served = serveDataset({ block: hostileBlock, manifest: hostileDataset.manifest, store });
  let address: string | undefined;
  const server = localServer([served], { ...SETTINGS, publication: { address: () => address } });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return server;
}
