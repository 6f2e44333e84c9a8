import { fileURLToPath } from 'node:url';
import { loadDataBlock } from '../../src/import/load-blocks.ts';

export const census = await blockOf('census-neighborhoods');
export const directory = await blockOf('business-directory');

async function blockOf(name: string) {
  const folder = fileURLToPath(new URL(`../../functions/${name}`, import.meta.url));
  return (await loadDataBlock(folder)).block;
}
