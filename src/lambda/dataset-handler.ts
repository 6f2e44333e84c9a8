import { readFileSync } from 'node:fs';
import { checkedDatasetBlock } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import { ColumnCache, DEFAULT_CACHE_BYTES } from '../columns/column-cache.ts';
import { datasetStore } from '../dynamodb/dataset-store.ts';
import { ReadClient } from '../dynamodb/read-client.ts';
import { serveDataset } from '../http/serve-dataset.ts';
import { once } from '../work/once.ts';
import type { LambdaHandler } from './api-gateway-handler.ts';
import { awsSettings } from './aws-settings.ts';
import { bucketFiles } from './bucket-files.ts';
import { type LambdaEnv, required } from './function-settings.ts';
import { lambdaHandler } from './lambda-handler.ts';
import { lambdaSettings } from './lambda-settings.ts';

/**
 * A data block as a Lambda function. The environment names its table (`TABLE_NAME`) and, by paths
 * relative to the handler's module `here`, the files of the build: the manifest (`DATASET_MANIFEST`),
 * for pages and maps the profile (`DATASET_PROFILE`) and the regions' shapes (`BOUNDARIES`), and the
 * files (`FILES`) that are in the bucket `FILES_BUCKET`. The declaration is `block.json`, or what `BLOCK` names.
 */
export function datasetHandler(
  here: string,
  env: LambdaEnv,
  settings = lambdaSettings(env),
): LambdaHandler {
  // biome-ignore lint/suspicious/noExplicitAny: the build wrote the file, so its form is known
  const read = (file: string): any => JSON.parse(readFileSync(new URL(file, here), 'utf8'));
  const { BLOCK = './block.json', DYNAMODB_ENDPOINT: endpoint } = env;
  const block = checkedDatasetBlock(read(BLOCK));
  const name = required(env, 'TABLE_NAME');
  const manifest: Manifest = read(required(env, 'DATASET_MANIFEST'));
  const client = new ReadClient(endpoint === undefined ? awsSettings() : { endpoint });
  const cache = new ColumnCache(Number(env.COLUMN_CACHE_BYTES ?? DEFAULT_CACHE_BYTES));
  const store = datasetStore({ client, name, block, manifest }, cache);
  // Each is read at the first request that needs it.
  const { DATASET_PROFILE: profile, BOUNDARIES: boundaries } = env;
  const { FILES: placed, FILES_BUCKET: bucket } = env;
  const more = {
    profile: profile === undefined ? undefined : once(() => read(profile)),
    boundaries: boundaries === undefined ? undefined : once(() => read(boundaries)),
    files:
      placed === undefined || bucket === undefined
        ? undefined
        : bucketFiles(bucket, read(placed), settings.inOnePiece === true),
  };
  return lambdaHandler(serveDataset({ block, manifest, store }, more), env, settings);
}
