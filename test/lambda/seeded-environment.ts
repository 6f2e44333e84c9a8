import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { seedTable, tableName } from '../../src/dynamodb/client.ts';
import type { LoadedDataset } from '../../src/import/load-blocks.ts';
import { importDataset } from '../support/datasets.ts';
import { ROOT } from '../support/service.ts';

/** Does for a dataset what a deploy does, and gives its function's environment. */
export async function seededEnvironment(
  { block, declared, dataset }: LoadedDataset,
  client: DynamoDBClient,
  folder: string,
): Promise<Record<string, string>> {
  const imported = await importDataset(block, dataset, path.join(ROOT, 'seed-data'));
  const { manifest } = imported;
  await seedTable(client, imported);
  const file = path.join(folder, `${block.name}.json`);
  await writeFile(file, JSON.stringify(manifest));
  const blockFile = path.join(folder, `${block.name}.block.json`);
  await writeFile(blockFile, JSON.stringify(declared));
  return { TABLE_NAME: tableName(manifest), DATASET_MANIFEST: file, BLOCK: blockFile };
}
