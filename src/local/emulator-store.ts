import type { ColumnCache } from '../columns/column-cache.ts';
import { checkEndpoint, createClient, seedTable, tableName } from '../dynamodb/client.ts';
import { datasetStore } from '../dynamodb/dataset-store.ts';
import { ReadClient } from '../dynamodb/read-client.ts';
import type { VersionStore } from './version-store.ts';

/**
 * Versions as tables of an emulator of DynamoDB, written and read as a deployment's are. Others may
 * use the emulator too, so tables of other versions stay.
 */
export async function emulatorStore(endpoint: string, cache: ColumnCache): Promise<VersionStore> {
  const client = createClient({ endpoint });
  const reader = new ReadClient({ endpoint });
  await checkEndpoint(client, endpoint);
  return {
    open: async ({ block }, make) => {
      const imported = await make();
      const { manifest } = imported;
      const outcome = await seedTable(client, imported);
      const table = { client: reader, name: tableName(manifest), block, manifest };
      return { version: imported, rows: datasetStore(table, cache), outcome };
    },
    close: async () => {
      client.destroy();
      reader.destroy();
    },
  };
}
