import { fileURLToPath } from 'node:url';
import { serveValue } from '../../src/http/serve-block.ts';
import { lambdaHandler } from '../../src/lambda/lambda-handler.ts';
import { block } from './block.ts';
import { createRun } from './run.ts';

const seedData =
  process.env.SEED_DATA ?? fileURLToPath(new URL('../../seed-data', import.meta.url));

export const handler = lambdaHandler(serveValue(block, createRun(seedData)), process.env);
