import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { addBlock } from './checkout.ts';
import { temporaryFolder } from './process.ts';

/** Names of the blocks that `manyBlocks` makes. */
export function namesOfMany(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `data-${String(i + 1).padStart(3, '0')}`);
}

/** A folder of small data blocks, as `BLOCKYARD_BLOCKS` names one. */
export async function manyBlocks(count: number): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(path.join(folder, 'functions'));
  await mkdir(path.join(folder, 'seed-data'));
  await addManyBlocks(folder, namesOfMany(count));
  return folder;
}

/** Adds small data blocks of these names; each has its place among them in a row. */
export async function addManyBlocks(folder: string, names: readonly string[]): Promise<void> {
  const fields = [
    { type: 'text', name: 'street', title: 'Street', indexed: true },
    { type: 'integer', name: 'number', title: 'Number' },
  ];
  for (const [i, name] of names.entries()) {
    const csv = `street,number\nHigh Street,${i}\nCanal Street,2\nCanal Street,3\n`;
    await addBlock(folder, { id: name, name, fields, csv });
  }
}
