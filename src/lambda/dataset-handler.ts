import { readFileSync } from 'node:fs';
import type { DatasetBlock } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import { ColumnCache, DEFAULT_CACHE_BYTES } from '../columns/column-cache.ts';
import { datasetStore } from '../dynamodb/dataset-store.ts';
import { ReadClient } from '../dynamodb/read-client.ts';
import { serveDataset } from '../http/serve-dataset.ts';
import { once } from '../work/once.ts';
import type { LambdaHandler } from './api-gateway-handler.ts';
import { awsSettings } from './aws-settings.ts';
import { lambdaHandler } from './lambda-handler.ts';
import { type LambdaEnv, lambdaSettings } from './lambda-settings.ts';

/**
 * A dataset block as a Lambda function. The environment names its table (`TABLE_NAME`) and, by
 * paths relative to this module, the importer's files: the manifest (`DATASET_MANIFEST`), and for
 * pages and maps the profile (`DATASET_PROFILE`) and the regions' shapes (`BOUNDARIES`).
 */
export function datasetHandler(
  block: DatasetBlock,
  env: LambdaEnv,
  settings = lambdaSettings(env),
): LambdaHandler {
  const { TABLE_NAME: name, DATASET_MANIFEST: manifestFile, DYNAMODB_ENDPOINT: endpoint } = env;
  if (name === undefined || manifestFile === undefined) {
    throw new Error('TABLE_NAME and DATASET_MANIFEST must be set.');
  }
  const manifest: Manifest = readJson(manifestFile);
  const client = new ReadClient(endpoint === undefined ? awsSettings() : { endpoint });
  const cache = new ColumnCache(Number(env.COLUMN_CACHE_BYTES ?? DEFAULT_CACHE_BYTES));
  const store = datasetStore({ client, name, block, manifest }, cache);
  return lambdaHandler(serveDataset({ block, manifest, store }, filesOf(env)), env, settings);
}

/** The files that pages and maps need, each read at the first request that needs it. */
function filesOf({ DATASET_PROFILE, BOUNDARIES }: LambdaEnv) {
  return {
    ...(DATASET_PROFILE === undefined ? {} : { profile: once(() => readJson(DATASET_PROFILE)) }),
    ...(BOUNDARIES === undefined ? {} : { boundaries: once(() => readJson(BOUNDARIES)) }),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the build wrote the file, so its form is known
function readJson(file: string): any {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
}
