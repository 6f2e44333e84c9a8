import { datasetHandler } from '../../src/lambda/dataset-handler.ts';
import { block } from './block.ts';

export const handler = datasetHandler(block, process.env);
