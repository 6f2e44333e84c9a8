import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkExamples } from '../arguments/check-examples.ts';
import { buildAssets } from '../assets/build-assets.ts';
import { CHANNELS, type Channel } from '../channels/channels.ts';
import { OPENAPI_PATH, OPENAPI_TYPE, openapiText } from '../channels/openapi/openapi-document.ts';
import type { Catalog } from '../http/catalog-routes.ts';
import { loadBlocks } from '../import/load-blocks.ts';
import { ownFile } from '../import/own-code.ts';
import { withinBounds } from '../portals/block-index.ts';
import { recordOf } from '../portals/record.ts';
import { Scheduler } from '../work/scheduler.ts';
import { fewAtOnce } from '../work/waiting.ts';
import {
  type BuildFolders,
  type BuiltBlock,
  buildBlock,
  bundleSource,
  type HandlerSource,
} from './build-block.ts';
import { type BuiltFiles, listedFiles } from './build-files.ts';
import {
  BUCKET,
  bundleEarth,
  bundleHandlers,
  bundlePages,
  bundleWriters,
  copyBundle,
  SECRETS,
} from './bundle-handler.ts';

/** Everything that a stack deploys: folders of code and files of items on this machine. */
export type BuiltService = {
  readonly blocks: readonly BuiltBlock[];
  readonly catalog: string;
  readonly keyAuthorizer: string;
  readonly drain: string;
  /** Checks each block's new version. */
  readonly check: string;
  readonly channels: readonly BuiltChannel[];
};

/** A channel to all blocks, and the folder of its code. */
export type BuiltChannel = Pick<Channel, 'name' | 'path' | 'description' | 'secret'> & {
  readonly code: string;
};

/** Reads the blocks' folders and builds all of them again; a corrupt seed file stops the build. */
export async function buildService(folders: BuildFolders): Promise<BuiltService> {
  const { root, out } = folders;
  const loaded = await loadBlocks(path.join(folders.blocks, 'functions'));
  for (const { block } of loaded) checkExamples(block);
  await rm(out, { recursive: true, force: true });
  const bundles = new Map<string, Promise<string>>();
  // Of each source once: data blocks without a handler have the same. By itself: no block changes
  // another's bytes.
  const bundleOf = (source: HandlerSource) => {
    const { entry } = source;
    const folder = path.join(out, `~handler-${bundles.size}`);
    const bundle = bundles.get(entry) ?? bundleSource(source, root, folder);
    bundles.set(entry, bundle);
    return bundle;
  };
  const blocks = await fewAtOnce(loaded, BUILT_AT_ONCE, (one) =>
    buildBlock(one, folders, bundleOf),
  );
  const later = path.join(out, '~later');
  const catalogPages = await bundlePages('catalog', root, later);
  const ofDatasets = [
    await bundlePages('dataset', root, later),
    await bundleEarth(root, later),
    ...(await bundleWriters(root, later)),
  ];
  const ofValues = [await bundlePages('value', root, later)];
  // No block's name begins with `~`.
  const folderOf = (name: string) => path.join(out, `~${name}`);
  const own = ['catalog', 'check', 'key-authorizer', 'drain', ...CHANNELS.map(({ name }) => name)];
  await bundleHandlers({
    entries: {
      ...Object.fromEntries(own.map((name) => [`~${name}/index`, ownFile(`lambda/${name}.ts`)])),
      [`~secrets/${path.parse(SECRETS).name}`]: ownFile('src/lambda/fetch-secret.ts'),
      [`~bucket/${path.parse(BUCKET).name}`]: ownFile('src/lambda/read-bucket.ts'),
    },
    folder: out,
    root,
  });
  ofDatasets.push(path.join(out, '~bucket', BUCKET));
  const catalog = folderOf('catalog');
  const served: Catalog = {
    blocks: blocks.map(({ listed }) => listed),
    records: blocks.map(({ block, manifest, files }) =>
      recordOf(block, manifest, files && listedFiles(files)),
    ),
    files: {
      ...(await buildAssets(root)),
      [OPENAPI_PATH]: { type: OPENAPI_TYPE, text: await openapiText(blocks, new Scheduler()) },
    },
    endings: Object.fromEntries(
      blocks.flatMap(({ block, files }) =>
        files === undefined ? [] : [block.id, block.name].map((one) => [one, endingsOf(files)]),
      ),
    ),
  };
  await writeFile(path.join(catalog, 'catalog.json'), JSON.stringify(served));
  const texts = withinBounds(blocks.map((block) => block.texts));
  await writeFile(path.join(catalog, 'texts.json'), JSON.stringify(texts));
  await copyBundle(catalogPages, catalog);
  for (const { code, manifest } of blocks) {
    const beside = manifest === undefined ? ofValues : ofDatasets;
    for (const bundle of [catalogPages, ...beside]) await copyBundle(bundle, code);
  }
  const check = folderOf('check');
  const expected = Object.fromEntries(blocks.map(({ block, expected }) => [block.name, expected]));
  await writeFile(path.join(check, 'checks.json'), JSON.stringify(expected));
  const channels: BuiltChannel[] = [];
  for (const { knownOf, routes: _, ...channel } of CHANNELS) {
    const code = folderOf(channel.name);
    await writeFile(path.join(code, BLOCKS), JSON.stringify(blocks.map(knownOf)));
    if (channel.secret !== undefined) await copyBundle(path.join(out, '~secrets', SECRETS), code);
    channels.push({ ...channel, code });
  }
  return {
    blocks,
    catalog,
    keyAuthorizer: folderOf('key-authorizer'),
    drain: folderOf('drain'),
    check,
    channels,
  };
}

/** The ends of the addresses of all files, also of those that are refused because they are long. */
function endingsOf({ files, tooLong }: BuiltFiles): string[] {
  return [...files.map(({ extension }) => extension), ...Object.keys(tooLong)];
}

/** Blocks built at once. A dataset's rows are in memory while it is built. */
const BUILT_AT_ONCE = 4;

/** The file that describes all blocks to a channel. */
const BLOCKS = 'blocks.json';
