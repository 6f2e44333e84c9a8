import { copyFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildAssets } from '../assets/build-assets.ts';
import type { Catalog } from '../catalog/catalog-app.ts';
import { summariseBlock } from '../core/describe-block.ts';
import { loadBlocks } from '../importer/load-blocks.ts';
import { openapiFile } from '../openapi/openapi-document.ts';
import { type BuildFolders, type BuiltBlock, buildBlock } from './build-block.ts';
import { bundleHandler, bundlePages } from './bundle-handler.ts';

/** All that a stack deploys; folders of code and files of items, on this machine. */
export type BuiltService = {
  readonly blocks: readonly BuiltBlock[];
  readonly catalog: string;
  readonly keyAuthorizer: string;
  readonly settle: string;
};

/** Reads the blocks' folders and builds them anew; a corrupt seed file stops it. */
export async function buildService(folders: BuildFolders): Promise<BuiltService> {
  const { root, out } = folders;
  const loaded = await loadBlocks(path.join(root, 'functions'));
  await rm(out, { recursive: true, force: true });
  const blocks = await Promise.all(loaded.map((entry) => buildBlock(entry, folders)));
  const pages = await bundlePages(root, path.join(out, '~pages'));
  const bundleEntry = async (name: string) => {
    // No block's name begins so.
    const folder = path.join(out, `~${name}`);
    await bundleHandler({ entry: `bin/${name}-handler.ts`, folder, root });
    return folder;
  };
  const catalog = await bundleEntry('catalog');
  const served: Catalog = {
    blocks: blocks.map(({ block }) => summariseBlock(block)),
    files: { ...(await buildAssets(root)), ...openapiFile(blocks) },
  };
  await writeFile(path.join(catalog, 'catalog.json'), JSON.stringify(served));
  for (const folder of [...blocks.map(({ code }) => code), catalog]) {
    for (const file of [pages, `${pages}.map`]) {
      await copyFile(file, path.join(folder, path.basename(file)));
    }
  }
  return {
    blocks,
    catalog,
    keyAuthorizer: await bundleEntry('key-authorizer'),
    settle: await bundleEntry('settle'),
  };
}
