import { readFileSync } from 'node:fs';
import { checkedDatasetBlock } from '../src/block/block.ts';
import { datasetHandler } from '../src/lambda/dataset-handler.ts';
import type { LambdaEnv } from '../src/lambda/function-settings.ts';

/** The function of every data block: `BLOCK` names the file that says which it is. */
const { BLOCK = './block.json' }: LambdaEnv = process.env;
const declared = JSON.parse(readFileSync(new URL(BLOCK, import.meta.url), 'utf8'));

export const handler = datasetHandler(checkedDatasetBlock(declared), process.env);
