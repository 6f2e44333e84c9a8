import { fileURLToPath } from 'node:url';
import { serveValue } from '../../src/http/served-block.ts';
import type { LambdaEnv } from '../../src/lambda/function-settings.ts';
import { lambdaHandler } from '../../src/lambda/lambda-handler.ts';
import { block } from './block.ts';
import { createRun } from './run.ts';

const env: LambdaEnv = process.env;
const seedData = new URL(env.SEED_DATA ?? '../../seed-data', import.meta.url);

export const handler = lambdaHandler(serveValue(block, createRun(fileURLToPath(seedData))), env);
